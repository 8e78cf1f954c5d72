// SPDX-License-Identifier: MIT
// Pages of scenes that C++, JavaScript and Python recorded.

import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

import { audit, cutOff, inScratch, largeScene, open, press, run, sceneOf, screenshot, settled, state } from "./browser.mjs";

const { FORKMUNK_RECORD_SCENE, FORKMUNK_JS, FORKMUNK_PYTHON, FORKMUNK_PYTHON_PATH, FORKMUNK_PYTHON_SCENE } = process.env;

const pages = {};
function nativePage() {
  if (pages.native === undefined) {
    const path = inScratch("tower.fmrec");
    execFileSync(FORKMUNK_RECORD_SCENE, [path]);
    pages.native = sceneOf(path);
  }
  return pages.native;
}
const verified = (page) => page.waitForFunction(() => window.forkmunk.state().isVerified);
const inspected = (page) => page.waitForFunction(() => window.forkmunk.state().isInspected);
async function seek(page, step) {
  await page.evaluate((to) => window.forkmunk.seek(to), step);
  await inspected(page);
  await settled(page);
}

/** `build` returns a function for each step. */
async function recorded(name, steps, dt, build) {
  const { load } = await import(pathToFileURL(FORKMUNK_JS).href);
  const fm = await load(), space = new fm.Space(), act = build(space, fm), recorder = new fm.Recorder(space);
  for (let i = 0; i < steps; ++i) {
    act(i, recorder);
    space.step(dt);
  }
  const path = inScratch(`${name}.fmrec`);
  writeFileSync(path, recorder.recording.toBytes());
  return sceneOf(path);
}
function balls(space) {
  space.gravity = { x: 0, y: -100 };
  space.createBody({ type: "static", shapes: [{ a: { x: -200, y: 0 }, b: { x: 200, y: 0 }, radius: 1 }] });
  space.createBody({ position: { x: 0, y: 90 }, velocity: { x: 10, y: 0 }, shapes: [{ radius: 6 }] });
  space.createBody({ position: { x: 12, y: 7 }, shapes: [{ radius: 6 }] });
  return () => {};
}

