// SPDX-License-Identifier: MIT
// Assembles the npm package: node build.mjs OUT MODULE_DIR NODE_MODULES_DIR PROJECT_DIR
// MODULE_DIR has the modules (wasm/), NODE_MODULES_DIR esbuild, PROJECT_DIR the licences. npm pack works in OUT.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import * as api from "./api.mjs";
import { declarations } from "./declarations.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [out, moduleDir, nodeModules, project] = process.argv.slice(2);
if (project === undefined) throw new Error("usage: node build.mjs OUT MODULE_DIR NODE_MODULES_DIR PROJECT_DIR");
const { build } = createRequire(join(nodeModules, "package.json"))("esbuild");

mkdirSync(out, { recursive: true });
const write = (name, text) => writeFileSync(join(out, name), text);
for (const file of ["package.json", "README.md"]) copyFileSync(join(here, file), join(out, file));
copyFileSync(join(project, "LICENSE"), join(out, "LICENSE"));
rmSync(join(out, "LICENSES"), { recursive: true, force: true });
mkdirSync(join(out, "LICENSES"));
// The module and scene.html contain code of these projects.
for (const name of ["Chipmunk2D", "Emscripten", "msun", "musl", "optimized-routines", "uPlot"]) {
  copyFileSync(join(project, "LICENSES", `${name}.txt`), join(out, "LICENSES", `${name}.txt`));
}
copyFileSync(join(moduleDir, "module.wasm"), join(out, "forkmunk.wasm"));
copyFileSync(join(moduleDir, "recorder_module.wasm"), join(out, "forkmunk_recorder.wasm"));
copyFileSync(join(moduleDir, "single_module.wasm"), join(out, "forkmunk_single.wasm"));
for (const file of ["index.d.ts", "index.d.cts"]) write(file, declarations());

/** Returns a value as source code, without the parts that only the types need. */
function source(value) {
  if (Array.isArray(value)) return `[${value.map(source)}]`;
  if (typeof value !== "object") return typeof value === "string" ? JSON.stringify(value) : String(value);
  return `{${Object.entries(value).filter(([name, each]) => name !== "doc" && each !== undefined).map(([name, each]) => `${JSON.stringify(name)}:${source(each)}`)}}`;
}

const encoded = (file) => `export const base64 = "${readFileSync(join(moduleDir, file)).toString("base64")}";\n`;
const described = Object.entries(api).filter(([, value]) => typeof value === "object");
/** Sources by the end of their paths, in place of files. */
const generated = {
  "/api.mjs": described.map(([name, value]) => `export const ${name} = ${source(value)};\n`).join(""),
  "/wasm_base64.mjs": encoded("recorder_module.wasm"),
};
const plugin = {
  name: "generated",
  setup({ onResolve, onLoad }) {
    const filter = /\/(api|wasm_base64)\.mjs$/;
    onResolve({ filter }, ({ path }) => ({ path: join(here, "src", path) }));
    onLoad({ filter }, ({ path }) => ({ contents: generated[path.slice(path.lastIndexOf("/"))] }));
  },
};
// Readable, with the names of the sources, for stack traces.
const bundled = async (entry, options) => (await build({
  entryPoints: [join(here, entry)], bundle: true, write: false, plugins: [plugin],
  target: ["es2022"], legalComments: "none", logLevel: "error", absWorkingDir: here, ...options,
})).outputFiles[0].text;
write("single_base64.mjs", encoded("single_module.wasm"));
write("index.mjs", await bundled("src/index.mjs", { format: "esm" }));
write("separate.mjs", await bundled("src/separate.mjs", { format: "esm", minify: true }));
write("index.cjs", await bundled("src/index.mjs", { format: "cjs", platform: "node" }));
const script = (await bundled("demo/main.mjs", { format: "esm", minify: true })).replaceAll("</script", "<\\/script");
write("demo.html", readFileSync(join(here, "demo/demo.html"), "utf8").replace("{{script}}", () => script));
