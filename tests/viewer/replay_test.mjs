// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { statSync } from "node:fs";

import { carried, follow, inScratch, load, longGame, numbersOf, open, pageOf, press, program, run, screenshot, settled, startsOf, state, ticksOf } from "./browser.mjs";

const GAME = carried("strict_build/game09.visio.gz");
const recording = load(GAME);
const ticks = ticksOf(recording);
const page9 = () => pageOf(GAME, "game09.html");

const starts = startsOf(recording);

/** Checks for a second that the page moves by the time of its frames, up to the longest that it makes up for. */
async function movesInGameTime(page, speed) {
  const TICK_SECONDS = 0.016, FRAME_SECONDS_MAX = 0.25;
  const [moved, frames] = await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const times = [await frame()];
    const from = window.forkmunk.state().index;
    while (times.at(-1) - times[0] < 1000) times.push(await frame());
    return [window.forkmunk.state().index - from, times.slice(1).map((time, i) => (time - times[i]) / 1000)];
  });
  const ticks = frames.map((seconds) => (speed * Math.min(seconds, FRAME_SECONDS_MAX)) / TICK_SECONDS);
  const expected = ticks.reduce((sum, more) => sum + more, 0);
  // The order of callbacks decides which frames are seen in part.
  assert.ok(Math.abs(moved - expected) <= 2 + Math.max(...ticks), `${moved} ticks, expected ${expected} at speed ${speed}`);
}

