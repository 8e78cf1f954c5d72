// SPDX-License-Identifier: MIT
// Random scenes have native hashes and callbacks in spite of detours. FORKMUNK_JS_SCENES sets their number.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DT, play, Scene } from "./random_scene.mjs";
import { load, random, run } from "./run.mjs";

const SCENES = Number(process.env.FORKMUNK_JS_SCENES ?? 8);
const fm = await load();

const tests = {
  "has the native hashes and callbacks"() {
    let calls = 0, removed = 0;
    for (let seed = 1; seed <= SCENES; ++seed) {
      const { lines } = play(fm, random(seed), "plain");
      const { status, stdout } = spawnSync(process.env.FORKMUNK_SCENE_REPLAY, { input: lines.join("\n"), encoding: "utf8" });
      assert.equal(status, 0, `scene ${seed}: ${stdout}`);
      for (const line of lines) {
        if (line.startsWith("step")) calls += Number(line.split(" ", 2)[1]);
        if (line.startsWith("remove")) ++removed;
      }
    }
    assert.ok(calls > 100 * SCENES && removed > 10 * SCENES, `${calls} calls, ${removed} objects removed`);
    console.log(`${SCENES} scenes, ${calls} callbacks, ${removed} objects removed`);
  },

  "has the same hashes whatever is done between"() {
    for (let seed = 1; seed <= SCENES; ++seed) {
      const { hashes } = play(fm, random(seed), "plain");
      for (const way of ["rewind", "fork", "bytes"]) assert.deepEqual(play(fm, random(seed), way).hashes, hashes, `scene ${seed}, ${way}`);
    }
  },

  "exchanges states with the native library"() {
    const folder = mkdtempSync(join(tmpdir(), "forkmunk-")), here = join(folder, "here"), native = join(folder, "native");
    try {
      for (let seed = 1; seed <= SCENES; ++seed) {
        const scene = new Scene(fm, random(seed), false), { space } = scene;
        for (let i = 0; i < 90 + 40 * seed; ++i) scene.step();
        writeFileSync(here, space.toBytes());
        const { status, stdout } = spawnSync(process.env.FORKMUNK_SCENE_REPLAY, [here, native, "1000"], { encoding: "utf8" });
        assert.equal(status, 0, `scene ${seed}: ${stdout}`);
        const [before, after] = stdout.trim().split(" ");
        assert.equal(space.hash().toString(16), before, `scene ${seed}`);
        for (let i = 0; i < 1000; ++i) space.step(DT);
        assert.equal(space.hash().toString(16), after, `scene ${seed}`);
        // The native file has the same bytes.
        const bytes = new Uint8Array(readFileSync(native)), arrived = fm.Space.fromBytes(bytes);
        assert.deepEqual(space.toBytes(), bytes, `scene ${seed}`);
        assert.equal(arrived.hash(), space.hash(), `scene ${seed}`);
        for (let i = 0; i < 100; ++i) space.step(DT), arrived.step(DT);
        assert.equal(arrived.hash(), space.hash(), `scene ${seed}`);
        space.free(), arrived.free();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

await run(tests);
