// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { hashesOf, signatureOf } from "./expectations.mjs";

const { FORKMUNK_PAGE_ENGINE: folder, FORKMUNK_ENGINE_EXPECTATIONS: expectations, FORKMUNK_VIEWER_SOURCE: source, FORKMUNK_NODE_MODULES: modules } = process.env;
const GZIPPED_MAX = 500_000;

const { build } = createRequire(join(modules, "package.json"))("esbuild");
const bundled = await build({ entryPoints: [join(source, "engine/module.ts")], bundle: true, write: false, format: "esm", logLevel: "warning" });
const { Engine } = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString("base64")}`);
globalThis.self = { location: { href: "" } }; // the module expects a worker
const createEngine = createRequire(import.meta.url)(join(folder, "engine.js"));
const wasmBinary = readFileSync(join(folder, "engine.wasm"));
const expected = JSON.parse(execFileSync(expectations, { encoding: "utf8", maxBuffer: 1 << 26 }));
const engine = new Engine(await createEngine({ wasmBinary }));

const ask = (name, ...parameters) => engine[name](...parameters);
const create = ({ map, car }, matches = 1) => engine.create(map, car, matches).line;
const play = (line, commands, from = 0, to = commands.length / 2) => engine.stepWorld(line, Uint8Array.from(commands.slice(2 * from, 2 * to)));
const read = (text) => engine.read(new TextEncoder().encode(text), "game");

function recorded(scene, ticks) {
  const line = create(scene);
  for (let tick = 0; tick < ticks; ++tick) engine.step(line, Number(scene.commands[2 * tick]), Number(scene.commands[2 * tick + 1]));
  return { line, text: engine.recording(line, ["first", "second"], true) };
}

const tests = {
  "is small"() {
    const size = gzipSync(wasmBinary, { level: 9 }).length;
    console.log(`${wasmBinary.length} bytes, ${size} gzipped`);
    assert.ok(size <= GZIPPED_MAX, `${size} bytes gzipped, expected at most ${GZIPPED_MAX}`);
  },

  async "has the golden hashes"() {
    assert.equal(expected.golden.length, 18);
    for (const scene of expected.golden) assert.deepEqual(await hashesOf(ask, scene), scene.hashes, `${scene.map} ${scene.car}`);
  },

  async "has the search signatures"() {
    assert.deepEqual(engine.names().planners.sort(), expected.signatures.map(({ planner }) => planner).sort());
    for (const signature of expected.signatures) assert.deepEqual(await signatureOf(ask, expected, signature.planner), signature);
  },

  "returns the plans that a planner tries, and its choice"() {
    const line = create(expected.positions[0]);
    play(line, expected.positions[0].commands);
    const hash = engine.hash(line);
    for (const side of [0, 1]) {
      const { tried, futures } = engine.futures(line, side, 4000, 24);
      assert.equal(futures.length, 25);
      assert.ok(tried >= 25, `${tried} plans`);
      const others = futures.slice(0, -1).map(({ score }) => score);
      assert.deepEqual(others, [...others].sort((a, b) => a - b), "in ascending order");
      const chosen = futures.at(-1);
      assert.deepEqual(futures.map((future) => future.chosen), [...others.map(() => false), true]);
      assert.ok(chosen.score >= others.at(-1), "no tried plan is better");
      engine.seat(line, side, "best", 1);
      assert.equal(engine.decide(line, side, { ticks: 4000 }).score, chosen.score);
    }
    assert.equal(engine.hash(line), hash, "the world was restored");
  },

  "reads and replays its own recordings"() {
    const { line, text } = recorded(expected.golden[0], 200);
    const game = read(text);
    assert.deepEqual([game.players, game.hasCommands, game.said, game.matches.length], [["first", "second"], true, null, 1]);
    assert.deepEqual([game.matches[0].map.name, game.matches[0].car.name], [expected.golden[0].map, expected.golden[0].car]);
    const count = engine.tickCount(game.line);
    assert.deepEqual(engine.ticks(game.line, 0).states, engine.ticks(line, 0).states.subarray(0, 19 * count));
    assert.throws(() => engine.fork(game.line, 10), /tick 10\b/);
    assert.deepEqual(engine.verify(game.line), { arithmetic: "strict", ticks: count, mismatching: 0, inferred: false, first: null, labels: [] });
    assert.throws(() => engine.fork(game.line, count), /tick \d+/);
    const [own, again] = [line, game.line].map((from) => engine.fork(from, 150));
    assert.equal(engine.hash(own), engine.hash(again));
    assert.equal(engine.describe(again).ownFrom, 0);
  },

  "reports the first difference of a recording, and causes of death"() {
    const scene = expected.golden.find((one) => {
      const line = create(one);
      for (let tick = 0; tick < 300; ++tick) engine.step(line, Number(one.commands[2 * tick]), Number(one.commands[2 * tick + 1]));
      return engine.describe(line).matches[0].deaths.some((death) => death !== null);
    });
    const { line, text } = recorded(scene, 300);
    const deaths = (of) => engine.describe(of).matches[0].deaths;
    const recording = JSON.parse(text);
    recording.visio_info[20].params.cars["2"][1] += 1e-9;
    const changed = read(JSON.stringify(recording)).line;
    assert.deepEqual(deaths(changed), deaths(line).map((death) => death && { ...death, cause: null }), "recordings have no causes");
    const { mismatching, first } = engine.verify(changed);
    assert.deepEqual([mismatching, first.match, first.tick, first.value], [1, 0, 19, "cars.2.angle"]);
    assert.deepEqual(engine.findCauses(changed).matches[0].deaths, deaths(line));
  },

  "continues from states that are added to a recording, and only from those"() {
    const { text } = recorded(expected.golden[0], 100);
    const { line } = read(text);
    assert.throws(() => engine.mark(line, 60, new Uint8Array(100)), /not a snapshot/);
    engine.takeCommands(line, ["LLR", "-S"]);
    const { commands } = engine.ticks(line, 0);
    assert.deepEqual([...commands.subarray(0, 6)], [0, -1, 0, 1, 2, commands[5]]);
  },

  "plays a game to its end by the rules"() {
    const line = create(expected.golden[0], 3);
    let ticks = 0;
    while (engine.step(line, 2, 0)) ++ticks;
    const { over, lives, matches } = engine.describe(line);
    assert.ok(over && ticks > 90 && Math.min(...lives) === 0 && matches.length >= 2, JSON.stringify({ over, lives, ticks }));
    assert.deepEqual([matches[0].lives, matches[0].first], [[2, 2], 0]);
    assert.equal(engine.step(line, 2, 0), false, "no effect after the end");
    assert.equal(JSON.parse(engine.recording(line, ["a", "b"], true)).visio_info.at(-1).type, "end_game");
  },

  "reports errors of its inputs"() {
    const { text } = recorded(expected.golden[0], 3);
    assert.throws(() => read(""), /^Error: game: /);
    assert.throws(() => read(text.slice(0, -1)), /^Error: game: /);
    assert.throws(() => read(text.replace('"rear_wheel_radius', '"rear_wheel_radio')), /game: event 0 \(new_match\): params\.proto_car\.rear_wheel_radius: /);
    assert.throws(() => read(text.replace(/"deadline_position":10/, '"deadline_position":1e300')), /game: match 1, tick_num 0: /);
    assert.throws(() => read(text.replace(/,"commands"/, ',"thoughts":{"terms":[[],[]],"ticks":[[[1,2],null]]},"commands"')), /game: thoughts\.ticks\[0\]\[0\]: /);
    assert.throws(() => engine.create("NoMap", "Buggy", 1), /NoMap/);
    assert.throws(() => engine.hash(999), /999/);
    const line = create(expected.golden[0]);
    assert.throws(() => engine.verify(line), /Error/);
    assert.throws(() => engine.fork(line, 1), /tick 1\b/);
    assert.throws(() => engine.decide(line, 0, { ticks: 10 }), /seat/);
    assert.throws(() => engine.seat(line, 0, "unknown", 1), /unknown/);
    assert.throws(() => engine.hash(read(text).line), /Error/);
  },

  "steps fast"() {
    let best = Infinity;
    for (let repeat = 0; repeat < 5; ++repeat) {
      let gone = 0;
      for (const scene of expected.golden) {
        const line = create(scene);
        const start = performance.now();
        play(line, scene.commands);
        gone += performance.now() - start;
        engine.free(line);
      }
      best = Math.min(best, (gone * 1e6) / (18 * 600));
    }
    console.log(`a step: ${best.toFixed(0)} ns, natively ${expected.step_ns.toFixed(0)} ns: ${(best / expected.step_ns).toFixed(2)} times`);
  },
};

let failures = 0;
for (const [name, test] of Object.entries(tests)) {
  const start = performance.now();
  try {
    await test();
    console.log(`ok      ${name} (${(performance.now() - start).toFixed(0)} ms)`);
  } catch (error) {
    ++failures;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
process.exitCode = failures === 0 ? 0 : 1;
