// SPDX-License-Identifier: MIT
// A game of the packed npm package has the same hash in bundlers, test runners, runtimes and compilers.
// node toolchains.mjs [NAME...] needs the tests' environment, npm's registry and Chromium; exit code 77: no registry.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";

import { folder, run } from "./run.mjs";

const SKIPPED = 77;
const PACKAGES = ["esbuild@0.28", "rollup@4", "@rollup/plugin-node-resolve@16", "vite@8", "vite7@npm:vite@7", "webpack@5", "webpack-cli@6", "parcel@2.16", "jest@30",
  "jest-environment-jsdom@30", "vitest@4", "deno@2", "bun@1", "typescript@5.9"];
const { FORKMUNK_NPM: npm = "npm", FORKMUNK_CHROMIUM: executablePath, FORKMUNK_NODE_MODULES: modules } = process.env;
const project = process.env.FORKMUNK_TOOLCHAINS ?? mkdtempSync(join(tmpdir(), "forkmunk_tools_")); // a given one is kept
if (process.env.FORKMUNK_TOOLCHAINS === undefined) process.on("exit", () => rmSync(project, { recursive: true, force: true }));

const inProject = (program, ...given) => {
  const { status, stdout, stderr } = spawnSync(program, given, { cwd: project, encoding: "utf8", env: { ...process.env, NODE_ENV: "", CI: "1" } });
  assert.equal(status, 0, `${program} ${given.join(" ")}\n${stdout}${stderr}`);
  return stdout;
};
const tool = (name, ...given) => inProject(join(project, "node_modules/.bin", name), ...given);
const write = (name, text) => {
  mkdirSync(join(project, name, ".."), { recursive: true });
  writeFileSync(join(project, name), text);
};

const GAME = `
  const { Space, Body, Circle, Segment } = await load();
  const space = new Space(), ball = new Body(1, 10);
  space.gravity = { x: 0, y: -100 };
  ball.position = { x: 1, y: 20 };
  space.add(new Segment(space.staticBody, { x: -50, y: 0 }, { x: 50, y: 1 }, 1), ball, new Circle(ball, 3));
  ball.userData = { name: "é" };
  const saved = space.save(), go = () => { for (let i = 0; i < 90; ++i) space.step(1 / 60); return space.hash().toString(16); };
  const hash = go();
  space.restore(saved);
  if (go() !== hash || ball.position.y > 5 || ball.userData.name !== "é") throw new Error("another hash after a restore");
  space.toBytes();
  return hash;
`;
const SHOW = "play().then((hash) => { document.title = `ok ${hash}`; }, (error) => { document.title = `failed: ${error.stack}`; });\n";
const FILES = {
  "package.json": '{ "name": "game", "private": true }',
  "game.mjs": `import { load } from "forkmunk";\nexport async function play() {${GAME}}\n`,
  "game.cjs": `const { load } = require("forkmunk");\nexports.play = async () => {${GAME}};\n`,
  "page.mjs": `import { play } from "./game.mjs";\n${SHOW}`,
  "single.mjs": `import { load } from "forkmunk";\nimport { play as playDouble } from "./game.mjs";\nconst play = () => load({ precision: "single" }).then(playDouble);\n${SHOW}`,
  "worker.mjs": 'import { play } from "./game.mjs";\nplay().then((hash) => postMessage(`ok ${hash}`), (error) => postMessage(`failed: ${error.stack}`));\n',
  "with_worker.mjs": 'new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" }).onmessage = ({ data }) => (document.title = data);\n',
  "index.html": '<!doctype html><script type="module" src="./page.mjs"></script>',
  "single.html": '<!doctype html><script type="module" src="./single.mjs"></script>',
  "worker.html": '<!doctype html><script type="module" src="./with_worker.mjs"></script>',
  "map.html": '<!doctype html><script type="importmap">{ "imports": { "forkmunk": "./node_modules/forkmunk/index.mjs" } }</script><script type="module" src="./page.mjs"></script>',
  "print.mjs": 'import { play } from "./game.mjs";\nconsole.log(await play());\n',
  "print.cjs": 'require("./game.cjs").play().then(console.log);\n',
  "built/index.html": '<!doctype html><script type="module" src="./page.js"></script>',
  "own.test.mjs": 'import test from "node:test";\nimport { play } from "./game.mjs";\ntest("plays", async () => console.log("hash", await play()));\n',
  "vitest/game.test.mjs": 'import { expect, test } from "vitest";\nimport { play } from "../game.mjs";\ntest("plays", async () => expect(await play()).toBe(process.env.HASH));\n',
  "jest/game.test.js": 'const { play } = require("../game.cjs");\ntest("plays", async () => expect(await play()).toBe(process.env.HASH));\n',
  "jest/dom.test.js": '/** @jest-environment jsdom */\nconst { play } = require("../game.cjs");\ntest("plays", async () => expect(await play()).toBe(process.env.HASH));\n',
  "types/game.ts": 'import { load, RollbackSession, type Space } from "forkmunk";\ninterface Stats { hp: number }\nconst stats: Stats = { hp: 1 };\n'
    + 'export const made: Promise<Space> = load().then(({ Space, Body }) => { const body = new Body(1, 1); body.userData = stats; body.type = "static"; return new Space(); });\nexport { RollbackSession };\n',
};

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".cjs": "text/javascript", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
  const file = join(project, new URL(request.url, "http://localhost").pathname);
  if (!existsSync(file)) return response.writeHead(404).end();
  response.setHeader("content-type", TYPES[extname(file)] ?? "text/plain").end(readFileSync(file));
});
let browser, expected;

