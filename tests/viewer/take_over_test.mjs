// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { carried, cutOff, drop, follow, inScratch, load, numbersOf, open, overlaps, pageOf, press, program, run, screenshot, settled, startsOf, state, ticksOf } from "./browser.mjs";

const GAME = carried("strict_build/game09.visio.gz");
const recording = load(GAME);
const ticks = ticksOf(recording);

async function ready(options) {
  const page = await open(pageOf(GAME, "game09.html"), options);
  await page.waitForFunction(() => !document.getElementById("take-over").disabled);
  return page;
}

const takeOver = async (page) => (await state(page)).takeOver;

/** Drivers are "hand", "recorded" or a planner's name. */
async function drive(page, first, second, ms = 3) {
  await page.click("#take-over");
  for (const [side, driver] of [[1, first], [2, second]]) {
    await page.selectOption(`#driver-${side}`, driver);
    if (driver !== "hand" && driver !== "recorded") await page.fill(`#driver-${side}-ms`, String(ms));
  }
  await page.click("#drive");
  await page.waitForFunction(() => window.forkmunk.state().takeOver.driving);
}

/** Also returns when driving has stopped. */
async function played(page, count) {
  const target = (await takeOver(page)).branches.at(-1).ticks + count;
  await page.waitForFunction((n) => {
    const { branches, driving } = window.forkmunk.state().takeOver;
    return branches.at(-1).ticks >= n || !driving;
  }, target);
}

async function stop(page) {
  if ((await takeOver(page)).driving) await page.click("#take-over");
  await settled(page);
}

async function saved(page, id) {
  const row = page.locator(".branch").filter({ hasText: id === 0 ? "recorded" : `branch ${id}` }).first();
  const [file] = await Promise.all([page.waitForEvent("download"), row.locator(".branch-save").click()]);
  const path = inScratch(`saved_${id}_${Math.random().toString(36).slice(2)}.visio.gz`);
  await file.saveAs(path);
  return { path, name: file.suggestedFilename(), value: JSON.parse(gunzipSync(readFileSync(path)).toString()) };
}

function verified(path) {
  assert.equal(JSON.parse(program("verify", path, "--json")).mismatching_ticks, 0, path);
}

const [, secondMatch] = startsOf(recording);

async function seek(page, index) {
  await page.evaluate(() => document.activeElement?.blur());
  const match = recording.visio_info.reduce(([m, tick, left], { type }) => {
    if (left < 0) return [m, tick, left];
    if (type === "new_match") return [m + 1, -1, left];
    return type === "tick" ? [m, tick + 1, left - 1] : [m, tick, left];
  }, [0, -1, index]);
  await follow(page, `#match=${match[0]}&tick=${match[1]}`);
  assert.equal((await state(page)).index, index);
}

