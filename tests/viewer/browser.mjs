// SPDX-License-Identifier: MIT

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

const SKIPPED = 77;

const environment = process.env;
export const artefacts = environment.FORKMUNK_ARTEFACTS;
mkdirSync(artefacts, { recursive: true });

const scratch = mkdtempSync(join(tmpdir(), "forkmunk_page_"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

export const inScratch = (name) => join(scratch, name);

export function program(...options) {
  return execFileSync(environment.FORKMUNK_PROGRAM, options, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

export const carried = (name) => environment.FORKMUNK_RECORDINGS.split(":").map((folder) => join(folder, name)).find(existsSync);

export const load = (path) => JSON.parse(gunzipSync(readFileSync(path)).toString());

export function store(name, value) {
  const path = inScratch(name);
  writeFileSync(path, gzipSync(JSON.stringify(value)));
  return path;
}

/** The page is made once; without a recording it is empty. */
export function pageOf(recording, name = "page.html") {
  const path = inScratch(name);
  if (existsSync(path)) return path;
  program("view", ...(recording === undefined ? [] : [recording]), "-o", path);
  return path;
}

export function sceneOf(recording, ...options) {
  const page = recording.replace(/\.fmrec$/, ".html");
  program("scene", recording, "-o", page, ...options);
  return page;
}

/** 200 boxes and 600 steps. */
export async function largeScene() {
  const { load } = await import(pathToFileURL(environment.FORKMUNK_JS).href);
  const fm = await load();
  const space = new fm.Space();
  space.gravity = { x: 0, y: -100 };
  space.createBody({ type: "static", shapes: [{ a: { x: -400, y: 0 }, b: { x: 400, y: 0 }, radius: 1, friction: 1 }] });
  for (let i = 0; i < 200; ++i) space.createBody({ position: { x: 11 * (i % 20) - 110, y: 6 + 11 * Math.floor(i / 20) }, shapes: [{ width: 10, height: 10, friction: 0.7 }] });
  const recorder = new fm.Recorder(space);
  for (let i = 0; i < 600; ++i) {
    if (i === 300) space.bodies[199].velocity = { x: -300, y: 0 };
    space.step(1 / 60);
  }
  const path = inScratch("boxes.fmrec");
  writeFileSync(path, recorder.recording.toBytes());
  return sceneOf(path);
}

/** Joins matches of three recordings. */
export function longGame(tickCount) {
  const parts = ["strict_build/game09", "strict_build/game10", "strict_build/game04"].map((name) => load(carried(`${name}.visio.gz`)));
  const long = { config: parts[0].config, visio_info: [], commands: [] };
  let ticks = 0;
  for (const part of parts) {
    let own = 0;
    for (const event of part.visio_info) {
      if (event.type === "end_game" || ticks === tickCount) continue;
      if (event.type === "tick") {
        event.params.tick_num = ticks++;
        long.commands.push(part.commands[own++]);
      }
      long.visio_info.push(event);
    }
  }
  return store("long.visio.gz", long);
}

export function ticksOf(recording) {
  return recording.visio_info.filter((event) => event.type === "tick").map((event) => event.params);
}

export function startsOf(recording) {
  const starts = [];
  let index = 0;
  for (const { type } of recording.visio_info) {
    if (type === "new_match") starts.push(index);
    if (type === "tick") ++index;
  }
  return starts;
}

export function numbersOf({ cars, deadline_position: deadline }) {
  return ["1", "2"].flatMap((side) => {
    const [[x, y], angle, , rear, front] = cars[side];
    return [x, y, angle, ...rear, ...front];
  }).concat(deadline);
}

let browser;
const problems = [];

/** Console output fails the test, unless the test removes it from `problems`. */
export async function open(path, { width = 1200, height = 800, scheme = "light", ratio = 1, hash = "", prepare = async () => {} } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, deviceScaleFactor: ratio });
  context.setDefaultTimeout(300_000); // a busy machine
  const page = await context.newPage();
  page.on("console", (message) => problems.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.stack}`));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) problems.push(`the page asked for ${request.url()}`);
  });
  await prepare(page);
  await page.goto(pathToFileURL(path).href + hash);
  await page.evaluate(() => window.forkmunk?.ready); // undefined on pages of charts
  await settled(page);
  return page;
}

export const state = (page) => page.evaluate(() => window.forkmunk.state());

export async function settled(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** The page handles the link some frames later. */
export async function follow(page, hash) {
  await page.evaluate((to) => new Promise((done) => {
    if (location.hash === to) return done();
    addEventListener("hashchange", done, { once: true });
    location.hash = to;
  }), hash);
  await settled(page);
}

export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await settled(page);
}

export async function screenshot(page, name) {
  await page.screenshot({ path: join(artefacts, `${name}.png`) });
}

export async function drop(page, path, name = path.split("/").pop()) {
  const transfer = await page.evaluateHandle(([text, fileName]) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], fileName));
    return data;
  }, [readFileSync(path).toString("base64"), name]);
  await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  await page.waitForFunction(() => !document.body.classList.contains("busy"));
  await settled(page);
}

/** Returns elements with overflowing text and controls beyond the page's edge. */
export function cutOff(page) {
  return page.evaluate(() => {
    const found = [];
    const name = (element) => `${element.tagName} ${element.id || element.className} "${element.textContent.slice(0, 30)}"`;
    for (const element of document.querySelectorAll("button, th, td, dt, dd, h2, h3, #clock, #caption, #verdict, #outcome, #offer-text, #driving-note, .branch-name, .badge")) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || element.closest("[hidden], dialog:not([open])")) continue;
      if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline") found.push(name(element));
      const frame = element.closest(".readout, .chart, #match-frame, header, #scene")?.getBoundingClientRect();
      if (frame !== undefined && (box.right > frame.right + 1 || box.left < frame.left - 1)) found.push(`out of its frame: ${name(element)}`);
      if (box.right > document.documentElement.clientWidth + 1 || box.left < -1) found.push(`beyond the edge: ${name(element)}`);
    }
    if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    return found;
  });
}

/** Returns the broken rules and their elements. */
export async function audit(page) {
  await page.evaluate(readFileSync(createRequire(join(environment.FORKMUNK_NODE_MODULES, "package.json")).resolve("axe-core/axe.min.js"), "utf8"));
  return page.evaluate(async () => (await window.axe.run(document, { resultTypes: ["violations"] })).violations
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`));
}

