// SPDX-License-Identifier: MIT
// Bundles src/ and the styles into self-contained pages, of frame.html and page.html or scene.html.
//   node build.mjs OUT.html ENGINE_DIR LICENCE...
// writes the replay page, and charts.html beside it. ENGINE_DIR has engine.js and engine.wasm; the licences are theirs.
//   node build.mjs OUT.html PACKAGE_DIR --scene LICENCE...
// writes the page of scenes, with the npm package.

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

/** For the Content-Security-Policy: this text and no other may run. */
function digest(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const licence = (await readFile(join(here, "node_modules/uplot/LICENSE"), "utf8")).trim();
const licensed = (code) => `/*! Contains uPlot.\n${licence}\n*/\n` + code.replaceAll("</script", "<\\/script");
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");
const textOf = async (files) => (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");

async function writePage(file, template, parts, rules) {
  const policy = [
    "default-src 'none'", `script-src ${digest(parts.script)}${rules.script ?? ""}`, ...(rules.more ?? []), `style-src ${digest(parts.style)}${rules.style ?? ""}`,
    "img-src data:", "base-uri 'none'", "form-action 'none'",
  ].join("; ");
  const own = await readFile(join(here, template), "utf8"), frame = await readFile(join(here, "frame.html"), "utf8");
  const templates = Object.fromEntries([...own.matchAll(/<template id="(\w+)">\n(.*?)\n<\/template>/gs)].map(([, name, text]) => [name, text.trim()]));
  let page = own.includes("<body>") ? frame.replace(/<body.*/s, () => own.slice(own.indexOf("<body>")))
    : frame.replaceAll(/{{(\w+)}}/g, (slot, name) => (name in templates ? templates[name] : name in parts || name === "policy" ? slot : ""))
      .replaceAll(/{{readout (\d)}}/g, (_, side) => templates.readout.replaceAll("{{side}}", side));
  // "$" in a text would be special in a replacement that is no function.
  for (const [name, text] of Object.entries({ policy, ...parts })) page = page.replaceAll(`{{${name}}}`, () => text);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, page);
  console.log(`${file}: ${Buffer.byteLength(page)} bytes`);
}

if (licenceFiles[0] === "--scene") {
  // The script has no address, so load() is given the module.
  const script = await readFile(join(engineDir, "separate.mjs"), "utf8");
  await writeFile(join(here, "src/recording/forkmunk.mjs"), script.replaceAll("import.meta.url", '"about:blank"'));
  await writePage(out, "scene.html", {
    script: licensed(await bundle("src/recording/main.ts")), style: await bundle("scene.css"), licences: await textOf(licenceFiles.slice(1)),
    "engine worker": "", "engine wasm": packed(await readFile(join(engineDir, "forkmunk_recorder.wasm"))),
  }, { script: " 'wasm-unsafe-eval'" });
  process.exit(0);
}

const wasm = await readFile(join(engineDir, "engine.wasm"));
const worker = (await readFile(join(engineDir, "engine.js"), "utf8")) + "\n" + (await bundle("src/engine/worker.ts"));
console.log(`engine: ${wasm.length} bytes, ${gzipSync(wasm, { level: 9 }).length} gzipped; its worker ${worker.length}`);
await writePage(out, "page.html", {
  script: licensed(await bundle("src/main.ts")), style: await bundle("page.css"),
  "engine worker": packed(worker), "engine wasm": packed(wasm), licences: await textOf(licenceFiles),
}, { script: " 'wasm-unsafe-eval'", more: ["worker-src blob:"] });
await writePage(join(dirname(out), "charts.html"), "charts.html", { script: await bundle("src/charts.ts"), style: await bundle("charts.css") }, {});
