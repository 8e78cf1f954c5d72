// SPDX-License-Identifier: MIT
// Pages of charts, opened from a file: everything is drawn, in both themes and on a phone; numbers appear under the pointer.

import assert from "node:assert/strict";
import { join } from "node:path";

import { artefacts, cutOff, inScratch, open, program, run } from "./browser.mjs";

const HOSTILE = "sh -c 'exit 1' # <script>alert(1)</script>";

const path = inScratch("arena.html");
program("arena", "builtin:chase", "builtin:level", HOSTILE, "--games", "4", "--rating", "--plot", path);
const charts = [["Score of each pairing", ["score"]], ["Ratings", ["rating"]], ["Matches of builtin:chase", ["won", "drawn", "lost"]]];

/** Of each canvas how many pixels have a colour of a series, and of the axes' texts. */
const drawnPixels = (page) => page.evaluate(() => {
  const style = getComputedStyle(document.documentElement);
  // "#rrggbb" as a little-endian pixel that is opaque.
  const pixel = (name) => {
    const [r, g, b] = style.getPropertyValue(name).trim().match(/[0-9a-f]{2}/g).map((digits) => parseInt(digits, 16));
    return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
  };
  const series = new Set([0, 1, 2, 3, 4].map((i) => pixel(`--series-${i}`)));
  const text = pixel("--dim");
  return [...document.querySelectorAll("canvas")].map((canvas) => {
    const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    return { series: pixels.filter((one) => series.has(one)).length, text: pixels.filter((one) => one === text).length };
  });
});

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const texts = (page, selector) => page.$$eval(selector, (elements) => elements.map((element) => element.textContent));
const legendOf = (section) => section.$$eval(".u-series:not(:first-child) th", (labels) => labels.map((label) => label.textContent));

await run({
  async "draws the results, light and dark, wide and on a phone"() {
    const backgrounds = [];
    for (const scheme of ["light", "dark"]) {
      for (const width of [1200, 390]) {
        const page = await open(path, { width, scheme });
        assert.deepEqual(await texts(page, "h1"), ["Arena results"]);
        assert.match(await page.textContent("#subtitle"), /^forkmunk \d/);
        assert.deepEqual(await texts(page, "h2"), charts.map(([title]) => title));
        for (const [i, section] of (await page.$$("section")).entries()) assert.deepEqual(await legendOf(section), charts[i][1]);
        const drawn = await drawnPixels(page);
        assert.equal(drawn.length, charts.length);
        for (const [i, { series, text }] of drawn.entries()) {
          assert.ok(series > 30, `${charts[i][0]}, ${scheme}, ${width}: ${series} pixels of its series`);
          assert.ok(text > 30, `${charts[i][0]}, ${scheme}, ${width}: ${text} pixels of its texts`);
        }
        assert.deepEqual(await cutOff(page), [], `${width} wide`);
        await page.screenshot({ path: join(artefacts, `charts_${width}_${scheme}.png`), fullPage: true });
        backgrounds.push(await background(page));
      }
    }
    assert.notEqual(backgrounds[0], backgrounds.at(-1));
  },

  async "loads nothing else"() {
    const page = await open(path);
    assert.deepEqual(await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name)), []);
  },

  async "shows an interval, and a bot's name as text"() {
    const page = await open(path);
    const box = await (await page.waitForSelector(".u-over")).boundingBox();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 1.5 * (box.height / 3));
    await page.waitForFunction(() => document.querySelector(".u-series .u-value").textContent !== "");
    assert.equal(await page.$eval(".u-series .u-value", (element) => element.textContent), `builtin:chase – ${HOSTILE}`);
    assert.match(await page.$eval("section .u-series:nth-child(2) .u-value", (element) => element.textContent), /^[01]\.\d{3}.* \(.* to .*\)$/);
  },

  async "changes its theme by the button, and its width with the window"() {
    const page = await open(path);
    const before = await background(page);
    await page.click("#theme");
    assert.notEqual(await background(page), before);
    assert.ok((await drawnPixels(page))[0].series > 30, "in the other theme's colours");
    await page.setViewportSize({ width: 700, height: 800 });
    await page.waitForFunction(() => document.querySelector(".u-wrap").getBoundingClientRect().width < 700);
    assert.deepEqual(await cutOff(page), []);
  },
});