export function overlaps(page) {
  return page.evaluate(() => {
    const controls = [...document.querySelectorAll("button, select, #scrub, #clock, #caption, #outcome, #offer-text, #futures-legend, #take-over-note")]
      .filter((e) => e.offsetParent !== null && !e.closest("#numbers, dialog") && getComputedStyle(e).visibility === "visible")
      .map((e) => [e.id, e.getBoundingClientRect()]);
    return controls.flatMap(([a, p], i) => controls.slice(i + 1)
      .filter(([, q]) => p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1)
      .map(([b]) => `${a} and ${b}`));
  });
}

function missing() {
  if (!environment.FORKMUNK_CHROMIUM || !existsSync(environment.FORKMUNK_CHROMIUM)) return "chromium";
  if (!existsSync(join(environment.FORKMUNK_NODE_MODULES, "node_modules", "playwright-core"))) return "playwright-core";
  return null;
}

export async function run(tests) {
  if (missing() !== null) {
    console.log(`skipped: ${missing()} is not installed (scripts/install_deps)`);
    process.exit(SKIPPED);
  }
  const require = createRequire(join(environment.FORKMUNK_NODE_MODULES, "package.json"));
  const { chromium } = require("playwright-core");
  browser = await chromium.launch({ executablePath: environment.FORKMUNK_CHROMIUM, args: ["--no-sandbox"] });
  let failures = 0;
  for (const [name, test] of Object.entries(tests)) {
    const start = Date.now();
    problems.length = 0;
    try {
      await test(problems);
      if (problems.length > 0) throw new Error(problems.join("\n"));
      console.log(`ok      ${name} (${Date.now() - start} ms)`);
    } catch (error) {
      ++failures;
      console.log(`FAILED  ${name}\n${error.stack}`);
    }
    for (const context of browser.contexts()) await context.close();
  }
  await browser.close();
  process.exitCode = failures === 0 ? 0 : 1;
}
