// A game of 6,000 ticks: how large its page is, how soon it can be used, how many frames it draws. The figures are printed.

import assert from "node:assert/strict";
import { statSync } from "node:fs";

import { carried, load, open, pageOf, run, screenshot, state, store } from "./browser.mjs";

const TICKS = 6000;
const PAGE_BYTES_MAX = 3e6;
const USABLE_MS_MAX = 2000;
const FRAMES_PER_SECOND_MIN = 30;
const WATCHED_MS = 5000;

/** The matches of two recordings behind each other, cut at so many ticks. */
function longGame() {
  const parts = ["strict_build/game09", "strict_build/game10", "strict_build/game04"].map((name) => load(carried(`${name}.visio.gz`)));
  const long = { config: parts[0].config, visio_info: [], commands: [] };
  let ticks = 0;
  for (const part of parts) {
    let own = 0;
    for (const event of part.visio_info) {
      if (event.type === "end_game" || ticks === TICKS) continue;
      if (event.type === "tick") {
        event.params.tick_num = ticks++;
        long.commands.push(part.commands[own++]);
      }
      long.visio_info.push(event);
    }
  }
  return store("long.visio.gz", long);
}

await run({
  async "a long game is small, soon there, and smooth"() {
    const path = pageOf(longGame(), "long.html");
    const bytes = statSync(path).size;
    const page = await open(path);
    const usable = await page.evaluate(() => performance.now());
    assert.equal((await state(page)).tickCount, TICKS);
    await page.click("#play");
    await page.waitForTimeout(500);
    const before = await page.evaluate(() => [performance.now(), window.forkmunk.state().framesDrawn]);
    await page.waitForTimeout(WATCHED_MS);
    const after = await page.evaluate(() => [performance.now(), window.forkmunk.state().framesDrawn]);
    const frames = (after[1] - before[1]) / ((after[0] - before[0]) / 1000);
    console.log(`a page of ${TICKS} ticks: ${bytes} bytes; usable after ${Math.round(usable)} ms; ` +
      `${frames.toFixed(1)} frames a second at 1200 x 800, software renderer`);
    await screenshot(page, "long_game");
    assert.ok(bytes < PAGE_BYTES_MAX, `${bytes} bytes`);
    assert.ok(usable < USABLE_MS_MAX, `${usable} ms`);
    assert.ok(frames >= FRAMES_PER_SECOND_MIN, `${frames} frames a second`);
  },
});
