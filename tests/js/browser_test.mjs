// SPDX-License-Identifier: MIT
// The package and its demo in Chromium. FORKMUNK_JS_FRAMES sets the frames of each game.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";

import { play } from "./random_scene.mjs";
import { folder, load, random, run } from "./run.mjs";

const { FORKMUNK_CHROMIUM: executablePath, FORKMUNK_NODE_MODULES: modules, FORKMUNK_ARTEFACTS: artefacts } = process.env;
const SKIPPED = 77; // ctest's SKIP_RETURN_CODE
const FRAMES = Number(process.env.FORKMUNK_JS_FRAMES ?? 300);
if (!executablePath || !existsSync(executablePath) || !existsSync(join(modules, "node_modules/playwright-core"))) {
  console.log("skipped: chromium or playwright-core is not installed (scripts/install_deps)");
  process.exit(SKIPPED);
}
const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");
const golden = [...readFileSync(process.env.FORKMUNK_GOLDEN_HASHES, "utf8").matchAll(/0x([0-9a-f]{16})u/g)].slice(0, 3).map(([, digits]) => BigInt(`0x${digits}`).toString());

const SCRIPTS = ["scenes.mjs", "random_scene.mjs", "data_channel_page.mjs", "../../bindings/js/demo/line.mjs", "../../bindings/js/demo/game.mjs"];
const TYPES = { ".mjs": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const name = pathname.slice(1).replace("demo/", "../../bindings/js/demo/");
  const file = SCRIPTS.includes(name) ? new URL(name, import.meta.url) : join(folder, name);
  if (name === "favicon.ico") return response.writeHead(204).end();
  if (name === "empty.html") return response.setHeader("content-type", "text/html").end("<!doctype html><title>empty</title>");
  if (!existsSync(file)) return response.writeHead(404).end();
  response.setHeader("content-type", TYPES[extname(name)] ?? "text/plain").end(readFileSync(file));
}).listen(0, "127.0.0.1");
await new Promise((done) => server.once("listening", done));
const address = `http://127.0.0.1:${server.address().port}`;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--allow-loopback-in-peer-connection", "--disable-features=WebRtcHideLocalIpsWithMdns"] });
mkdirSync(artefacts, { recursive: true });

