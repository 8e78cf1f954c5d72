// SPDX-License-Identifier: MIT
// Tests the example browser_server.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { folder, run } from "../js/run.mjs";

const { FORKMUNK_CHROMIUM: executablePath, FORKMUNK_NODE_MODULES: modules, FORKMUNK_SERVER: program, FORKMUNK_SERVER_PAGES: pages } = process.env;
const SKIPPED = 77;
if (!executablePath || !existsSync(executablePath) || !existsSync(join(modules, "node_modules/playwright-core"))) {
  console.log("skipped: chromium or playwright-core is not installed (scripts/install_deps)");
  process.exit(SKIPPED);
}
const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");

const server = spawn(program, [folder, pages, "0"], { stdio: ["ignore", "pipe", "inherit"] });
const lines = [], problems = [];
const address = await new Promise((done) => createInterface({ input: server.stdout }).on("line", (line) => {
  lines.push(line);
  if (lines.length === 1) done(line);
}));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-background-timer-throttling"] });
const context = await browser.newContext();
context.setDefaultTimeout(300_000); // a busy machine

async function open() {
  const page = await context.newPage();
  page.on("console", (message) => problems.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.stack}`));
  await page.goto(address);
  await page.waitForFunction(() => window.game !== undefined);
  return page;
}
const stateOf = (page) => page.evaluate(() => {
  const { seat, session, space } = window.game;
  return { seat, frame: session.frame, isPlaying: session.isPlaying, checksums: session.stats.checksums, x: space.bodies[seat === null ? 0 : seat - 1].position.x, text: document.querySelector("#status").textContent, desync: session.desync?.difference ?? null };
});
const until = (page, test, value) => page.waitForFunction(test, value);
const isPlaying = () => window.game.session.isPlaying;

await run({
  async "plays with tabs that come, leave, return and watch"() {
    const [first, second] = [await open(), await open()];
    for (const page of [first, second]) await until(page, isPlaying);
    assert.deepEqual((await Promise.all([first, second].map(stateOf))).map(({ seat }) => seat), [1, 2]);
    await first.evaluate(() => window.game.press(2));
    await second.evaluate(() => window.game.press(1));
    await until(first, () => window.game.space.bodies[0].position.x > 150 && window.game.space.bodies[1].position.x < 490);
    await until(second, () => window.game.space.bodies[0].position.x > 150 && window.game.space.bodies[1].position.x < 490);
    const others = [await open(), await open()];
    for (const page of others) await until(page, isPlaying);
    const watching = await open();
    await until(watching, () => window.game.session.frame > 0);
    assert.equal((await stateOf(watching)).seat, null);
    await second.close();
    await until(first, () => window.game.session.wait === null);
    const again = await open();
    await until(again, isPlaying);
    assert.equal((await stateOf(again)).seat, 2);
    await again.evaluate(() => window.game.press(4));
    for (const page of [first, ...others, again]) await until(page, (count) => window.game.session.stats.checksums >= count, (await stateOf(page)).checksums + 12);
    const frame = (await stateOf(first)).frame;
    await until(watching, (least) => window.game.session.frame >= least, frame);
    for (const page of [first, ...others, again, watching]) {
      const state = await stateOf(page);
      assert.equal(state.desync, null);
      assert.match(state.text, state.seat === null ? /You watch/ : new RegExp(`player ${state.seat}`));
    }
    assert.deepEqual(problems, []);
    const joined = lines.filter((line) => /joins/.test(line)).map((line) => Number(/player (\d)/.exec(line)[1])), left = lines.filter((line) => /leaves/.test(line)).map((line) => Number(/player (\d)/.exec(line)[1]));
    assert.deepEqual([joined, left], [[1, 2, 3, 4, 2], [2]]);
    assert.ok(lines.every((line) => !/differs/.test(line)), lines.join("\n"));
    for (const page of context.pages()) await page.close();
  },

  async "plays on where a connection is not read"() {
    const { hostname, port } = new URL(address), join = () => new Promise((done) => {
      const socket = connect(port, hostname).once("data", () => done(socket.pause()));
      socket.write("GET /play HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
    });
    const sockets = [await join(), await join(), await join()], [, sender, reader] = sockets, message = Buffer.alloc(14 + 2 ** 24);
    message.set([0x82, 0xff, 0, 0, 0, 0, 1]); // of 2^24 bytes, more than the system keeps for the first socket
    sender.write(message);
    let bytes = 0, later = 0;
    await new Promise((done) => reader.on("data", ({ length }) => (bytes += length) > 2 ** 24 && ++later === 60 && done()).resume());
    const ended = new Promise((done) => sockets[0].once("close", done));
    sockets[0].resume().write(Buffer.of(0x82, 0x81, 0, 0, 0, 0, 1));
    await ended;
    for (const socket of sockets) socket.destroy();
  },

  async "releases the keys when the window is left"() {
    const page = await open(), inputIs = (bits) => until(page, (expected) => window.input === expected, bits);
    await page.evaluate(() => {
      const { session } = window.game, tick = session.tick.bind(session);
      session.tick = (input) => tick(Uint8Array.of(window.input = input[0]));
    });
    await page.keyboard.down("ArrowRight");
    await inputIs(2);
    await page.evaluate(() => dispatchEvent(new Event("blur")));
    await inputIs(0);
    await page.close();
  },

  async "refuses other sites"() {
    const page = await context.newPage();
    await page.goto("data:text/html,<title>other</title>");
    const opened = await page.evaluate((url) => new Promise((done) => {
      const socket = new WebSocket(url);
      socket.onopen = () => done(true);
      socket.onerror = () => done(false);
    }), address.replace("http", "ws") + "play");
    assert.equal(opened, false);
    const names = await Promise.all(["forkmunk/../server.cpp", "../../CMakeLists.txt", "forkmunk/../../CMakeCache.txt"].map((name) => fetch(address + name.replaceAll("../", "%2e%2e/")).then(({ status }) => status)));
    assert.ok(names[1] !== 200 && names[2] !== 200, String(names));
  },

  async "ends when it is asked to"() {
    const page = await open(), ended = new Promise((done) => server.once("exit", (code) => done(code)));
    server.kill("SIGTERM");
    assert.equal(await ended, 0);
    await until(page, () => document.querySelector("#status").textContent.startsWith("The server has gone"));
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.match((await stateOf(page)).text, /^The server has gone/);
    await browser.close();
  },
});
server.kill("SIGKILL");
process.exit(process.exitCode);
