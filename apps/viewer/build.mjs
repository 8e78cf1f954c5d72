// SPDX-License-Identifier: MIT
// Builds the pages: bundles src/ and the styles, and inserts them into page.html and charts.html: self-contained files.
//   node build.mjs OUT.html ENGINE_DIR LICENCE...
// OUT.html is the replay page; charts.html is written to the same folder.
// ENGINE_DIR has engine.js and engine.wasm (wasm/); the replay page includes the licences of third-party code in them.

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [out, engineDir, ...licenceFiles] = process.argv.slice(2);
if (licenceFiles.length === 0) throw new Error("usage: node build.mjs OUT.html ENGINE_DIR LICENCE...");

async function bundle(entry, loader) {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    target: ["chrome109", "firefox115", "safari16.4"],
    format: "iife",
    legalComments: "none",
    logLevel: "warning",
    loader,
  });
  return result.outputFiles[0].text.trim();
}

/** For the page's Content-Security-Policy: this text and no other may run. */
function digest(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const licence = (await readFile(join(here, "node_modules/uplot/LICENSE"), "utf8")).trim();
const licensed = (code) => `/*! Contains uPlot.\n${licence}\n*/\n` + code.replaceAll("</script", "<\\/script");
const script = licensed(await bundle("src/main.ts"));
const style = await bundle("page.css");
const readout = await readFile(join(here, "readout.html"), "utf8");
/** The worker's script and the module, gzipped and in base64. */
async function engineFrom(folder) {
  const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
  const wasm = await readFile(join(folder, "engine.wasm"));
  const worker = (await readFile(join(folder, "engine.js"), "utf8")) + "\n" + (await bundle("src/engine/worker.ts"));
  console.log(`engine: ${wasm.length} bytes, ${gzipSync(wasm, { level: 9 }).length} gzipped; its worker ${worker.length}`);
  return { "engine worker": packed(worker), "engine wasm": packed(wasm) };
}
const engine = await engineFrom(engineDir);
const licences = (await Promise.all(licenceFiles.map((file) => readFile(file, "utf8")))).join("\n");

const policy = [
  "default-src 'none'",
  `script-src ${digest(script)} 'wasm-unsafe-eval'`,
  "worker-src blob:",
  `style-src ${digest(style)}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

let page = await readFile(join(here, "page.html"), "utf8");
// Replacement by functions: "$" in a text would be special otherwise.
for (const side of ["1", "2"]) page = page.replace(`{{readout ${side}}}`, () => readout.trim().replaceAll("{{side}}", side));
for (const [name, text] of Object.entries({ policy, style, ...engine, licences, script })) page = page.replace(`{{${name}}}`, () => text);
await mkdir(dirname(out), { recursive: true });
await writeFile(out, page);
console.log(`${out}: ${Buffer.byteLength(page)} bytes`);

/** The page of charts, without the engine. */
async function makeCharts(file) {
  const parts = { script: licensed(await bundle("src/charts/main.ts")), style: await bundle("charts.css") };
  const allowed = `default-src 'none'; script-src ${digest(parts.script)}; style-src ${digest(parts.style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  let charts = await readFile(join(here, "charts.html"), "utf8");
  for (const [name, text] of Object.entries({ policy: allowed, ...parts })) charts = charts.replace(`{{${name}}}`, () => text);
  await writeFile(file, charts);
  console.log(`${file}: ${Buffer.byteLength(charts)} bytes`);
}
await makeCharts(join(dirname(out), "charts.html"));
