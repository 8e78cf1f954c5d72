// SPDX-License-Identifier: MIT
// Assembles the npm package: node build.mjs OUT MODULE_DIR NODE_MODULES_DIR PROJECT_DIR
// MODULE_DIR has module.wasm and recorder_module.wasm (wasm/), NODE_MODULES_DIR esbuild, PROJECT_DIR the licences. npm pack works in OUT, which
// also has the demo, demo.html.

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { declarations } from "./declarations.mjs";
import * as api from "./src/api.mjs";

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

// The sources and the generated parts are in a folder of their own, to be bundled.
const work = mkdtempSync(join(tmpdir(), "forkmunk_js_"));
try {
  for (const folder of ["src", "demo"]) {
    mkdirSync(join(work, folder));
    for (const file of readdirSync(join(here, folder))) copyFileSync(join(here, folder, file), join(work, folder, file));
  }
  const encoded = (file) => `export const base64 = "${readFileSync(join(moduleDir, file)).toString("base64")}";\n`;
  writeFileSync(join(work, "src/wasm_base64.mjs"), encoded("recorder_module.wasm"));
  write("single_base64.mjs", encoded("single_module.wasm"));
  const described = Object.entries(api).filter(([, value]) => typeof value === "object");
  writeFileSync(join(work, "src/api.mjs"), described.map(([name, value]) => `export const ${name} = ${source(value)};\n`).join(""));
  // Readable, with the names of the sources, for stack traces.
  const bundled = async (entry, options) => (await build({
    entryPoints: [join(work, entry)], bundle: true, write: false, external: ["./single_base64.mjs"], target: ["es2022"], legalComments: "none", logLevel: "error", ...options,
  })).outputFiles[0].text;
  write("index.mjs", await bundled("src/index.mjs", { format: "esm" }));
  write("separate.mjs", await bundled("src/separate.mjs", { format: "esm", minify: true }));
  write("index.cjs", await bundled("src/index.mjs", { format: "cjs", platform: "node" }));
  const parts = { style: readFileSync(join(here, "demo/demo.css"), "utf8"), script: (await bundled("demo/main.mjs", { format: "esm", minify: true })).replaceAll("</script", "<\\/script") };
  let page = readFileSync(join(here, "demo/demo.html"), "utf8");
  for (const [name, text] of Object.entries(parts)) page = page.replace(`{{${name}}}`, () => text);
  write("demo.html", page);
} finally {
  rmSync(work, { recursive: true, force: true });
}