/** Returns a function from a point of the scene to its colour. */
async function pictureOf(page) {
  const { width, data, scale, origin, up } = await page.evaluate(() => {
    const layer = document.getElementById("layer"), { scale, origin, up } = window.forkmunk.state();
    return { scale, origin, up, width: layer.width, data: [...layer.getContext("2d").getImageData(0, 0, layer.width, layer.height).data] };
  });
  return ([x, y]) => {
    const at = 4 * (Math.round(origin.y - up * scale * y) * width + Math.round(origin.x + scale * x));
    return data.slice(at, at + 3);
  };
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
  async "a joint has fields and curves, and no line to where nothing is"() {
    const page = await open(await recorded("swing", 60, 1 / 60, (space, { SimpleMotor, SlideJoint }) => {
      space.gravity = { x: 0, y: -100 };
      const rest = space.createBody({ type: "static", shapes: [{ radius: 1, offset: { x: 100, y: 100 } }] });
      const bob = space.createBody({ position: { x: 140, y: 100 }, shapes: [{ radius: 4 }] });
      space.add(new SlideJoint(rest, bob, { x: 100, y: 100 }, { x: 0, y: 0 }, 0, 50), new SimpleMotor(bob, rest, 1));
      return () => {};
    }));
    const curves = async (kind) => {
      await page.fill("#search", kind);
      await page.click("#objects button");
      await inspected(page);
      return page.$$eval(".chart", (charts) => charts.map((chart) => chart.querySelector("h2").parentElement.textContent));
    };
    await seek(page, 0);
    assert.deepEqual(await curves("slide"), ["Distance of the anchors40.00", "Angle of b from a, rad0.00"]);
    await seek(page, 60);
    const [length, angle] = await curves("slide"), { poses } = (await state(page)).frame.step;
    assert.deepEqual([length, angle], [`Distance of the anchors${Math.hypot(poses[0] - 100, poses[1] - 100).toFixed(2)}`, `Angle of b from a, rad${poses[2].toFixed(2).replace("-", "\u2212")}`]);
    assert.equal((await curves("motor")).length, 1);
    const { scale, origin } = await state(page), { width, height } = await (await page.waitForSelector("#scene")).boundingBox();
    assert.ok(origin.x < 0 || origin.y > height || scale * 100 > Math.min(width, height), "the view has no room for what is not there");
    const colourAt = await pictureOf(page), away = (by) => [0, 1].map((k) => poses[k] + (by * poses[k]) / Math.hypot(poses[0], poses[1]));
    assert.deepEqual(colourAt(away(-8)), colourAt(away(8)), "towards the static body's place, and away from there");
  },
  async "keys, the scrub bar and the camera move what is drawn"() {
    const page = await open(nativePage());
    await press(page, "ArrowRight", "ArrowRight", "ArrowLeft");
    assert.equal((await state(page)).step, 1);
    await press(page, "End");
    assert.equal((await state(page)).step, 300);
    const box = await (await page.waitForSelector("#scrub")).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await settled(page);
    assert.equal((await state(page)).step, 150);
    const before = await state(page);
    await press(page, "+", "d");
    const after = await state(page);
    assert.ok(after.zoom > before.zoom && after.origin.x !== before.origin.x);
    await page.focus("#layer-boxes"); // takes the space key alone, until a click
    await press(page, "Space", "Home");
    assert.deepEqual([await page.isChecked("#layer-boxes"), (await state(page)).step], [true, 0]);
    await page.click("#layer-velocities");
    await press(page, "Space");
    await page.waitForFunction(() => window.forkmunk.state().step > 0);
    assert.ok(await page.isChecked("#layer-velocities"));
  },
  async "a click selects what lies under it"() {
    const page = await open(nativePage());
    await verified(page);
    await settled(page);
    const { scale, origin, frame } = await state(page);
    const stage = await (await page.waitForSelector("#scene")).boundingBox();
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
    await verified(page);
    assert.equal(await page.textContent("#verdict"), "exact");
    await page.fill("[name=vx]", "-400");
    await page.fill("[name=vy]", "300");
    await page.fill("#run-steps", "90");
    await page.click("#run");
    await verified(page);
    const branch = await state(page);
    assert.equal(branch.runs, 2);
    assert.equal(branch.last, 240);
    assert.ok(branch.verdicts.every(({ exact }) => exact));
    await press(page, "End");
    const own = (await state(page)).frame.step.poses;
    await page.click("#branches .branch-name");
    await seek(page, 240);
    const recorded = (await state(page)).frame.step.poses;
    assert.notDeepEqual(own, recorded);
    await screenshot(page, "recording-branch");
  },
  async "a branch that goes on while the page verifies it is verified to its end"() {
    const page = await open(nativePage());
    await page.click("#fork");
    await page.evaluate(() => [1, 2].forEach(() => document.getElementById("run").click()));
    await verified(page);
    const { last, verdicts } = await state(page);
    assert.deepEqual([last, verdicts.at(-1).last], [240, 241]);
    assert.equal(await page.textContent("#verdict"), "exact");
  },
  async "a velocity without a body is refused"() {
    const page = await open(nativePage());
    await page.click("#fork");
    await page.fill("[name=vx]", "5");
    await page.click("#set");
    assert.match(await page.textContent("#message-text"), /select the body/);
    await page.click("#run");
    assert.equal((await state(page)).last, 0);
  },
  async "a velocity of a body that the branch does not have is refused"() {
    const page = await open(await recorded("removed", 20, 1 / 60, (space) => {
      balls(space);
      const third = space.createBody({ position: { x: 50, y: 50 }, shapes: [{ radius: 6 }] });
      return (i) => i === 9 && space.remove(space.shapes.at(-1), third);
    }));
    await seek(page, 5);
    await page.click("#objects button:nth-child(3)");
    await seek(page, 15);
    await page.click("#fork");
    await page.fill("[name=vx]", "5");
    await page.click("#set");
    assert.match(await page.textContent("#message-text"), /select the body/);
  },
  async "a curve's axis fits, whatever its numbers are"() {
    const path = await recorded("numbers", 20, 1 / 60, (space, fm) => {
      balls(space);
      return (i, recorder) => ["2e7", "2e4", "2e-3", "2e20"].forEach((scale) => recorder.log(scale, i * Number(scale)));
    });
    const texts = await (await open(path, {
      prepare: (page) => page.addInitScript(() => {
        const { fillText } = CanvasRenderingContext2D.prototype;
        window.written = [];
        CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
          window.written.push(text);
          fillText.call(this, text, ...rest);
        };
      }),
    })).evaluate(() => window.written);
    for (const text of ["200M", "200k", "0.02", "2e21"]) assert.ok(texts.includes(text), `${text} is not among ${texts.join(" ")}`);
  },
  async "a body of a branch can be dragged"() {
    const page = await open(nativePage());
    await seek(page, 20);
    await page.click("#fork");
    await settled(page);
    const { scale, origin, frame } = await state(page);
    const stage = await (await page.waitForSelector("#scene")).boundingBox();
    const last = frame.scene.movingCount - 1, at = (x, y) => [stage.x + origin.x + scale * x, stage.y + origin.y - scale * y];
    await page.mouse.move(...at(frame.step.poses[3 * last], frame.step.poses[3 * last + 1]));
    await page.mouse.down();
    await page.mouse.move(...at(-100, 100));
    await page.mouse.up();
    await settled(page);
    const { poses } = (await state(page)).frame.step, [x, y] = [poses[3 * last], poses[3 * last + 1]];
    assert.ok(Math.abs(x + 100) < 2 && Math.abs(y - 100) < 2, `${x} ${y}`);
  },
  async "a fork's differences, contacts and tree are shown"() {
    const page = await open(nativePage());
    await seek(page, 150);
    await page.fill("#search", "ball");
    await page.click("#objects button");
    await seek(page, 30);
    assert.match(await page.textContent("#fields"), /touchessegment \d+ at /);
    await seek(page, 150);
    await page.click("#fork");
    await page.fill("[name=w]", "7");
    await page.click("#set");
    await inspected(page);
    assert.deepEqual(await page.$$eval("#branches .branch-name", (names) => names.map(({ textContent }) => textContent)), ["tower", "branch 1, from 150"]);
    assert.match(await page.textContent("#differences"), /^body \d+ \(ball\) w7 here, .* there$/);
    await page.click("#run");
    await verified(page);
    await press(page, "End");
    await page.click("#first-difference");
    await inspected(page);
    assert.equal((await state(page)).step, 150);
    await seek(page, 200);
    assert.match(await page.textContent("#differences"), /body \d+ \(ball\) a/);
    await screenshot(page, "recording-differences");
  },
  async "the preview of a body is what the recording does next"() {
    const page = await open(await recorded("balls", 200, 1 / 60, balls));
    await verified(page);
    await seek(page, 20);
    await page.click("#preview");
    await inspected(page);
    assert.equal(await page.textContent("#future-text"), "Select a body that moves.");
    await page.click("#objects button");
    await page.fill("#preview-steps", "150");
    await inspected(page);
    const { future, frame } = await state(page), body = frame.scene.bodies[0].id, paths = [];
    assert.equal(future.body, 0);
    for (const step of [20, 60, 110, 170]) {
      await seek(page, step);
      paths.push((await state(page)).frame.step.poses);
    }
    [0, 40, 90, 150].forEach((after, i) => {
      for (let k = 0; k < 3; ++k) assert.equal(Math.fround(future.path[3 * after + k]), paths[i][k], `${after} steps later`);
    });
    // Contacts begin where the recording has the first one.
    const { after, other } = future.contacts[0];
    assert.equal(frame.scene.shapes[other].body, 1, `${other} of ${body}`);
    const begins = await page.evaluate((first) => [first - 1, first].map((step) => {
      window.forkmunk.seek(step);
      return window.forkmunk.state().frame.step.contacts.length / 4;
    }), 20 + after);
    assert.deepEqual(begins, [1, 2], "the ball on the floor, then both");
    await seek(page, 20);
    assert.match(await page.textContent("#future-events"), new RegExp(`^${20 + after}: circle`));
    await screenshot(page, "recording-preview");
    await page.click("#future-events button");
    await inspected(page);
    assert.equal((await state(page)).step, 20 + after);
    await press(page, "g");
    assert.equal((await state(page)).future, null);
  },
  async "the first view shows the scene, not what flew away; a page from a pipe has its own name"() {
    const { load } = await import(pathToFileURL(FORKMUNK_JS).href);
    const fm = await load(), space = new fm.Space(), recorder = new fm.Recorder(space), path = inScratch("piped.html");
    for (let i = 0; i < 10; ++i) space.createBody({ position: { x: 10 * i, y: 0 }, velocity: { x: i === 9 ? 4000 : 0, y: i === 4 ? 20 : 0 }, shapes: [{ radius: 4 }] });
    for (let i = 0; i < 120; ++i) space.step(1 / 60);
    execFileSync(process.env.FORKMUNK_PROGRAM, ["scene", "-", "-o", path], { input: recorder.recording.toBytes() });
    const page = await open(path), { scale, origin } = await state(page);
    assert.equal(await page.textContent("#file-name"), "piped");
    const { width, height } = await (await page.waitForSelector("#scene")).boundingBox();
    assert.ok(94 * scale > width / 3, `${94 * scale} of ${width} pixels`);
    for (const [x, y] of [[-4, 0], [94, 0], [40, 44]]) {
      assert.ok(origin.x + scale * x >= 0 && origin.x + scale * x <= width && origin.y - scale * y >= 0 && origin.y - scale * y <= height, `${x}, ${y}`);
    }
  },
  async "a branch of a branch has the recording's time step, and its preview is its own"() {
    const page = await open(await recorded("slow", 100, 1 / 100, balls));
    await seek(page, 50);
    await page.click("#objects button");
    for (const vx of ["-80", "80"]) {
      await page.click("#fork");
      await page.fill("[name=vx]", vx);
      await page.click("#set");
      await page.fill("#run-steps", "10");
      await page.click("#run");
      await verified(page);
      await press(page, "End");
    }
    const { runs, last, frame } = await state(page);
    assert.deepEqual([runs, last, frame.step.dt], [3, 70, 0.01]);
    await page.click("#preview");
    await inspected(page);
    const { path } = (await state(page)).future;
    assert.ok(Math.abs(path[3] - path[0] - 0.8) < 1e-9, `${path[0]} to ${path[3]}`);
  },
  async "a click in the list keeps the focus, and moving the picture keeps the selection"() {
    const page = await open(nativePage());
    await page.focus("#objects button:nth-child(3)");
    await press(page, "Enter");
    const { frame: { scene }, selected } = await state(page);
    assert.equal(selected.id, scene.bodies[2].id);
    assert.equal(await page.evaluate(() => document.activeElement === document.querySelectorAll("#objects button")[2] && document.activeElement.getAttribute("aria-current")), "true");
    const stage = await (await page.waitForSelector("#scene")).boundingBox();
    await page.mouse.move(stage.x + 100, stage.y + 200);
    await page.mouse.down();
    await page.mouse.move(stage.x + 160, stage.y + 230);
    await page.mouse.up();
    await settled(page);
    const { frame, scale, origin, selected: kept } = await state(page), last = frame.scene.movingCount - 1;
    assert.equal(kept.id, selected.id);
    await page.mouse.click(stage.x + origin.x + scale * frame.step.poses[3 * last], stage.y + origin.y - scale * frame.step.poses[3 * last + 1]);
    await inspected(page);
    const list = await page.$eval("#objects", (list) => {
      const [row, box] = [list.querySelector("[aria-current]"), list].map((each) => each.getBoundingClientRect());
      return row.top >= box.top - 1 && row.bottom <= box.bottom + 1;
    });
    assert.ok(list, "what was picked is in sight in the list");
  },
  async "satisfies axe-core"() {
    for (const options of [{}, { scheme: "dark" }, { width: 390, height: 844 }]) {
      const page = await open(nativePage(), options);
      await verified(page);
      await page.click("#objects button");
      await page.click("#preview");
      await page.click("#fork");
      await inspected(page);
      assert.deepEqual(await audit(page), []);
      await press(page, "?");
      assert.deepEqual(await audit(page), [], "the help");
    }
  },
  async "two recordings that differ by a bit are laid over each other"() {
    const { load } = await import(pathToFileURL(FORKMUNK_JS).href);
    const fm = await load();
    const [one, other] = [0n, 1n].map((bit) => {
      const space = new fm.Space(), recorder = new fm.Recorder(space), view = new DataView(new ArrayBuffer(8));
      const balls = [0, 1, 2].map((i) => space.createBody({ position: { x: 20 * i, y: 0 }, velocity: { x: 1 / 3, y: i }, shapes: [{ radius: 4 }] }));
      recorder.name(balls[1], "ball");
      for (let i = 0; i < 150; ++i) {
        view.setFloat64(0, balls[1].velocity.x);
        view.setBigUint64(0, view.getBigUint64(0) ^ (i === 100 ? bit : 0n));
        balls[1].velocity = { x: view.getFloat64(0), y: balls[1].velocity.y };
        space.step(1 / 60);
      }
      const path = inScratch(`bit${bit}.fmrec`);
      writeFileSync(path, recorder.recording.toBytes());
      return path;
    });
    const path = inScratch("both.html"), done = spawnSync(process.env.FORKMUNK_PROGRAM, ["diff", one, other, "--json", "-o", path], { encoding: "utf8" });
    assert.equal(done.status, 1, done.stderr);
    const report = JSON.parse(done.stdout);
    assert.equal(report.step, 100);
    assert.deepEqual(report.differences.map(({ name, field }) => [name, field]), [["ball", "v"]]);
    const page = await open(path), shown = await state(page);
    await inspected(page);
    assert.deepEqual([shown.step, shown.runs], [100, 2]);
    assert.match(await page.textContent("#differences"), /^body \d+ \(ball\) v/);
    await page.click("#branches button:has-text('bit1')");
    await verified(page);
    assert.deepEqual([(await state(page)).run, await page.textContent("#verdict")], [1, "exact"]);
  },
  async "200 bodies and 600 steps have at most 6 MB, open in 2 s and scrub"() {
    const path = await largeScene();
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
    await seek(page, 150);
    await page.click("#layer-contacts");
    await settled(page);
    const colourAt = await pictureOf(page);
    for (const { points, radius, color } of JSON.parse(readFileSync(`${path}.json`, "utf8"))) {
      if (![119, 65].includes(color[0])) continue; // the page chose the other colours
      const centre = [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
      const rim = points.length > 1 ? points : [[-0.8, 0.6], [-0.6, 0.8], [-0.6, -0.8], [-0.8, -0.6]].map(([x, y]) => [centre[0] + radius * x, centre[1] + radius * y]);
      // The shape is filled inside of its rim, away from the line that shows how a circle turns.
      const distance = points.length > 1 ? 14 : 4;
      const along = (share) => rim.map((point) => [0, 1].map((k) => centre[k] + (point[k] - centre[k]) * (1 + share / Math.hypot(point[0] - centre[0], point[1] - centre[1]))));
      for (const at of along(-distance)) assert.deepEqual(colourAt(at), color.slice(0, 3), `${at} inside`);
      const outside = along(distance).map(colourAt);
      assert.ok(outside.filter((found) => found.join() !== color.slice(0, 3).join()).length >= rim.length - 2, `${outside.join(" ")} outside`); // two corners touch the other board
    }
    await screenshot(page, "recording-python");
  },
  async "phones and the dark theme"() {
    const page = await open(nativePage(), { width: 390, height: 800, scheme: "dark" });
    assert.equal((await state(page)).dark, true);
    assert.deepEqual(await cutOff(page), []);
    await screenshot(page, "recording-phone");
    await page.setViewportSize({ width: 844, height: 390 });
    await settled(page);
    assert.deepEqual(await cutOff(page), []);
    const { height } = await (await page.waitForSelector("#scene")).boundingBox();
    assert.ok(height > 280 && height < 390, `${height}: on its side, the phone shows the whole picture`);
    await page.emulateMedia({ forcedColors: "active" });
    await verified(page);
    const colours = await page.$$eval("#scrub-head, .scrub-exact, .scrub-mark, #transport", (parts) => parts.map((part) => getComputedStyle(part).backgroundColor));
    assert.equal(new Set(colours).size, 4, `${colours}`);
  },
});
