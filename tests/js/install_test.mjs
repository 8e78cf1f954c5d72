// SPDX-License-Identifier: MIT
// npm pack, installed into an empty project: the README's code prints the results in its comments, and its types are
// right.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { folder, run } from "./run.mjs";

const { FORKMUNK_NPM: npm, FORKMUNK_NODE_MODULES: modules } = process.env;
const project = mkdtempSync(join(tmpdir(), "forkmunk_install_"));
process.on("exit", () => rmSync(project, { recursive: true, force: true }));
const inProject = (program, ...options) => execFileSync(program, options, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const blocks = [...readFileSync(join(folder, "README.md"), "utf8").matchAll(/^```js\n([^]*?)^```$/gm)].map(([, text]) => text);

const tests = {
  "installs into an empty project"() {
    const packed = JSON.parse(execFileSync(npm, ["pack", "--json", "--pack-destination", project], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))[0];
    assert.deepEqual(packed.files.map(({ path }) => path).sort(), ["LICENSE", "LICENSES/Chipmunk2D.txt", "LICENSES/Emscripten.txt",
      "LICENSES/msun.txt", "LICENSES/musl.txt", "LICENSES/optimized-routines.txt", "LICENSES/uPlot.txt", "README.md", "forkmunk.wasm", "forkmunk_recorder.wasm", "forkmunk_single.wasm", "index.cjs", "index.d.cts", "index.d.ts",
      "index.mjs", "package.json", "scene.html", "separate.mjs", "single_base64.mjs"]);
    writeFileSync(join(project, "package.json"), '{ "name": "empty", "private": true, "type": "module" }');
    inProject(npm, "install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", packed.filename);
  },

  "runs its README"() {
    assert.ok(blocks.length >= 2);
    blocks.forEach((block, i) => {
      const expected = [...block.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
      assert.ok(expected.length > 0);
      for (const entry of ["forkmunk", "forkmunk/separate"]) {
        writeFileSync(join(project, `readme${i}.js`), block.replaceAll('"forkmunk"', `"${entry}"`));
        assert.deepEqual(inProject(process.execPath, `readme${i}.js`).trim().split("\n"), expected, entry);
      }
    });
  },

  "has types for it"() {
    blocks.forEach((block, i) => writeFileSync(join(project, `readme${i}.mts`), block));
    writeFileSync(join(project, "wrong.mts"), `import { load } from "forkmunk";\nconst { Body } = await load();\n// @ts-expect-error\nnew Body(1, 1).position = 5;\n// @ts-expect-error\nnew Body("1");\n`
      + `import { Circle, type Space } from "forkmunk";\nexport let space: Space | undefined;\n// @ts-expect-error\nnew Circle(new Body(1, 1), 1);\n`
      + `interface Stats { hp: number }\nconst stats: Stats = { hp: 1 }, body = new Body(1, 1);\nbody.userData = stats;\nexport const { hp }: Stats = body.userData;\n`
      + `const { Space: World, SpaceBatch, SimpleMotor } = await load(), world = new World(), batch = new SpaceBatch(world, 2);\n`
      + `export const numbers: Float64Array = batch.read("motorRate", [new SimpleMotor(body, world.staticBody, 1)]);\n// @ts-expect-error\nbatch.read("motorRate", [body]);\n`
      + `export const { final, steps } = batch.rollout(world.save(), { dt: 1, actionCount: 1, actions: [1, 2], controls: [{ field: "localForce", body }] });\n`
      + `// @ts-expect-error\nbatch.rollout(world.save(), { dt: 1, actionCount: 1, controls: [{ field: "speed", body }] });\n`
      + `export const blob = new Blob([world.toBytes(), world.save().toBytes()]), socket = new WebSocket("");\nimport { debugDraw, RollbackSession, SyncTest } from "forkmunk";\n`
      + `world.shapes[0].filter = { group: 1 };\nnew SyncTest(world, { advance(space, [one, other]) { space.step(one + other); } }).tick([1, 2]);\n`
      + `new RollbackSession(world, { players: 2, local: 0, advance() {}, send: (message) => socket.send(message) });\n`
      + `debugDraw(document.createElement("canvas").getContext("2d")!, world);\n`
      + `// @ts-expect-error\nbody.position.x += 1;\n// @ts-expect-error\nbody.type = "ghost";\n`);
    writeFileSync(join(project, "server.mts"), 'import { load } from "forkmunk";\nawait load({ wasm: "forkmunk.wasm" });\n// @ts-expect-error\nawait load({ wasm: 5 });\n');
    const compile = (lib, ...files) =>
      inProject(process.execPath, join(modules, "node_modules/typescript/bin/tsc"), "--noEmit", "--target", "es2022", "--lib", lib, "--module", "nodenext", ...files);
    try {
      compile("es2022,dom", ...blocks.map((_, i) => `readme${i}.mts`), "wrong.mts");
      compile("es2022", "server.mts");
    } catch (error) {
      assert.fail(error.stdout);
    }
  },
};

await run(tests);