async function onPage(address) {
  const page = await browser.newPage(), output = [];
  page.on("console", (message) => output.push(message.text()));
  page.on("pageerror", (error) => output.push(error.stack));
  try {
    await page.goto(address);
    await page.waitForFunction(() => /^(ok|failed)/.test(document.title), null, { timeout: 300_000 }).catch(() => {});
    assert.equal(await page.title(), `ok ${expected}`, output.join("\n"));
  } finally {
    await page.close();
  }
}
const served = (path) => onPage(`http://127.0.0.1:${server.address().port}/${path}`);
/** Opens pages of a development server, which prints its address. */
async function developed(name, given, paths) {
  const child = spawn(join(project, "node_modules", name), given, { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await new Promise((found, failed) => {
      let text = "";
      child.stdout.on("data", (data) => {
        text += data;
        const match = /http:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(text.replace(/\x1b\[\d+m/g, ""));
        if (match) found(match[0]);
      });
      child.on("exit", () => failed(new Error(text)));
    });
    for (const path of paths) await onPage(`${address}/${path}`);
  } finally {
    child.kill();
  }
}
const prints = (text) => assert.match(text, new RegExp(`\\b${expected}\\b`));
const vite = (name) => ({
  async [`${name} build, page and worker`]() {
    write("vite.config.mjs", 'export default { base: "./", build: { outDir: "built_vite", rollupOptions: { input: ["index.html", "worker.html", "single.html"] } } };\n');
    inProject(join(project, "node_modules", name, "bin/vite.js"), "build");
    for (const page of ["index", "worker", "single"]) await served(`built_vite/${page}.html`);
  },
  async [`${name} dev, page and worker`]() {
    rmSync(join(project, "vite.config.mjs"), { force: true });
    rmSync(join(project, "node_modules/.vite"), { recursive: true, force: true });
    await developed(`${name}/bin/vite.js`, ["--host", "127.0.0.1"], ["index.html", "worker.html", ...(name === "vite" ? ["single.html"] : [])]);
  },
});

const tests = {
  "node, import"() {
    expected = inProject(process.execPath, "print.mjs").trim();
    process.env.HASH = expected;
    assert.match(expected, /^[0-9a-f]{8,16}$/);
  },
  "node, require": () => prints(inProject(process.execPath, "print.cjs")),
  "node --test": () => prints(inProject(process.execPath, "--test", "own.test.mjs")),
  "vitest": () => tool("vitest", "run", "--dir", "vitest"),
  "jest, also with jsdom": () => tool("jest", "--rootDir", "jest"),
  "deno, without permissions": () => prints(tool("deno", "run", "--no-prompt", "print.mjs")),
  "bun": () => prints(tool("bun", "print.mjs")),
  "typescript"() {
    const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--typeRoots", "types", "types/game.ts"];
    write("types/package.json", '{ "type": "commonjs" }');
    tool("tsc", ...options, "--module", "node16");
    tool("tsc", ...options, "--module", "commonjs", "--moduleResolution", "node10");
    tool("tsc", ...options, "--module", "esnext", "--moduleResolution", "bundler");
    write("types/package.json", '{ "type": "module" }');
    tool("tsc", ...options, "--module", "nodenext");
  },
  "a page with an import map": () => served("map.html"),
  async "esbuild"() {
    tool("esbuild", "page.mjs", "--bundle", "--format=esm", "--outfile=built/page.js", "--log-level=error");
    await served("built/index.html");
  },
  async "rollup"() {
    tool("rollup", "page.mjs", "--plugin", "node-resolve", "--file", "built/page.js", "--silent");
    await served("built/index.html");
  },
  async "bun build"() {
    tool("bun", "build", "page.mjs", "--outfile", "built/page.js");
    await served("built/index.html");
  },
  async "webpack, page and worker"() {
    for (const entry of ["page", "with_worker", "single"]) {
      const output = tool("webpack", "--mode", "production", "--entry", `./${entry}.mjs`, "--output-path", "built", "--output-filename", "page.js");
      assert.doesNotMatch(output, /WARNING in .*forkmunk/);
      await served("built/index.html");
    }
  },
  async "parcel, page and worker"() {
    rmSync(join(project, ".parcel-cache"), { recursive: true, force: true });
    tool("parcel", "build", "index.html", "worker.html", "--dist-dir", "built_parcel", "--public-url", "./");
    await served("built_parcel/index.html");
    await served("built_parcel/worker.html");
  },
  ...vite("vite"),
  ...vite("vite7"),
};

for (const [name, text] of Object.entries(FILES)) write(name, text);
const packed = JSON.parse(execFileSync(npm, ["pack", "--json", "--pack-destination", project], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))[0];
const install = spawnSync(npm, ["install", "--no-audit", "--no-fund", "--loglevel=error", `./${packed.filename}`, ...PACKAGES], { cwd: project, encoding: "utf8" });
if (install.status !== 0) {
  console.log(`skipped: npm cannot install the tools: ${install.stderr.trim().split("\n")[0]}`);
  process.exit(SKIPPED);
}
if (!executablePath || !existsSync(executablePath)) {
  console.log("skipped: chromium is not installed (scripts/install_deps)");
  process.exit(SKIPPED);
}
browser = await createRequire(join(modules, "package.json"))("playwright-core").chromium.launch({ executablePath, args: ["--no-sandbox"] });
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const wanted = process.argv.slice(2);
await run(Object.fromEntries(Object.entries(tests).filter(([name], i) => i === 0 || wanted.length === 0 || wanted.some((each) => name.startsWith(each)))));
await browser.close();
server.close();
