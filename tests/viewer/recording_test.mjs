// SPDX-License-Identifier: MIT
// The page of a recorded scene: from C++, JavaScript and Python.

import { execFileSync } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

import { cutOff, inScratch, open, press, program, run, screenshot, settled, state } from "./browser.mjs";

const { FORKMUNK_RECORD_SCENE, FORKMUNK_JS, FORKMUNK_PYTHON, FORKMUNK_PYTHON_PATH, FORKMUNK_PYTHON_SCENE } = process.env;

function pageOf(recording, ...options) {
  const page = recording.replace(/\.fmrec$/, ".html");
  program("scene", recording, "-o", page, ...options);
  return page;
}
const pages = {};
function nativePage() {
  if (pages.native === undefined) {
    const path = inScratch("tower.fmrec");
    execFileSync(FORKMUNK_RECORD_SCENE, [path]);
    pages.native = pageOf(path);
  }
  return pages.native;
}
const verified = (page) => page.waitForFunction(() => window.forkmunk.state().isVerified);
async function seek(page, step) {
  await page.evaluate((to) => window.forkmunk.seek(to), step);
  await settled(page);
}

/** 200 boxes and 600 steps, recorded in JavaScript. */
async function largePage() {
  const { load } = await import(pathToFileURL(FORKMUNK_JS).href);
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
  return pageOf(path);
}

await run({
  async "a recording of the native library is verified by the page"() {
    const page = await open(nativePage());
    await verified(page);
    const { first, last, verdicts } = await state(page);
    assert.deepEqual([first, last], [0, 300]);
    assert.deepEqual(verdicts.map(({ exact, reason }) => [exact, reason]), [[true, ""], [true, ""], [true, ""]]);
    assert.equal(await page.textContent("#verdict"), "exact");
    await screenshot(page, "recording");
  },
  async "an object's fields, curves and name are shown"() {
    const page = await open(nativePage());
    await page.fill("#search", "ball");
    await page.click("#objects button");
    await seek(page, 61);
    assert.match(await page.textContent("#selected"), /^ball \(dynamic body \d+\)$/);
    const fields = await page.$$eval("#fields dt", (terms) => Object.fromEntries(terms.map((term) => [term.textContent, term.nextSibling.textContent])));
    assert.equal(fields.mass, "8");
    assert.match(fields.velocity, /^x 49\d|^x 500/);
    for (const name of ["angle", "position", "angularVelocity", "force", "torque", "moment", "isSleeping"]) assert.ok(name in fields, name);
    assert.deepEqual(await page.$$eval(".chart h2", (titles) => titles.map(({ textContent }) => textContent)), ["x", "y", "Angle, rad", "Speed", "speed of the ball"]);
    await page.click("#next-mark");
    await settled(page);
    assert.equal((await state(page)).step, 60);
  },
  async "keys, the scrub bar and the camera move what is drawn"() {
    const page = await open(nativePage());
    await press(page, "ArrowRight", "ArrowRight", "ArrowLeft");
    assert.equal((await state(page)).step, 1);
    await press(page, "End");
    assert.equal((await state(page)).step, 300);
    const box = await (await page.$("#scrub")).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await settled(page);
    assert.equal((await state(page)).step, 150);
    const before = await state(page);
    await press(page, "+", "d");
    const after = await state(page);
    assert.ok(after.zoom > before.zoom && after.origin.x !== before.origin.x);
    await press(page, "Space");
    await page.waitForFunction((from) => window.forkmunk.state().step > from, 150);
  },
  async "a click selects what lies under it"() {
    const page = await open(nativePage());
    await verified(page); // the layout is then final
    await settled(page);
    const { scale, origin, frame } = await state(page);
    const stage = await (await page.$("#scene")).boundingBox();
    const at = (i) => [stage.x + origin.x + scale * frame.step.poses[3 * i], stage.y + origin.y - scale * frame.step.poses[3 * i + 1]];
    await page.mouse.click(...at(4));
    await settled(page);
    assert.equal((await state(page)).selected.id, frame.scene.bodies[4].id);
  },
  async "a fork goes on with the engine from a changed velocity, and is exact"() {
    const page = await open(nativePage());
    await seek(page, 150);
    await page.fill("#search", "ball");
    await page.click("#objects button");
    await page.click("#fork");
    await page.fill("[name=vx]", "-400");
    await page.fill("[name=vy]", "300");
    await page.click("#edit-form button");
    await page.fill("#run-steps", "90");
    await page.click("#run");
    await verified(page);
    const branch = await state(page);
    assert.equal(branch.runs, 2);
    assert.equal(branch.last, 240);
    assert.ok(branch.verdicts.every(({ exact }) => exact));
    await press(page, "End");
    const own = (await state(page)).frame.step.poses;
    await page.click("#branches button");
    await seek(page, 240);
    const recorded = (await state(page)).frame.step.poses;
    assert.notDeepEqual(own, recorded);
    await screenshot(page, "recording-branch");
  },
  async "a body of a branch can be dragged"() {
    const page = await open(nativePage());
    await seek(page, 20);
    await page.click("#fork");
    await settled(page);
    const { scale, origin, frame } = await state(page);
    const stage = await (await page.$("#scene")).boundingBox();
    const last = frame.scene.movingCount - 1, at = (x, y) => [stage.x + origin.x + scale * x, stage.y + origin.y - scale * y];
    await page.mouse.move(...at(frame.step.poses[3 * last], frame.step.poses[3 * last + 1]));
    await page.mouse.down();
    await page.mouse.move(...at(-100, 100));
    await page.mouse.up();
    await settled(page);
    const { poses } = (await state(page)).frame.step, [x, y] = [poses[3 * last], poses[3 * last + 1]];
    assert.ok(Math.abs(x + 100) < 2 && Math.abs(y - 100) < 2, `${x} ${y}`);
  },
  async "200 bodies and 600 steps have at most 6 MB, open in 2 s and scrub"() {
    const path = await largePage();
    assert.ok(statSync(path).size <= 6e6, `${statSync(path).size} bytes`);
    const page = await open(path);
    const before = (await state(page)).framesDrawn;
    for (let step = 0; step < 60; ++step) await seek(page, 10 * step);
    assert.ok((await state(page)).framesDrawn >= before + 60);
    await verified(page);
    assert.ok((await state(page)).verdicts.every(({ exact }) => exact));
  },
  async "a recording of Python is verified, and drawn as on a screen"() {
    if (!FORKMUNK_PYTHON) return;
    const path = inScratch("push.html");
    execFileSync(FORKMUNK_PYTHON, ["-B", FORKMUNK_PYTHON_SCENE, path], { env: { ...process.env, PYTHONPATH: FORKMUNK_PYTHON_PATH } });
    const page = await open(path);
    await verified(page);
    const { verdicts, last } = await state(page);
    assert.equal(last, 300);
    assert.deepEqual(verdicts.map(({ exact, reason }) => [exact, reason]), verdicts.map(() => [true, ""]));
    await screenshot(page, "recording-python");
  },
  async "phones and the dark theme"() {
    const page = await open(nativePage(), { width: 390, height: 800, scheme: "dark" });
    assert.equal((await state(page)).dark, true);
    assert.deepEqual(await cutOff(page), []);
    await screenshot(page, "recording-phone");
  },
});
