// The module, by the page's own typed interface: golden hashes and search signatures equal to native's, forks that go on as
// their line did, and messages for what cannot be played.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const { FORKMUNK_WEB_ENGINE: folder, FORKMUNK_WEB_EXPECTATIONS: expectations, FORKMUNK_VIEWER_SOURCE: source, FORKMUNK_NODE_MODULES: modules } = process.env;
const GZIPPED_MAX = 500_000;
const PLAN_TICKS = 3;
const BUDGET_TICKS = 1200;

const { build } = createRequire(join(modules, "package.json"))("esbuild");
const bundled = await build({ entryPoints: [join(source, "engine/module.ts")], bundle: true, write: false, format: "esm", logLevel: "warning" });
const { Engine } = await import(`data:text/javascript;base64,${Buffer.from(bundled.outputFiles[0].text).toString("base64")}`);
globalThis.self = { location: { href: "" } }; // the module is made for a worker
const createEngine = createRequire(import.meta.url)(join(folder, "engine.js"));
const wasmBinary = readFileSync(join(folder, "engine.wasm"));
const expected = JSON.parse(execFileSync(expectations, { encoding: "utf8", maxBuffer: 1 << 26 }));
const engine = new Engine(await createEngine({ wasmBinary }));

const play = (line, commands, from = 0, to = commands.length / 2) => {
  for (let tick = from; tick < to; ++tick) engine.stepWorld(line, Number(commands[2 * tick]), Number(commands[2 * tick + 1]));
};
const numbers = (list) => Float64Array.from(list);

/** 64-bit FNV-1a over 8 bytes a command: only the lowest one is not zero. */
function addPlan(hash, plan) {
  const prime = 0x100000001b3n;
  for (const digit of plan) {
    hash ^= BigInt(digit);
    for (let i = 0; i < 8; ++i) hash = (hash * prime) & 0xffffffffffffffffn;
  }
  return hash;
}

function signatureOf(planner) {
  let [ticks, plans] = [0, 0xcbf29ce484222325n];
  for (const { schedule, commands } of expected.positions) {
    const line = engine.create(numbers(schedule));
    play(line, commands);
    engine.seat(line, 0, planner, 1);
    for (let i = 0; i < PLAN_TICKS; ++i) {
      const decision = engine.decide(line, 0, { ticks: BUDGET_TICKS }, { enemyLast: 1 });
      ticks += decision.ticks;
      plans = addPlan(plans, decision.plan);
      engine.stepWorld(line, decision.command, 1);
    }
    engine.free(line);
  }
  return { planner, ticks, plans: plans.toString(16).padStart(16, "0") };
}

const tests = {
  "is small"() {
    const size = gzipSync(wasmBinary, { level: 9 }).length;
    console.log(`${wasmBinary.length} bytes, ${size} gzipped`);
    assert.ok(size <= GZIPPED_MAX, `${size} bytes gzipped, expected at most ${GZIPPED_MAX}`);
  },

  "has the golden hashes"() {
    assert.equal(expected.golden.length, 18);
    for (const { name, schedule, commands, hashes } of expected.golden) {
      const line = engine.create(numbers(schedule));
      const found = [engine.hash(line)];
      play(line, commands, 0, 60);
      found.push(engine.hash(line));
      play(line, commands, 60);
      found.push(engine.hash(line));
      assert.deepEqual(found, hashes, name);
      engine.free(line);
    }
  },

  "has the search signatures"() {
    assert.deepEqual(engine.planners().sort(), expected.signatures.map(({ planner }) => planner).sort());
    for (const signature of expected.signatures) assert.deepEqual(signatureOf(signature.planner), signature);
  },

  "goes on from a fork as the line did, through the matches of a game"() {
    const lists = expected.golden.slice(0, 3).map(({ schedule }) => schedule.slice(3));
    const line = engine.create(numbers([2, 2, 3, ...lists.flat()]));
    const { commands } = expected.golden[0];
    const command = (tick, side) => Number(commands[(2 * tick + side) % commands.length]);
    for (let tick = 0; engine.step(line, command(tick, 0), command(tick, 1)); ++tick);
    const whole = engine.ticks(line, 0);
    const { matches, over, lives } = engine.describe(line);
    assert.ok(over && Math.min(...lives) < 2 && matches.length >= 2);
    for (const index of [0, 63, 64, 200, matches[1].first, matches[1].first + 100]) {
      const fork = engine.fork(line, index);
      assert.equal(engine.tickCount(fork), index + 1);
      for (let tick = index; engine.step(fork, command(tick, 0), command(tick, 1)); ++tick);
      assert.deepEqual(engine.ticks(fork, 0), whole, `from ${index}`);
      assert.deepEqual(engine.describe(fork), engine.describe(line));
      assert.equal(engine.hash(fork), engine.hash(line));
      engine.free(fork);
    }
    const other = engine.fork(line, 100);
    for (let tick = 100; tick < 160; ++tick) engine.step(other, 2 - command(tick, 0), command(tick, 1));
    assert.deepEqual(engine.ticks(other, 0).states.subarray(0, 19 * 101), whole.states.subarray(0, 19 * 101));
    assert.notDeepEqual(engine.ticks(other, 160).states, whole.states.subarray(19 * 160, 19 * 161));
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
    test();
    console.log(`ok      ${name} (${(performance.now() - start).toFixed(0)} ms)`);
  } catch (error) {
    ++failures;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
process.exitCode = failures === 0 ? 0 : 1;
