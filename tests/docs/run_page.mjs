// SPDX-License-Identifier: MIT
// node run_page.mjs PACKAGE NAME=PATH...: opens the last file as two players in Chromium, who reach frame 100 without a
// desync. FORKMUNK_PICTURE: the output file of docs/pictures/football.png.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";

const { FORKMUNK_CHROMIUM: executablePath, FORKMUNK_NODE_MODULES: modules, FORKMUNK_PICTURE: picture } = process.env;
if (!executablePath || !existsSync(executablePath) || !existsSync(join(modules, "node_modules/playwright-core"))) {
  console.log("skipped: chromium or playwright-core is not installed (scripts/install_deps)");
  process.exit(77);
}
const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");
const [folder, ...given] = process.argv.slice(2);
const files = new Map(given.filter(Boolean).map((file) => [`/${file.split("=")[0]}`, file.slice(file.indexOf("=") + 1)]));
const page = [...files.keys()].at(-1);
const TYPES = { ".mjs": "text/javascript", ".html": "text/html" };
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const file = files.get(pathname) ?? join(folder, pathname.replace("/node_modules/forkmunk/", ""));
  if (!existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[extname(pathname)] ?? "application/octet-stream" });
  response.end(readFileSync(file));
});
await new Promise((done) => server.listen(0, "localhost", done));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const problems = [];
try {
  const context = await browser.newContext({ viewport: { width: 660, height: 420 } });
  const players = await Promise.all([0, 1].map(async (seat) => {
    const player = await context.newPage();
    player.on("console", (message) => message.text().includes("favicon") || message.location().url.endsWith("favicon.ico") || problems.push(message.text()));
    player.on("pageerror", (error) => problems.push(error.stack));
    await player.goto(`http://localhost:${server.address().port}${page}#${seat}`);
    return player;
  }));
  const wait = (player, text) => player.waitForFunction((pattern) => new RegExp(pattern).test(document.body.textContent), text, { timeout: 300_000 });
  for (let i = 0; i < 3; ++i) { // the other player cannot predict these keys
    await players[0].keyboard.down("ArrowRight");
    await wait(players[1], `frame ${i ? "[1-9]" : ""}[1-9]\\d`);
    await players[0].keyboard.up("ArrowRight");
    await players[1].keyboard.press("ArrowUp", { delay: 100 });
  }
  for (const player of players) await wait(player, "frame [1-9]\\d\\d");
  for (const player of players) console.log(await player.textContent("p"));
  assert.deepEqual(problems, []);
  if (picture) {
    const shots = await Promise.all(players.map(async (player) => (await player.screenshot()).toString("base64")));
    const both = await browser.newPage({ viewport: { width: 900, height: 280 } });
    await both.setContent(`<body style="margin: 0; background: #ccc">${shots.map((shot) => `<img width="445" style="margin-right: 5px" src="data:image/png;base64,${shot}">`).join("")}`);
    await both.screenshot({ path: picture });
  }
} finally {
  await browser.close();
  server.close();
}