await run({
  async "drives by keyboard from a tick on, and the download is exact"() {
    const page = await ready();
    await seek(page, 120);
    await page.keyboard.press("b");
    assert.equal(await page.evaluate(() => document.activeElement.id), "driver-1");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.forkmunk.state().takeOver.driving);
    await page.keyboard.down("ArrowRight");
    await played(page, 60);
    await page.keyboard.up("ArrowRight");
    await page.keyboard.down("ArrowLeft");
    await played(page, 50);
    await page.keyboard.up("ArrowLeft");
    await screenshot(page, "driving");
    await stop(page);
    const { branches, current } = await takeOver(page);
    assert.deepEqual([branches.length, current, branches[1].from, branches[1].parent], [2, 1, 120, 0]);
    const { path, name, value } = await saved(page, 1);
    assert.match(name, /branch_1\.visio\.gz$/);
    verified(path);
    const its = ticksOf(value);
    assert.deepEqual(its.slice(0, 121).map(numbersOf), ticks.slice(0, 121).map(numbersOf), "the past is that of the recording");
    const mine = value.commands.slice(120).map(([first]) => first);
    assert.ok(mine.includes("right") && mine.includes("left"), mine.join());
    assert.deepEqual(value.commands.slice(0, 120), recording.commands.slice(0, 120));
    assert.deepEqual(value.commands.slice(120).map(([, second]) => second), recording.commands.slice(120, value.commands.length).map(([, second]) => second));
  },

  async "a time of a planner that no longer drives does not matter"() {
    const page = await ready();
    await page.click("#take-over");
    await page.selectOption("#driver-2", "stretched");
    await page.fill("#driver-2-ms", "1000");
    const isValid = () => page.$eval("#take-over-form", (form) => form.checkValidity());
    assert.equal(await isValid(), false);
    await page.selectOption("#driver-2", "hand");
    assert.equal(await isValid(), true);
  },
  async "shows the whole picture while driving, although the form is below it"() {
    const page = await ready({ width: 800, height: 600 });
    await page.click("#take-over");
    const pictureTop = () => page.evaluate(() => document.getElementById("scene").getBoundingClientRect().top);
    assert.ok(await pictureTop() < 0, "the page scrolls to the form");
    await page.click("#drive");
    await page.waitForFunction(() => window.forkmunk.state().takeOver.driving);
    assert.ok(await pictureTop() > -1); // it scrolls by whole pixels
    await stop(page);
  },

  async "closes the form by Escape, where the focus was"() {
    const page = await ready();
    await page.keyboard.press("b");
    await page.keyboard.press("Escape");
    assert.ok(!(await page.isVisible("#take-over-form")));
    assert.equal(await page.evaluate(() => document.activeElement.id), "take-over");
  },

  async "takes over at three ticks, branches from a branch, goes back"() {
    const page = await ready();
    for (const index of [40, 300, 1100]) {
      await page.evaluate(() => document.querySelector(".branch-name")?.click());
      await settled(page);
      await seek(page, index);
      await drive(page, "recorded", "best");
      await played(page, 50);
      await stop(page);
    }
    await page.locator(".branch-name", { hasText: "branch 2" }).click();
    await page.locator(".branch-name", { hasText: "branch 2" }).click();
    await press(page, "End", "Shift+ArrowLeft", "ArrowRight");
    const from = (await state(page)).index;
    await page.evaluate(() => (document.getElementById("branches").style.maxHeight = "70px")); // too low for all
    await drive(page, "straight", "hand");
    await page.keyboard.down("d");
    await played(page, 40);
    await page.keyboard.up("d");
    await stop(page);
    const { branches } = await takeOver(page);
    assert.deepEqual(branches.map(({ parent }) => parent), [null, 0, 0, 0, 2]);
    assert.equal(branches[4].from, from);
    assert.equal((await page.$$(".branch")).length, 5);
    const [row, list] = await page.evaluate(() => [".branch[aria-current]", "#branches"]
      .map((selector) => document.querySelector(selector).getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom })));
    assert.ok(row.top >= list.top - 1 && row.bottom <= list.bottom + 1, `the branch that is shown is in the list's view: ${JSON.stringify({ row, list })}`);
    await page.evaluate(() => (document.getElementById("branches").style.maxHeight = ""));
    assert.deepEqual(await overlaps(page), []);
    await screenshot(page, "branches");
    for (const id of [1, 2, 3, 4]) verified((await saved(page, id)).path);
    await page.locator(".branch-name", { hasText: "recorded" }).click();
    await settled(page);
    const back = await state(page);
    assert.deepEqual([back.takeOver.current, back.tickCount], [0, ticks.length]);
    assert.deepEqual(back.drawn, numbersOf(ticks[back.index]));
    assert.equal((await saved(page, 0)).value.commands.length, ticks.length);
    await seek(page, 1032);
    await page.click("#futures");
    await page.waitForFunction(() => window.forkmunk.state().futures.length > 0);
    await page.setViewportSize({ width: 1200, height: 900 });
    await settled(page);
    assert.deepEqual([await overlaps(page), await cutOff(page)], [[], []]);
    await screenshot(page, "forks");
  },

  async "continues with the next match, independent of the state of the panels"() {
    const page = await ready();
    await page.selectOption("#speed", { label: "× 1/4" }); // one tick a frame
    await seek(page, secondMatch - 63); // the panels follow 62 ticks later, before the next match
    await drive(page, "recorded", "recorded");
    await played(page, 70);
    await stop(page);
    assert.equal(await page.textContent("#matches tr[aria-current] td"), "2");
  },

  async "shows ticks that were requested before driving stopped"() {
    const page = await ready();
    await seek(page, secondMatch - 1);
    await drive(page, "recorded", "best", 100);
    await stop(page);
    await page.waitForFunction((n) => window.forkmunk.state().takeOver.branches[1].ticks > n, secondMatch);
    await settled(page);
    assert.ok((await state(page)).index >= secondMatch, "the end of the game moves on");
    assert.equal(await page.textContent("#matches tr[aria-current] td"), "2");
    await drive(page, "recorded", "best", 100);
    await page.waitForFunction((n) => window.forkmunk.state().takeOver.branches[1].ticks > n + 2, secondMatch);
    await stop(page);
    assert.equal((await takeOver(page)).branches.length, 2, "with the same drivers, the branch continues");
  },

  async "replays recorded commands to the same end"() {
    const page = await ready();
    await seek(page, ticks.length - 300);
    await page.selectOption("#speed", { label: "× 8" });
    await drive(page, "recorded", "recorded");
    await page.waitForFunction(() => !window.forkmunk.state().takeOver.driving);
    const { path, value } = await saved(page, 1);
    verified(path);
    assert.deepEqual(value.visio_info, recording.visio_info);
    assert.deepEqual(value.commands, recording.commands);
    assert.match(await page.textContent("#result"), /won/);
  },

  async "drives by touch, on a phone, in the dark"() {
    const page = await ready({ width: 390, height: 844, scheme: "dark" });
    await seek(page, 10);
    await page.click("#take-over");
    assert.deepEqual(await overlaps(page), []);
    await screenshot(page, "take_over_form_390_dark");
    await page.click("#take-over-cancel");
    assert.ok(!(await page.isVisible("#take-over-form")));
    await page.click("#futures");
    await page.waitForFunction(() => window.forkmunk.state().futures.length > 0);
    assert.deepEqual([await overlaps(page), await cutOff(page)], [[], []]);
    await screenshot(page, "futures_390_dark");
    await page.click("#futures");
    await page.selectOption("#speed", { label: "× 1/8" }); // until the finger is down
    await drive(page, "hand", "best");
    const box = await (await page.waitForSelector("#touch-right")).boundingBox();
    assert.ok(box.width >= 44 && box.x + box.width <= 390);
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.selectOption("#speed", { label: "× 1" });
    await played(page, 60);
    await screenshot(page, "driving_390_dark");
    await page.mouse.up();
    const { scene, touch, field } = await page.evaluate(() => {
      const [scene, touch] = ["scene", "touch"].map((id) => document.getElementById(id).getBoundingClientRect().toJSON());
      return { scene, touch, field: (innerWidth * 828) / 1228 };
    });
    assert.ok(scene.height > field + 100 && touch.top > scene.top + field, "upright, the buttons lie below the field");
    await page.setViewportSize({ width: 844, height: 390 });
    await settled(page);
    for (const id of ["#touch-left", "#touch-right"]) {
      const { x, y, width, height } = await (await page.waitForSelector(id)).boundingBox();
      assert.ok(x >= 0 && y >= 0 && x + width <= 844 && y + height <= 390, `on its side, the phone shows ${id}`);
    }
    await page.setViewportSize({ width: 667, height: 375 });
    await settled(page);
    const [sideways, caption, button] = await page.evaluate(() => ["scene", "caption", "take-over"].map((id) => document.getElementById(id).getBoundingClientRect().toJSON()));
    assert.deepEqual([sideways.x, sideways.y, sideways.width, sideways.height], [0, 0, 667, 375], "the field is all of the screen");
    assert.ok(caption.right <= button.left, "the caption ends before the button that stops");
    await page.setViewportSize({ width: 390, height: 844 });
    await stop(page);
    await page.click("#link");
    assert.deepEqual(await cutOff(page), [], "with the link's note");
    assert.ok(!(await page.isVisible("#touch")));
    const { path, value } = await saved(page, 1);
    verified(path);
    assert.ok(value.commands.slice(12).filter(([first]) => first === "right").length > 20);
  },

  async "explains how to drive both cars, and how to stop"() {
    const page = await ready();
    await drive(page, "hand", "hand");
    assert.match(await page.textContent("#driving-note"), /car 2: keys A D/);
    assert.deepEqual((await page.textContent("#caption")).match(/you, car [12]/g), ["you, car 1", "you, car 2"]);
    assert.match(await page.textContent("#result"), /being played/);
    await page.keyboard.down("KeyD");
    await page.waitForFunction(() => document.querySelector("#readout-2 [data-value=command]").textContent.includes("right"));
    await page.keyboard.up("KeyD");
    assert.equal(await page.getAttribute("#play", "aria-label"), "Stop driving");
    await page.click("#play");
    assert.equal((await takeOver(page)).driving, false);
    await page.waitForSelector('#play[aria-label="Play"]'); // set with the next frame
    assert.match(await page.textContent("#driving-note"), /Driving has stopped/);
    assert.deepEqual(await cutOff(page), []);
    const address = page.url();
    await page.click("#link");
    assert.match(await page.textContent("#link-note"), /download it/);
    assert.equal(page.url(), address);
  },

  async "pauses a game in a hidden page"() {
    const page = await ready();
    await drive(page, "best", "hand", 20);
    await played(page, 10);
    const [hidden, later] = await page.evaluate(async () => {
      const ticks = () => window.forkmunk.state().takeOver.branches.at(-1).ticks;
      Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
      const hidden = ticks();
      await new Promise((done) => setTimeout(done, 1000));
      return [hidden, ticks()];
    });
    assert.ok(later <= hidden + 1, `${later - hidden} ticks, but only one search was running`);
    await page.evaluate(() => delete document.hidden);
    await played(page, 10);
  },

  // A search on the main thread would draw no frames.
  async "keeps drawing during a search"() {
    const page = await ready();
    await seek(page, 0);
    await drive(page, "hand", "best", 100);
    await played(page, 1);
    const seen = await page.evaluate(async () => {
      const ticks = [];
      while (ticks.length === 0 || ticks.at(-1) < ticks[0] + 20) {
        await new Promise((done) => requestAnimationFrame(done));
        ticks.push(window.forkmunk.state().takeOver.branches.at(-1).ticks);
      }
      return ticks;
    });
    assert.ok(seen.some((ticks, i) => ticks === seen[i - 1]), `no frame was drawn during a search of 100 ms: ${seen}`);
    await page.keyboard.press(" ");
    await settled(page);
    assert.equal((await takeOver(page)).driving, false, "space ends the driving");
  },

  async "shows futures during scrubbing"() {
    const page = await ready();
    await page.click("#futures");
    const futures = async (index) => {
      await seek(page, index);
      await page.waitForFunction(() => window.forkmunk.state().futures.length > 0);
      return (await state(page)).futures;
    };
    for (const index of [60, 300, 1030]) {
      const list = await futures(index);
      for (const side of [0, 1]) {
        const mine = list.filter((future) => future.side === side);
        assert.deepEqual([mine.length, mine.filter(({ chosen }) => chosen).length], [25, 1]);
        const now = numbersOf(ticks[index]).slice(9 * side, 9 * side + 3);
        for (const { poses } of mine) assert.deepEqual(poses.slice(0, 3), now, "they begin at the car");
        assert.ok(new Set(mine.map(({ poses }) => poses.slice(-3).join())).size > 3, "they lead to different positions");
        const scores = mine.map(({ score }) => score);
        assert.deepEqual(scores, [...scores].sort((a, b) => a - b), "by score, the chosen one last");
        assert.match(await page.textContent(`#futures-${side + 1}`), new RegExp(`player ${side + 1}: 25 of [\\d,]+ plans, `));
      }
      assert.deepEqual((await futures(index)), list, "a tick always has the same futures");
      await settled(page);
      await screenshot(page, `futures_${index}`);
    }
    const box = await (await page.waitForSelector("#scrub")).boundingBox();
    await page.mouse.move(box.x + 40, box.y + 5);
    await page.mouse.down();
    for (let x = 40; x < 140; x += 10) await page.mouse.move(box.x + x, box.y + 5);
    await page.mouse.up();
    await page.waitForFunction(() => window.forkmunk.state().futures.length > 0);
    await press(page, "d", "ArrowRight");
    await page.waitForFunction(() => !document.getElementById("futures-none").hidden);
    assert.ok(await page.isVisible("#futures-none"), "the match rests");
    await page.click("#futures");
    await settled(page);
    assert.deepEqual((await state(page)).futures, []);
    assert.ok(!(await page.isVisible("#futures-legend")));
  },

  async "takes over a recording in referee arithmetic, from embedded states"() {
    const path = carried("referee_build/game16.visio.gz");
    const log = ticksOf(load(path));
    const starts = startsOf(load(path));
    const page = await open(pageOf(path, "referee.html"));
    await page.waitForFunction(() => !document.getElementById("take-over").disabled);
    for (const [match, tick, state60] of [[1, 100, 60], [2, 70, 60], [2, 0, 0]]) {
      await page.evaluate(() => document.querySelector(".branch-name")?.click());
      await page.evaluate((index) => window.forkmunk.seek(index), starts[match - 1] + tick);
      await settled(page);
      await page.click("#take-over");
      assert.match(await page.textContent("#take-over-note"), new RegExp(`state at tick ${state60} of match ${match}, .* strict arithmetic`));
      if (tick === 100) await screenshot(page, "take_over_referee");
      assert.deepEqual([await overlaps(page), await cutOff(page)], [[], []]);
      await page.click("#take-over");
      await drive(page, "recorded", "best");
      await page.waitForFunction(() => window.forkmunk.state().index > 0);
      const at = starts[match - 1] + tick;
      await page.waitForFunction((index) => window.forkmunk.state().takeOver.branches.at(-1).ticks > index + 30, at);
      await page.waitForFunction(() => /strict arithmetic from tick/.test(document.getElementById("driving-note").textContent));
      await stop(page);
      const { branches } = await takeOver(page);
      const branch = branches.at(-1);
      assert.deepEqual([branch.from, branch.ownFrom], [starts[match - 1] + state60, starts[match - 1] + state60]);
      const shown = async (index) => {
        await page.evaluate((to) => window.forkmunk.seek(to), index);
        await settled(page);
        return (await state(page)).drawn;
      };
      assert.deepEqual(await shown(branch.ownFrom), numbersOf(log[branch.ownFrom]), "the state is the recording's");
      const there = await shown(at);
      numbersOf(log[at]).forEach((value, i) => assert.ok(Math.abs(value - there[i]) < 1e-6, `${value} and ${there[i]}`));
      await page.locator(".branch").last().locator(".branch-save").click();
      assert.match(await page.textContent("#message-text"), /cannot be downloaded.*no replay has both/);
      await page.click("#message-close");
    }
    await page.click("#futures");
    await page.waitForFunction(() => window.forkmunk.state().futures.length > 0);
    await screenshot(page, "futures_referee");
    await page.click("#futures");
    // All ticks are in strict arithmetic, so the branch can be downloaded.
    await page.locator(".branch-name").first().click();
    await page.evaluate(() => window.forkmunk.seek(0));
    await settled(page);
    await drive(page, "best", "best");
    await page.waitForFunction(() => window.forkmunk.state().takeOver.branches.at(-1).ticks > 30);
    await stop(page);
    verified((await saved(page, 4)).path);
  },

  async "disables take-over if it is impossible, with a reason"() {
    const page = await open(pageOf(undefined, "nothing.html"));
    await drop(page, carried("referee_build/game16.visio.gz"));
    await page.waitForFunction(() => document.getElementById("verdict").textContent.startsWith("differs"));
    assert.ok(await page.isDisabled("#take-over"));
    assert.match(await page.textContent("#driving-note"), /Not exact/);
  },

  async "is all of a phone's screen that is held sideways, with the button to stop"() {
    for (const [width, height] of [[844, 390], [932, 430], [667, 375]]) {
      const page = await ready({ width, height });
      await drive(page, "hand", "recorded");
      await settled(page);
      const { scene, stops } = await page.evaluate(() => {
        const { x, y, right, bottom } = document.getElementById("scene").getBoundingClientRect();
        const box = document.getElementById("take-over").getBoundingClientRect();
        const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return { scene: [x, y, right, bottom], stops: found?.id };
      });
      assert.deepEqual(scene, [0, 0, width, height]);
      assert.equal(stops, "take-over");
      await screenshot(page, `sideways_${width}`);
      await stop(page);
      assert.deepEqual(await overlaps(page), []);
    }
  },

  async "does not put the outcome over a button"() {
    for (const [width, height] of [[1024, 768], [390, 844], [844, 390]]) {
      const page = await ready({ width, height });
      await drive(page, "hand", "recorded");
      // The next frame hides the outcome again.
      const covered = await page.evaluate(() => {
        const outcome = document.getElementById("outcome");
        outcome.textContent = "player 1 lost: the button touched the map";
        outcome.hidden = false;
        document.getElementById("touch").hidden = false;
        const box = outcome.getBoundingClientRect();
        return ["touch-left", "touch-right", "fit", "take-over"].filter((id) => {
          const other = document.getElementById(id).getBoundingClientRect();
          return box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;
        }).concat(box.width > 0 ? [] : ["no outcome"]);
      });
      assert.deepEqual(covered, [], `${width} x ${height}`);
      await stop(page);
    }
  },

});
