// SPDX-License-Identifier: MIT
// cmake --build --preset release --target page_benchmark: prints load times of a long game and of a large scene, frames
// per second of playback, scrubbing and driving, and the processor time of the scene's thread.

import { statSync } from "node:fs";
import { loadavg } from "node:os";

import { carried, largeScene, longGame, open, pageOf, run, screenshot, state } from "./browser.mjs";

const TICKS = 6000;
const WATCHED_MS = 5000;
const REPETITIONS = 5;

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Returns medians of several stretches. */
async function watched(page) {
  const stretches = [];
  for (let i = 0; i < REPETITIONS; ++i) {
    stretches.push(await page.evaluate(async (ms) => {
      const seen = () => {
        const { framesDrawn, takeOver } = window.forkmunk.state();
        return [performance.now(), framesDrawn, takeOver.branches.at(-1)?.ticks ?? 0];
      };
      const [begin, frames, ticks] = seen();
      await new Promise((done) => setTimeout(done, ms));
      const [end, framesNow, ticksNow] = seen();
      return [(1000 * (framesNow - frames)) / (end - begin), (1000 * (ticksNow - ticks)) / (end - begin)];
    }, WATCHED_MS / REPETITIONS));
  }
  return [0, 1].map((i) => median(stretches.map((stretch) => stretch[i])).toFixed(0));
}

await run({
  async "a long game"() {
    const path = pageOf(longGame(TICKS), "long.html");
    const page = await open(path);
    const usable = await page.evaluate(() => performance.now());
    await page.click("#play");
    await page.waitForTimeout(500);
    const [frames] = await watched(page);
    console.log(`a page of ${(await state(page)).tickCount} ticks: ${statSync(path).size} bytes, usable after ${Math.round(usable)} ms, ` +
      `${frames} frames a second at 1200 x 800, drawn by software`);
    await screenshot(page, "long_game");
  },

  async "a scene of 200 bodies and 600 steps"() {
    const path = await largeScene(), figures = [];
    for (let i = 0; i < REPETITIONS; ++i) {
      let threadMs;
      const page = await open(path, { prepare: async (fresh) => {
        const client = await fresh.context().newCDPSession(fresh);
        await client.send("Performance.enable", { timeDomain: "threadTicks" });
        threadMs = async () => 1000 * (await client.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
      } });
      const [usable, usableThread] = [await page.evaluate(() => performance.now()), await threadMs()];
      await page.waitForFunction(() => window.forkmunk.state().isVerified);
      const figure = { usable, usableThread };
      for (const name of ["nothing", "body"]) {
        if (name === "body") await page.click("#objects button:nth-child(150)");
        const before = await threadMs();
        // A hand on the scrub bar seeks so.
        const [frames, ms] = await page.evaluate(async (most) => {
          const begin = performance.now(), first = window.forkmunk.state().framesDrawn;
          for (let k = 0; performance.now() - begin < most; ++k) {
            window.forkmunk.seek((37 * k) % 600);
            await new Promise(requestAnimationFrame);
          }
          return [window.forkmunk.state().framesDrawn - first, performance.now() - begin];
        }, WATCHED_MS / REPETITIONS);
        figure[name] = (1000 * frames) / ms;
        figure[`${name}Thread`] = ((await threadMs()) - before) / frames;
      }
      figures.push(figure);
      await page.context().close();
    }
    const of = (name, digits = 0) => median(figures.map((figure) => figure[name])).toFixed(digits);
    console.log(`200 bodies and 600 steps: ${statSync(path).size} bytes, usable after ${of("usable")} ms (${of("usableThread")} ms of the page's thread); ` +
      `scrubbing: ${of("nothing")} frames a second (${of("nothingThread", 1)} ms of the thread each), with a body selected ${of("body")} (${of("bodyThread", 1)} ms); ` +
      `load ${loadavg()[0].toFixed(1)}`);
  },

  async "driving against a planner"() {
    const page = await open(pageOf(carried("strict_build/game09.visio.gz"), "game09.html"));
    await page.waitForFunction(() => !document.getElementById("take-over").disabled);
    await page.click("#take-over");
    await page.selectOption("#driver-1", "hand");
    await page.selectOption("#driver-2", "best");
    await page.fill("#driver-2-ms", "8");
    await page.click("#drive");
    await page.waitForFunction(() => window.forkmunk.state().takeOver.driving);
    const [frames, ticks] = await watched(page);
    console.log(`against best at 8 ms a tick: ${ticks} ticks and ${frames} frames a second (the game has 62.5 ticks a second)`);
  },
});
