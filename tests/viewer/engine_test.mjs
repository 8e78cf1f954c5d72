// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

import { carried, cutOff, drop, inScratch, load, open, pageOf, program, run, screenshot, startsOf, state, store } from "./browser.mjs";
import { hashesOf, signatureOf } from "./wasm/expectations.mjs";

const GAME = carried("strict_build/game09.visio.gz");
const VERIFY_MS_MAX = 2000;

async function verdictOf(page) {
  await page.waitForFunction(() => /^(exact|differs|label differs|not checked)/.test(document.getElementById("verdict").textContent));
  return page.textContent("#verdict");
}

await run({
  async "reports that a recording is exact"() {
    const page = await open(pageOf(GAME, "exact.html"));
    assert.equal(await verdictOf(page), "exact");
    const { verdict, tickCount } = await state(page);
    assert.deepEqual([verdict.ticks, verdict.mismatching, verdict.inferred, verdict.first], [tickCount, 0, false, null]);
    assert.match(await page.getAttribute("#verdict", "title"), /bit-exact/);
    await screenshot(page, "verdict_exact");
  },

  async "infers the commands of a recording without commands"() {
    const page = await open(pageOf(carried("strict_build/game06.visio.gz"), "found.html"));
    assert.equal(await verdictOf(page), "exact");
    assert.equal((await state(page)).verdict.inferred, true);
  },

  async "reports the first difference of a recording"() {
    const recording = load(GAME);
    const event = recording.visio_info.filter(({ type }) => type === "tick")[1500];
    event.params.cars["2"][3][1] += 1e-9;
    const changed = store("changed.visio.gz", recording);
    const page = await open(pageOf(changed, "changed.html"));
    const text = await verdictOf(page);
    const { verdict } = await state(page);
    const native = await page.evaluate(() => JSON.parse(document.getElementById("embedded").textContent).extras.verdict);
    assert.deepEqual(verdict, native);
    const match = startsOf(recording).findLastIndex((start) => start <= 1500);
    assert.ok(match > 0);
    assert.equal(text, `differs at match ${match + 1}, tick ${1500 - startsOf(recording)[match]}: cars.2.rear.y`);
    assert.match(await page.getAttribute("#verdict", "title"), /1 of [\d,]+ ticks differ; recorded [\d.]+, replayed [\d.]+$/);
    assert.equal(verdict.mismatching, 1);
    await screenshot(page, "verdict_differs");
    await page.click("#verdict a");
    await page.waitForFunction(() => window.forkmunk.state().index === 1500);
    assert.equal(await page.textContent("#message-text"), await page.getAttribute("#verdict", "title"));
    const phone = await open(pageOf(changed, "changed.html"), { width: 390, height: 844 });
    await verdictOf(phone);
    assert.deepEqual(await cutOff(phone), []);
  },

  async "reports a missing tick"() {
    const recording = load(GAME);
    recording.visio_info.splice(101, 1);
    const page = await open(pageOf(store("gap.visio.gz", recording), "gap.html"));
    assert.equal(await verdictOf(page), "differs at match 1, tick 100: missing in the recording");
  },

  async "verifies dropped files"() {
    const page = await open(pageOf(undefined, "drops.html"));
    await drop(page, carried("strict_build/game04.visio.gz"));
    assert.equal(await verdictOf(page), "exact");
    await drop(page, carried("referee_build/game16.visio.gz"));
    assert.match(await verdictOf(page), /^differs at match/, "the page has no native verdict");
  },

  async "a label that contradicts its match differs, as in the program"() {
    for (const name of ["strict_build/game04", "referee_build/game16"]) {
      const recording = load(carried(`${name}.visio.gz`));
      recording.visio_info.filter((event) => event.type === "new_match")[1].params.proto_map.external_id = 77;
      const page = await open(pageOf(store(`${name.split("/")[0]}.gz`, recording), `${name.split("/")[0]}.html`));
      assert.equal(await verdictOf(page), "label differs at match 2");
      assert.match(await page.getAttribute("#verdict", "title"), /it-exact.*; match 2: the map is \w+, whose external_id is \d; found 77$/);
      await page.waitForFunction(() => !document.getElementById("take-over").disabled);
    }
  },

  async "shows the program's verdict on a recording in referee arithmetic"() {
    const page = await open(pageOf(carried("referee_build/game16.visio.gz"), "referee.html"));
    const text = await verdictOf(page);
    assert.match(text, /^exact \(referee arithmetic\)$/);
    assert.match(await page.getAttribute("#verdict", "title"), /browsers lack/);
    assert.equal((await state(page)).verdict, null);
    await screenshot(page, "verdict_referee");
  },

  async "reports that the engine cannot start, and still works"() {
    const bare = inScratch("bare.html");
    const text = readFileSync(pageOf(GAME, "exact.html"), "utf8");
    writeFileSync(bare, text.replace(/(<script type="text\/plain" id="engine-wasm">)[^<]*/, "$1"));
    const page = await open(bare);
    assert.match(await page.textContent("#message-text"), /needs WebAssembly and workers/);
    assert.ok(await page.isVisible("#open-empty"));
  },

  async "verifies 6,000 ticks in under two seconds"() {
    const long = inScratch("long.visio.gz");
    program("play", "--first", "builtin:straight:ticks=60", "--second", "builtin:straight:ticks=60,seed=2", "--seed", "3", "--record", long);
    const page = await open(pageOf(long, "long.html"));
    assert.equal(await verdictOf(page), "exact");
    const ms = Number(await page.getAttribute("#verdict", "data-ms"));
    const { tickCount } = await state(page);
    console.log(`${tickCount} ticks verified in ${ms} ms`);
    assert.ok((ms / tickCount) * 6000 < VERIFY_MS_MAX, `${ms} ms for ${tickCount} ticks`);
  },

  async "has the golden hashes and search signatures of the native build, in its worker"() {
    const expected = JSON.parse(execFileSync(process.env.FORKMUNK_ENGINE_EXPECTATIONS, { encoding: "utf8", maxBuffer: 1 << 26 }));
    const page = await open(pageOf(undefined, "worker.html"));
    // The page gets lists for the worker's arrays.
    const ask = (name, ...parameters) => page.evaluate(([method, list]) =>
      window.forkmunk.ask(method, ...list.map((entry) => (Array.isArray(entry) ? Uint8Array.from(entry) : entry))),
      [name, parameters.map((entry) => (entry instanceof Uint8Array ? [...entry] : entry))]);
    assert.equal(expected.golden.length, 18);
    for (const scene of expected.golden) assert.deepEqual(await hashesOf(ask, scene), scene.hashes, `${scene.map} ${scene.car}`);
    assert.ok(expected.signatures.length > 0);
    for (const signature of expected.signatures) assert.deepEqual(await signatureOf(ask, expected, signature.planner), signature);
  },

  async "refuses an invalid car, and still works"() {
    const recording = load(carried("strict_build/game04.visio.gz"));
    for (const { type, params } of recording.visio_info) if (type === "new_match") params.proto_car.rear_wheel_mass = -1;
    const page = await open(pageOf(undefined, "odd.html"));
    await drop(page, store("odd.visio.gz", recording), "odd.visio.gz");
    assert.match(await page.textContent("#message-text"), /^odd\.visio\.gz: event 0 \(new_match\): .*rear_wheel_mass: /);
    await drop(page, GAME);
    await page.waitForFunction(() => document.getElementById("verdict").textContent === "exact");
  },
});
