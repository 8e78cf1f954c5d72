// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { join } from "node:path";

import { artefacts, cutOff, inScratch, open, program, run } from "./browser.mjs";

const HOSTILE = "sh -c 'exit 1' # <script>alert(1)</script>";

const path = inScratch("arena.html");
program("arena", "builtin:chase", "builtin:level", HOSTILE, "--games", "4", "--rating", "--plot", path);
const charts = [["Score of each pairing", ["score"]], ["Ratings", ["rating"]], ["Matches of builtin:chase", ["won", "drawn", "lost"]]];

/** Returns each row's text and its marks as shares of the track's width. */
const drawnRows = (page) => page.$$eval("section", (sections) => sections.map((section) => {
  const texts = [...section.querySelectorAll(".text")];
  return [...section.querySelectorAll(".track")].map((track, i) => {
    const { left, width } = track.getBoundingClientRect();
    const share = (x) => (x - left) / width;
    const box = (mark) => mark.getBoundingClientRect();
    const of = (selector) => [...track.querySelectorAll(selector)].map(box);
    return {
      text: texts[i].textContent, title: texts[i].title,
      dots: of(".dot").map((dot) => share(dot.left + dot.width / 2)),
      intervals: of(".interval").map((one) => [share(one.left), share(one.right)]),
      bars: of(".bar").map((bar) => bar.width / width),
      colours: [...track.querySelectorAll(".bar, .dot")].map((mark) => getComputedStyle(mark).backgroundColor),
    };
  });
}));
const isNear = (found, expected, what) => assert.ok(Math.abs(found - expected) < 0.01, `${what}: found ${found}, expected ${expected}`);

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const texts = (page, selector) => page.$$eval(selector, (elements) => elements.map((element) => element.textContent));
const legendOf = (section) => section.$$eval(".legend > span", (labels) => labels.map((label) => label.textContent));

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
        const [scores, ratings, matches] = await drawnRows(page);
        assert.equal(scores.length, 3);
        assert.equal(ratings.length, 3);
        for (const { text, title, dots, intervals } of scores) {
          isNear(dots[0], Number(text.match(/^[01]\.\d{3}/)[0]), "the place of a score");
          const [low, high] = title.match(/\(([\d.]+) to ([\d.]+)\)/).slice(1).map(Number);
          isNear(intervals[0][0], low, "the low end of an interval");
          isNear(intervals[0][1], high, "the high end of an interval");
        }
        const counts = matches.map(({ text }) => text.split(" – ").map(Number)), sums = counts.map((row) => row.reduce((a, b) => a + b));
        assert.ok(matches.length > 0);
        matches.forEach(({ bars }, row) => bars.forEach((bar, i) => isNear(bar, counts[row][i] / Math.max(...sums), "the length of a bar")));
        assert.equal(new Set(matches[0].colours).size, 3, "won, drawn and lost have colours of their own");
        assert.deepEqual(await cutOff(page), [], `${width} wide`);
        assert.ok(await page.$$eval(".label", (labels) => labels.every((label) => label.scrollWidth <= label.clientWidth)), "bots are told apart by whole names");
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
    assert.ok((await texts(page, ".label")).includes(`builtin:chase – ${HOSTILE}`));
    assert.match((await drawnRows(page))[0][0].title, /^[01]\.\d{3}.* \(.* to .*\)$/);
  },

  async "changes its theme by the button, and its width with the window"() {
    const page = await open(path);
    const before = await background(page);
    await page.click("#theme");
    assert.notEqual(await background(page), before);
    await page.setViewportSize({ width: 700, height: 800 });
    const [{ dots: [dot], text }] = (await drawnRows(page))[0];
    isNear(dot, Number(text.match(/^[01]\.\d{3}/)[0]), "the place of a score in a narrow window");
    assert.deepEqual(await cutOff(page), []);
  },
});