const problems = [];
async function open(context, path) {
  const page = await context.newPage();
  page.on("console", (message) => problems.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.stack}`));
  await page.goto(`${address}/${path}`);
  return page;
}
/** Stops the demo's clock, a worker, so that only run() ticks and the machine's speed changes no frame. */
const withoutClock = (context) => context.addInitScript(() => (window.Worker = class {}));
async function openDemo(context, path) {
  const page = await open(context, path);
  await page.waitForFunction(() => window.forkmunk !== undefined);
  return page;
}
const tested = (test, options = {}) => async () => {
  problems.length = 0;
  const context = await browser.newContext(options);
  context.setDefaultTimeout(300_000); // a busy machine
  try {
    await test(context);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
  }
};

const tests = {
  "has the native hashes": tested(async (context) => {
    const page = await open(context, "empty.html");
    for (const entry of ["index", "separate"]) {
      const hashes = await page.evaluate(async (name) => {
        const { load } = await import(`/${name}.mjs`);
        const { goldenHashes } = await import("/scenes.mjs");
        return goldenHashes(await load(), (space, step) => (step % 50 === 7 ? space.fork() : undefined)).map(String);
      }, entry);
      assert.deepEqual(hashes, golden, entry);
    }
  }),

  "names a remedy where it has no files": tested(async (context) => {
    const page = await open(context, "empty.html");
    const problem = await page.evaluate(async () => {
      const { Recorder, Space } = await (await import("/index.mjs")).load(), space = new Space(), recorder = new Recorder(space);
      space.step(0);
      return recorder.save("run.fmrec").then(String, String);
    });
    assert.match(problem, /^ForkmunkError: Recorder.save\(\): .*recording.toBytes\(\)$/);
  }),

  "has the hashes of random scenes": tested(async (context) => {
    const page = await open(context, "empty.html"), fm = await load();
    for (const [seed, way] of [[1, "plain"], [2, "rewind"], [3, "fork"], [4, "bytes"]]) {
      const hashes = await page.evaluate(async ([seedOfScene, wayOfScene]) => {
        const { load: loadHere } = await import("/index.mjs");
        const { play: playHere } = await import("/random_scene.mjs");
        const { random: randomHere } = await import("/demo/line.mjs");
        return playHere(await loadHere(), randomHere(seedOfScene), wayOfScene).hashes;
      }, [seed, way]);
      assert.deepEqual(hashes, play(fm, random(seed), "plain").hashes, `scene ${seed}, ${way}`);
    }
  }),

  "plays on one page, and reports a forced desync": tested(async (context) => {
    await withoutClock(context);
    const page = await openDemo(context, "demo.html");
    const before = await page.evaluate((frames) => window.forkmunk.run(frames), FRAMES);
    for (const { frame, stats, desync } of before) {
      assert.ok(frame >= FRAMES && stats.rollbacks > 0 && stats.checksums > 0, JSON.stringify(stats));
      assert.equal(desync, null);
    }
    await page.screenshot({ path: join(artefacts, "demo.png") });
    await page.click("#spoil");
    await page.evaluate((frames) => window.forkmunk.run(frames), FRAMES + 120);
    const after = await page.evaluate(() => window.forkmunk.state());
    assert.ok(after.every(({ desync }) => / differs/.test(desync?.difference)), JSON.stringify(after));
    assert.match(await page.textContent("#desync"), /^Desync before frame \d+: .* differs: [^\n]*, and \d+ more$/);
    console.log(await page.textContent("#desync"));
  }),

  "is played by touch on a phone in the dark": tested(async (context) => {
    await withoutClock(context);
    const page = await openDemo(context, "demo.html");
    await page.evaluate(() => window.forkmunk.run(30));
    assert.equal(await page.locator("main h1").count(), 1); // the landmark has all of the page
    assert.equal(await page.locator("body > :not(main, script)").count(), 0);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(27, 27, 26)");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    const places = [];
    for (const key of ["left", "right"]) {
      const button = page.locator(`#player0 [data-key=${key}]`);
      await button.dispatchEvent("pointerdown");
      const frames = (await page.evaluate(() => window.forkmunk.state()))[0].frame + 40;
      places.push((await page.evaluate((until) => window.forkmunk.run(until), frames))[0].x);
      await button.dispatchEvent("pointerup");
      assert.ok(await button.isVisible());
    }
    assert.ok(places[0] < places[1] - 10, String(places));
    assert.equal(await page.locator("#pilot").isChecked(), false);
    await page.screenshot({ path: join(artefacts, "demo_phone.png"), fullPage: true });
  }, { colorScheme: "dark", hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } }),

  "is played by keys, but not by those of a slider or the browser": tested(async (context) => {
    await withoutClock(context);
    const page = await openDemo(context, "demo.html"), isPiloted = () => page.locator("#pilot").isChecked();
    await page.focus("#delay");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.inputValue("#delay"), "101");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Control+d");
    assert.equal(await isPiloted(), true);
    const xAfter = async () => {
      const [{ frame }] = await page.evaluate(() => window.forkmunk.state());
      return (await page.evaluate((until) => window.forkmunk.run(until), frame + 40))[0].x;
    };
    const places = [];
    for (const key of ["a", "d"]) {
      await page.keyboard.down(key);
      places.push(await xAfter());
      assert.equal(await isPiloted(), false);
      await page.keyboard.up(key);
    }
    assert.ok(places[0] < places[1] - 10, String(places));
    await page.keyboard.down("d");
    await page.evaluate(() => window.dispatchEvent(new Event("blur")));
    assert.equal((await page.evaluate(() => window.forkmunk.state()))[0].keys, 0);
  }),

  "plays in two tabs": tested(async (context) => {
    const pages = await Promise.all([0, 1].map((tab) => openDemo(context, `demo.html#tab=${tab}`)));
    const states = await Promise.all(pages.map((page) => page.evaluate(async (frames) => {
      const state = await window.forkmunk.run(frames);
      for (let i = 0; i < 40; ++i) {
        window.forkmunk.tick();
        await new Promise((done) => setTimeout(done, 5));
      }
      return state;
    }, FRAMES)));
    for (const [{ frame, stats, desync }] of states) {
      assert.ok(frame >= FRAMES && stats.checksums > 0, JSON.stringify(stats));
      assert.equal(desync, null);
    }
    console.log(`${FRAMES} frames: ${JSON.stringify(states[0][0].stats)}`);
    await pages[0].click("#spoil");
    const after = await Promise.all(pages.map((page) => page.evaluate(async (frames) => {
      await window.forkmunk.run(frames);
      for (let i = 0; i < 100; ++i) { // the other page may need these ticks, and 100 without its state end the wait
        window.forkmunk.tick();
        await new Promise((done) => setTimeout(done, 25));
      }
      return window.forkmunk.state()[0].desync;
    }, FRAMES + 120)));
    // A busy tab may send no state, so the difference may be missing here.
    for (const desync of after) {
      assert.notEqual(desync, null);
      if (desync.difference) assert.match(desync.difference, /^body \d+: \w+ differs/);
    }
    console.log(after.map(({ difference }) => difference.split("\n", 1)[0] || "no state in time").join("; "));
  }),

  "plays on when a tab is reloaded": tested(async (context) => {
    const pages = await Promise.all([0, 1].map((tab) => openDemo(context, `demo.html#tab=${tab}`)));
    const until = async (page, what) => {
      for (let i = 0; i < 2400; ++i) {
        const [state] = await page.evaluate(() => window.forkmunk.state());
        if (what(state)) return state;
        await new Promise((done) => setTimeout(done, 50));
      }
      return assert.fail(JSON.stringify(await page.evaluate(() => window.forkmunk.state())));
    };
    for (const lost of [1, 0]) {
      const { frame } = await until(pages[1 - lost], (state) => state.isPlaying && state.confirmedFrame > 30);
      await pages[lost].reload();
      await pages[lost].waitForFunction(() => window.forkmunk !== undefined);
      for (const page of pages) await until(page, (state) => state.isPlaying && state.confirmedFrame > frame + 120 && state.desync === null);
    }
  }),

  "becomes a tab's page when its address is edited": tested(async (context) => {
    const page = await openDemo(context, "demo.html"), until = (count) => page.waitForFunction((seats) => window.forkmunk?.state().length === seats, count);
    await until(2);
    await page.goto(`${address}/demo.html#tab=1`);
    await until(1);
    await page.goBack();
    await until(2);
  }),

  "plays over a data channel": tested(async (context) => {
    const pages = await Promise.all([0, 1].map(() => open(context, "empty.html")));
    const inPage = (i, name, ...given) => pages[i].evaluate(async ([called, values]) => (await import("/data_channel_page.mjs"))[called](...values), [name, given]);
    await inPage(1, "answer", await inPage(0, "offer")).then((answer) => inPage(0, "connect", answer));
    const states = await Promise.all([0, 1].map((i) => inPage(i, "playGame", i, FRAMES)));
    for (const { frame, stats, desync } of states) {
      assert.ok(frame >= FRAMES && stats.checksums > 0, JSON.stringify(stats));
      assert.equal(desync, null);
    }
    const [, spoilt] = await Promise.all([inPage(0, "playGame", 0, FRAMES + 120, { spoils: true, differs: true }),
      inPage(1, "playGame", 1, FRAMES + 120, { differs: true })]);
    assert.match(spoilt.desync?.difference ?? "", /^body \d+: \w+ differs/);
    console.log(JSON.stringify(states[0].stats));
  }),
};

await run(tests);
await browser.close();
server.close();