await run({
  async "draws the numbers of the recording, tick by tick"() {
    const page = await open(page9());
    for (const [match, tick] of [[1, 0], [4, 150], [9, 435]]) {
      await follow(page, `#match=${match}&tick=${tick}`);
      const seen = await state(page);
      const index = starts[match - 1] + tick;
      assert.equal(seen.drawnIndex, index);
      assert.deepEqual(seen.drawn, numbersOf(ticks[index]));
      assert.deepEqual(seen.commands, recording.commands[index].map((command) => command ?? "none"));
    }
    assert.equal((await state(page)).tickCount, ticks.length);
  },

  async "shows a long game, and its page is small"() {
    const path = pageOf(longGame(6000), "long.html");
    assert.equal((await state(await open(path))).tickCount, 6000);
    assert.ok(statSync(path).size < 3e6, `${statSync(path).size} bytes`);
  },

  async "plays in game time, and pauses"() {
    const page = await open(page9());
    await page.click("#play");
    await page.waitForFunction(() => window.forkmunk.state().index > 30);
    await movesInGameTime(page, 1);
    await page.click("#play");
    await settled(page);
    const paused = await state(page);
    assert.equal(paused.playing, false);
    assert.deepEqual(paused.drawn, numbersOf(ticks[paused.index]), "a pause shows a tick, not an interpolation");
    await page.waitForTimeout(200);
    assert.equal((await state(page)).index, paused.index);
    await page.selectOption("#speed", { label: "× 8" });
    await page.click("#play");
    await movesInGameTime(page, 8);
  },

  async "steps, jumps and skips by buttons"() {
    const page = await open(page9());
    const click = async (...ids) => {
      for (const id of ids) await page.click(`#${id}`);
      await settled(page);
      return (await state(page)).index;
    };
    assert.equal(await click("step", "step"), 2);
    assert.equal(await click("jump"), 62);
    assert.equal(await click("back-step"), 61);
    assert.equal(await click("back-jump"), 1);
    assert.equal(await click("next-match"), starts[1]);
    assert.equal(await click("step", "previous-match"), starts[1]);
    assert.equal(await click("previous-match"), 0);
    const deaths = (await state(page)).deaths.map((pair, m) => starts[m] + Math.min(...pair.filter(Boolean).map((d) => d.tick)));
    assert.equal(await click("next-death"), deaths[0]);
    assert.equal(await click("next-death"), deaths[1]);
    assert.ok(await page.isVisible("#outcome"));
    await screenshot(page, "death");
  },

  async "handles its keys"() {
    const page = await open(page9());
    const after = async (...keys) => (await press(page, ...keys), state(page));
    assert.equal((await after("ArrowRight", "ArrowRight", "ArrowLeft")).index, 1);
    assert.equal((await after("Shift+ArrowRight")).index, 61);
    assert.equal((await after("j")).index, 1);
    assert.equal((await after("n")).index, starts[1]);
    assert.equal((await after("p")).index, 0);
    assert.equal((await after("End")).index, ticks.length - 1);
    assert.equal((await after("Shift+d")).match, 9);
    assert.equal((await after("Home")).index, 0);
    assert.equal((await after("ArrowUp", "ArrowUp")).speed, 4);
    assert.equal((await after("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")).speed, 1 / 8);
    assert.equal((await after(" ")).playing, true);
    assert.equal((await after(" ")).playing, false);
    assert.ok((await after("+", "+")).zoom > 1.5);
    assert.equal((await after("f")).zoom, 1);
    assert.equal((await after("t")).dark, true);
    await press(page, "?");
    assert.ok(await page.isVisible("#help"));
    await screenshot(page, "help");
    await press(page, "Escape");
    assert.ok(!(await page.isVisible("#help")));
  },

  async "keys control playback after a click, and a control that has the focus by Tab"() {
    const page = await open(page9());
    await page.click("#jump");
    await press(page, " ");
    assert.equal((await state(page)).playing, true, "space plays; it does not press the button again");
    await press(page, " ");
    await page.selectOption("#speed", { label: "× 2" });
    const { index } = await state(page);
    await press(page, "ArrowRight");
    assert.equal((await state(page)).index, index + 1);
    await page.focus("#jump");
    await press(page, " ");
    const pressed = await state(page);
    assert.deepEqual([pressed.playing, pressed.index], [false, index + 61]);
  },

  async "scrubs"() {
    const page = await open(page9());
    const box = await (await page.waitForSelector("#scrub")).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await settled(page);
    const middle = (await state(page)).index;
    assert.ok(Math.abs(middle - ticks.length / 2) < 10, `${middle} in the middle`);
    await page.mouse.move(box.x + box.width * 0.75, box.y + 60);
    await settled(page);
    assert.ok(Math.abs((await state(page)).index - 0.75 * ticks.length) < 10, "it follows the pointer outside of the bar");
    await page.mouse.up();
    await page.mouse.move(box.x, box.y);
    await settled(page);
    assert.ok((await state(page)).index > ticks.length / 2, "it no longer follows");
    const marks = await page.$$(".scrub-death");
    assert.equal(marks.length, 9);
    assert.equal((await page.$$(".scrub-match")).length, 9);
  },

  async "jumps by the table"() {
    const page = await open(page9());
    await page.click("#matches tr:nth-child(5)");
    await settled(page);
    assert.equal((await state(page)).index, starts[4]);
    await page.click("#matches tr:nth-child(7) td:last-child button");
    await settled(page);
    const seen = await state(page);
    assert.equal(seen.match, 7);
    assert.equal(seen.tick, Math.min(...seen.deaths[6].filter(Boolean).map((death) => death.tick)));
    assert.equal(await page.textContent("#matches tr[aria-current] td:nth-child(2)"), seen.names[6][0]);
  },

  async "jumps by a click into a curve"() {
    const page = await open(page9());
    const box = await (await page.waitForSelector("#chart-speed .u-over")).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 10);
    await page.mouse.click(box.x + box.width / 2, box.y + 10);
    await settled(page);
    const { tick } = await state(page);
    assert.ok(Math.abs(tick - 499) < 12, `tick ${tick} of 998`);
  },

  async "keeps the moment in the address, and a link shows it"() {
    const path = page9();
    const page = await open(path);
    await page.click("#matches tr:nth-child(3)");
    await press(page, "Shift+ArrowRight", "ArrowRight");
    await page.waitForFunction(() => location.hash === "#match=3&tick=61");
    const other = await open(path, { hash: "#match=3&tick=61" });
    assert.equal((await state(other)).index, starts[2] + 61);
    const marked = await other.$eval("#chart-speed .marker", (marker) => new DOMMatrix(getComputedStyle(marker).transform).e / marker.parentElement.clientWidth);
    assert.ok(Math.abs(marked - 61 / (starts[3] - starts[2] - 1)) < 0.01, `the curves mark ${marked} of the match`);
    for (const hash of ["#match=99&tick=99999", "#match=-1&tick=x", "#nonsense"]) {
      const odd = await open(path, { hash });
      assert.ok((await state(odd)).index >= 0);
    }
  },

  async "follows a link even if the page changes its address before the event"() {
    const page = await open(page9());
    await page.evaluate(() => new Promise((done) => {
      addEventListener("hashchange", done, { once: true });
      location.hash = "#match=2&tick=30";
      history.replaceState(null, "", "#match=1&tick=0");
    }));
    await page.waitForFunction(() => location.hash === "#match=2&tick=30");
    assert.equal((await state(page)).index, starts[1] + 30);
  },

  async "zooms to the pointer, pans, fits"() {
    const page = await open(page9());
    const box = await (await page.waitForSelector("#scene")).boundingBox();
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.wheel(0, -600);
    await settled(page);
    assert.ok((await state(page)).zoom > 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 350, box.y + 320);
    await page.mouse.up();
    await screenshot(page, "zoomed");
    await page.dblclick("#scene", { position: { x: 300, y: 200 } });
    await settled(page);
    assert.equal((await state(page)).zoom, 1);
  },

  async "finds the same causes of death as the program, also of games that are not exact"() {
    let compared = 0;
    for (const name of ["strict_build/game04", "strict_build/game06", "strict_build/game10", "referee_build/game16"]) {
      const path = carried(`${name}.visio.gz`);
      const replayed = await open(pageOf(path, `${name.replace("/", "_")}.html`));
      const known = (await state(replayed)).deaths;
      const bare = await open(pageOf(undefined, "bare.html"));
      await bare.setInputFiles("#file", path);
      await bare.waitForFunction(() => window.forkmunk.state()?.deaths.flat().every((death) => death === null || death.cause !== null));
      assert.deepEqual((await state(bare)).deaths, known, name);
      compared += known.flat().filter((death) => death !== null).length;
    }
    assert.ok(compared >= 20, `${compared} deaths`);
  },

  async "shows the data of a trace"() {
    const traced = inScratch("traced.visio.gz");
    program("play", "--first", "builtin:straight:ticks=150", "--second", "builtin:grid:ticks=150,evaluator=distance",
      "--matches", "PillMap,Buggy", "--record", traced, "--trace");
    const page = await open(pageOf(traced, "traced.html"), { hash: "#match=1&tick=40" });
    const trace = load(traced).thoughts.ticks[40][0];
    assert.ok(await page.isVisible("#search-traces"));
    assert.match(await page.textContent("#search-trace-1"), new RegExp(`score ${trace[0].toFixed(1).replace("-", "−")}`));
    assert.match(await page.textContent("#search-trace-1"), /helpless_mine/);
    assert.match(await page.textContent("#search-trace-2"), /sight_enemy/);
    assert.match(await page.textContent("#readout-1 .said"), /t L|t R|t S/);
    assert.ok(await page.isVisible("#chart-score"));
    await page.selectOption("#term", "room_mine");
    await screenshot(page, "trace");
  },

  async "shows inferred commands of a recording without commands"() {
    const page = await open(pageOf(carried("strict_build/game06.visio.gz"), "hidden.html"), { hash: "#match=2&tick=60" });
    const seen = await state(page);
    assert.equal(seen.commandsFrom, "replay");
    assert.ok(seen.commands.every((command) => ["left", "stop", "right"].includes(command)));
    assert.ok(await page.isVisible("#commands-note"));
  },
});
