// The module, by the page's own typed interface: golden hashes and search signatures equal to native's, forks that go on as
// their line did, and messages for what cannot be played.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { hashesOf, signatureOf } from "./expectations.mjs";

const { FORKMUNK_WEB_ENGINE: folder, FORKMUNK_WEB_EXPECTATIONS: expectations, FORKMUNK_VIEWER_SOURCE: source, FORKMUNK_NODE_MODULES: modules } = process.env;
const GZIPPED_MAX = 500_000;

const { build } = createRequire(join(modules, "package.json"))("esbuild");
const bundled = await build({ entryPoints: [join(source, "engine/module.ts")], bundle: true, write: false, format: "esm", logLevel: "warning" });
const { Engine } = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString("base64")}`);
globalThis.self = { location: { href: "" } }; // the module is made for a worker
const createEngine = createRequire(import.meta.url)(join(folder, "engine.js"));
const wasmBinary = readFileSync(join(folder, "engine.wasm"));
const expected = JSON.parse(execFileSync(expectations, { encoding: "utf8", maxBuffer: 1 << 26 }));
const engine = new Engine(await createEngine({ wasmBinary }));

const ask = (name, ...parameters) => engine[name](...parameters);
const numbers = (list) => Float64Array.from(list);
const play = (line, commands, from = 0, to = commands.length / 2) => engine.stepWorld(line, numbers(commands.slice(2 * from, 2 * to)));

const tests = {
  "is small"() {
    const size = gzipSync(wasmBinary, { level: 9 }).length;
    console.log(`${wasmBinary.length} bytes, ${size} gzipped`);
    assert.ok(size <= GZIPPED_MAX, `${size} bytes gzipped, expected at most ${GZIPPED_MAX}`);
  },

  async "has the golden hashes"() {
    assert.equal(expected.golden.length, 18);
    for (const scene of expected.golden) assert.deepEqual(await hashesOf(ask, scene), scene.hashes, scene.name);
  },

  async "has the search signatures"() {
    assert.deepEqual(engine.planners().sort(), expected.signatures.map(({ planner }) => planner).sort());
    for (const signature of expected.signatures) assert.deepEqual(await signatureOf(ask, expected, signature.planner), signature);
  },

  "tells what a planner tries, and its choice is the planner's own"() {
    const { schedule, commands } = expected.positions[0];
    const line = engine.create(numbers(schedule));
    play(line, commands);
    const hash = engine.hash(line);
    for (const side of [0, 1]) {
      const { tried, futures } = engine.futures(line, side, 4000, 24);
      assert.equal(futures.length, 25);
      assert.ok(tried >= 25, `${tried} plans`);
      const others = futures.slice(0, -1).map(({ score }) => score);
      assert.deepEqual(others, others.toSorted((a, b) => a - b), "the worst first");
      const chosen = futures.at(-1);
      assert.deepEqual(futures.map((future) => future.chosen), [...others.map(() => false), true]);
      assert.ok(chosen.score >= others.at(-1), "nothing that was tried is better");
      engine.seat(line, side, "best", 1);
      assert.equal(engine.decide(line, side, { ticks: 4000 }, { enemyLast: 1 }).score, chosen.score);
    }
    assert.equal(engine.hash(line), hash, "the world was put back");
  },

  "goes on from the states of an adopted recording, and from nothing else"() {
    const { schedule, commands } = expected.golden[0];
    const own = engine.create(numbers(schedule));
    for (let tick = 0; tick < 200; ++tick) engine.step(own, Number(commands[2 * tick]), Number(commands[2 * tick + 1]));
    const { states, flags } = engine.ticks(own, 0);
    const count = flags.length / 4;
    const recorded = numbers([1, -1, -1, 1, ...schedule.slice(3), 1, 1, count, ...Array.from({ length: count }, (_, i) => [
      i, ...states.subarray(19 * i, 19 * i + 19), 1, -1, ...flags.subarray(4 * i, 4 * i + 4),
    ]).flat()]);
    assert.throws(() => engine.adopt(recorded, [{ index: 0, bytes: new Uint8Array(100) }]), /not a snapshot/);
    const without = engine.adopt(recorded, []);
    assert.throws(() => engine.fork(without, 10), /found no state at tick 10 or before/);
    assert.throws(() => engine.fork(without, count), /found tick \d+, expected one below/);
  },

  "says what is wrong with what it is given"() {
    const { schedule } = expected.golden[0];
    const changed = (change) => {
      const copy = [...schedule];
      change(copy);
      return numbers(copy);
    };
    assert.throws(() => engine.create(numbers([])), /found 0 numbers, expected more/);
    assert.throws(() => engine.create(numbers(schedule.slice(0, -1))), /numbers, expected more/);
    assert.throws(() => engine.create(numbers([...schedule, 1])), /found numbers after the last one/);
    assert.throws(() => engine.create(changed((list) => (list[4] = 1e9))), /expected an integer from 0/);
    assert.throws(() => engine.create(changed((list) => (list[5] = NaN))), /proto_map\.segments\[0\].*found nan/i);
    assert.throws(() => engine.hash(999), /found no line 999/);
    const line = engine.create(numbers(schedule));
    assert.throws(() => engine.fork(line, 1), /found tick 1, expected one below 1/);
    assert.throws(() => engine.decide(line, 0, { ticks: 10 }), /found no planner in that seat/);
    assert.throws(() => engine.seat(line, 0, "nobody", 1), /found no such planner/);
  },

  "steps fast"() {
    let best = Infinity;
    for (let repeat = 0; repeat < 5; ++repeat) {
      let gone = 0;
      for (const { schedule, commands } of expected.golden) {
        const line = engine.create(numbers(schedule));
        const start = performance.now();
        play(line, commands);
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
