// SPDX-License-Identifier: MIT
// Compares the page with pygame's picture (scripts/test_pypi).

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import assert from "node:assert/strict";

import { inScratch, open, run, screenshot, settled, state } from "./browser.mjs";

const { FORKMUNK_PYTHON, FORKMUNK_PYTHON_PATH, FORKMUNK_PYTHON_SCENE } = process.env;
const WALL_PIXELS = 8; // blurred edges have any grey
const PIXELS_MAX = 3, RIM_PIXELS = 3; // rims are outside of the shapes

const folder = inScratch("pusht");
mkdirSync(folder);
execFileSync(FORKMUNK_PYTHON, ["-B", FORKMUNK_PYTHON_SCENE, folder], { env: { ...process.env, PYTHONPATH: FORKMUNK_PYTHON_PATH } });

/** Returns the box around the pixels of a colour and its middle; `at` returns a pixel's colour. */
function extent(width, height, at, colour) {
  const found = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  let count = 0;
  for (let y = WALL_PIXELS; y < height - WALL_PIXELS; ++y) {
    for (let x = WALL_PIXELS; x < width - WALL_PIXELS; ++x) {
      if (at(x, y).some((part, k) => part !== colour[k])) continue;
      Object.assign(found, { left: Math.min(found.left, x), top: Math.min(found.top, y), right: Math.max(found.right, x), bottom: Math.max(found.bottom, y) });
      ++count;
    }
  }
  assert.ok(count > 100, `${count} pixels of ${colour}`);
  return { ...found, x: (found.left + found.right) / 2, y: (found.top + found.bottom) / 2 };
}

await run({
  async "the page shows the scene as pygame draws it"() {
    const { width, height, pixels, colours } = JSON.parse(readFileSync(`${folder}/picture.json`, "utf8"));
    const drawn = Buffer.from(pixels, "hex"), page = await open(`${folder}/pusht.html`);
    await page.evaluate(() => window.forkmunk.seek(150));
    await page.click("#layer-contacts");
    await settled(page);
    // One of the page's pixels for each of pygame's.
    const shown = await page.evaluate(([w, h]) => {
      const { scale, origin, up } = window.forkmunk.state(), layer = document.getElementById("layer"), { data } = layer.getContext("2d").getImageData(0, 0, layer.width, layer.height);
      return Array.from({ length: w * h }, (_, i) => {
        const x = Math.round(origin.x + scale * (i % w)), y = Math.round(origin.y - up * scale * Math.floor(i / w)), at = 4 * (y * layer.width + x);
        return [...data.slice(at, at + 3)];
      });
    }, [width, height]);
    for (const [name, colour] of Object.entries(colours)) {
      const theirs = extent(width, height, (x, y) => [...drawn.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)], colour);
      const ours = extent(width, height, (x, y) => shown[y * width + x], colour);
      for (const [side, value] of Object.entries(theirs)) assert.ok(Math.abs(value - ours[side]) <= PIXELS_MAX + (side.length > 1 ? RIM_PIXELS : 0), `${name}: ${side} ${value}, ${ours[side]} in the page`);
      console.log(`${name}: ${Object.entries(theirs).map(([side, value]) => `${side} ${value.toFixed(1)} ${ours[side].toFixed(1)}`).join(", ")}`);
    }
    await screenshot(page, "pusht");
  },
  async "it scrubs, forks at step 150 with another velocity, and verifies"() {
    const page = await open(`${folder}/pusht.html`);
    await page.waitForFunction(() => window.forkmunk.state().isVerified);
    assert.ok((await state(page)).verdicts.every(({ exact }) => exact));
    const box = await (await page.waitForSelector("#scrub")).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await settled(page);
    assert.equal((await state(page)).step, 150);
    await page.click("#objects button");
    await page.click("#fork");
    await page.fill("[name=vx]", "300");
    await page.click("#set");
    await page.fill("#run-steps", "100");
    await page.click("#run");
    await page.waitForFunction(() => window.forkmunk.state().isVerified);
    const { runs, last, verdicts } = await state(page);
    assert.deepEqual([runs, last], [2, 250]);
    assert.ok(verdicts.every(({ exact }) => exact));
    await screenshot(page, "pusht-branch");
  },
});
