// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";

import { audit, carried, cutOff, inScratch, open, overlaps, pageOf, press, program, run, screenshot, settled, state } from "./browser.mjs";

const GAME = carried("strict_build/game04.visio.gz");
const game = pageOf(GAME, "game04.html");

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

await run({
  async "fits, light and dark, wide, narrow and on a phone"() {
    for (const [width, height] of [[1200, 800], [1600, 1000], [900, 700], [390, 844]]) {
      for (const scheme of ["light", "dark"]) {
        const page = await open(game, { width, height, scheme, hash: "#match=2&tick=60" });
        assert.equal((await state(page)).dark, scheme === "dark");
        assert.deepEqual(await cutOff(page), [], `${width} x ${height}`);
        assert.deepEqual(await overlaps(page), [], `${width} x ${height}`);
        await screenshot(page, `${width}x${height}_${scheme}`);
        await press(page, "Home");
        await screenshot(page, `${width}x${height}_${scheme}_start`);
        await press(page, "d");
        await screenshot(page, `${width}x${height}_${scheme}_death`);
        assert.deepEqual(await overlaps(page), []);
      }
    }
  },

  async "changes its theme by the button and with the system"() {
    const page = await open(game);
    const light = await background(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await settled(page);
    const dark = await background(page);
    assert.notEqual(light, dark);
    await page.click("#theme");
    assert.equal(await background(page), light);
  },

  async "draws at the resolution of the screen"() {
    for (const ratio of [1, 2, 3]) {
      const page = await open(game, { ratio });
      const [canvas, shown] = await page.evaluate(() => {
        const layer = document.getElementById("tick-layer");
        return [layer.width, layer.getBoundingClientRect().width];
      });
      assert.equal(canvas, Math.round(shown * ratio));
    }
  },

  async "fits both losers and a trace into its panels"() {
    const both = inScratch("both.visio.gz");
    program("play", "--first", "builtin:hold", "--second", "builtin:hold", "--matches", "PillCarcassMap,SquareWheelsBuggy",
      "--record", both, "--trace");
    for (const [width, height] of [[1200, 800], [390, 844]]) {
      const page = await open(pageOf(both, "both.html"), { width, height });
      await press(page, "d");
      assert.deepEqual(await cutOff(page), []);
      await screenshot(page, `both_lost_${width}`);
    }
  },

  async "keeps its layout during playback"() {
    const page = await open(game);
    const layout = () => page.evaluate(() => ["scene", "transport", "readouts", "match-frame", "curves", "clock"]
      .map((id) => { const { x, y, width, height } = document.getElementById(id).getBoundingClientRect(); return [id, x, y, width, height]; })
      .map((box) => (box[0] === "clock" ? box.slice(0, 1).concat(box.slice(2, 3), box.slice(4)) : box)));
    const before = await layout();
    for (const key of ["d", "n", "Shift+ArrowRight", "End"]) {
      await press(page, key);
      assert.deepEqual(await layout(), before, key);
    }
  },

  async "keeps its layout when the engine has verified the game"() {
    for (const [width, height] of [[1200, 800], [390, 844]]) {
      const page = await open(game, { width, height });
      const heightWith = (note) => page.evaluate((text) => {
        if (text !== null) document.getElementById("driving-note").textContent = text;
        return document.getElementById("transport").getBoundingClientRect().height;
      }, note);
      await page.waitForFunction(() => !document.getElementById("take-over").disabled);
      await settled(page);
      const offered = await heightWith(null);
      for (const note of ["The game is being checked", "Not exact in this page: cannot be taken over"]) {
        assert.equal(await heightWith(note), offered, note);
        assert.deepEqual(await cutOff(page), [], note);
      }
      assert.equal(await heightWith("long ".repeat(100)), offered);
    }
  },

  async "follows the size of its window"() {
    const page = await open(game);
    await page.setViewportSize({ width: 1000, height: 650 });
    await page.waitForFunction(() => {
      const [plot, frame] = [".u-wrap", ".chart-frame"].map((s) => document.querySelector(s).getBoundingClientRect().width);
      return innerWidth === 1000 && Math.abs(plot - frame) <= 1;
    });
    assert.deepEqual(await cutOff(page), []);
  },

  async "names every control"() {
    const page = await open(game);
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, [role=slider], input:not([hidden])")]
      .filter((e) => !(e.textContent.trim().length > 1 || e.getAttribute("aria-label") || e.title)).map((e) => e.outerHTML));
    assert.deepEqual(nameless, []);
    // A label must contain the shown text, which users of speech input say.
    const otherwise = await page.evaluate(() => [...document.querySelectorAll("button[aria-label]")]
      .map((e) => [e.textContent.replace(/[^\p{L}\p{N} ]/gu, "").trim(), e.getAttribute("aria-label")])
      .filter(([shown, label]) => !label.toLowerCase().includes(shown.toLowerCase())));
    assert.deepEqual(otherwise, []);
  },

  async "has headings in order"() {
    for (const path of [game, pageOf(undefined, "empty.html")]) {
      const page = await open(path);
      const levels = await page.evaluate(() => [...document.querySelectorAll("h1, h2, h3, h4")]
        .filter((e) => e.checkVisibility()).map((e) => Number(e.tagName[1])));
      assert.equal(levels[0], 1);
      levels.forEach((level, i) => assert.ok(i === 0 || level <= levels[i - 1] + 1, `${levels}`));
    }
  },

  async "satisfies axe-core, light and dark, with a game and without"() {
    for (const options of [{}, { scheme: "dark" }, { width: 390, height: 844 }]) {
      const page = await open(game, { ...options, hash: "#match=2&tick=60" });
      assert.deepEqual(await audit(page), []);
      await press(page, "?");
      assert.deepEqual(await audit(page), [], "the help");
      await press(page, "Escape");
      await page.waitForFunction(() => !document.getElementById("take-over").disabled);
      await page.click("#take-over");
      assert.deepEqual(await audit(page), [], "the drivers");
      assert.deepEqual(await audit(await open(pageOf(undefined, "empty.html"), options)), [], "the empty page");
    }
  },

  async "shows the time and the deaths in forced colours"() {
    const page = await open(game, { hash: "#match=2&tick=60" });
    await page.emulateMedia({ forcedColors: "active" });
    await settled(page);
    const colours = await page.evaluate(() => ["#scrub-head", ".scrub-death", ".scrub-match", "#transport"]
      .map((part) => getComputedStyle(document.querySelector(part)).backgroundColor));
    assert.equal(new Set(colours.slice(0, 3)).size, 3, `${colours}`);
    assert.notEqual(colours[0], colours[3]);
    await screenshot(page, "forced_colours");
  },

});
