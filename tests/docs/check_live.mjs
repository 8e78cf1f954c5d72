// SPDX-License-Identifier: MIT
// node check_live.mjs SITE: uses the first page's scene and the search in Chromium; no page is wider than a phone.
// FORKMUNK_PICTURE: a folder for pictures.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { FORKMUNK_CHROMIUM: executablePath, FORKMUNK_NODE_MODULES: modules, FORKMUNK_PICTURE: pictures } = process.env;
if (!executablePath || !existsSync(executablePath) || !existsSync(join(modules, "node_modules/playwright-core"))) {
  console.log("skipped: chromium or playwright-core is not installed (scripts/install_deps)");
  process.exit(0);
}
const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");
const site = resolve(process.argv[2]);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const problems = [];
try {
  const all = [[1200, "light"], [390, "dark"], [1200, "dark"], [390, "light"]];
  for (const [width, colorScheme] of pictures ? all : all.slice(0, 2)) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    page.setDefaultTimeout(300_000);
    page.on("pageerror", (error) => problems.push(error.stack));
    await page.goto(pathToFileURL(join(site, "index.html")).href);
    await page.waitForFunction(() => window.forkmunkScene?.state().saved > 10);
    const state = () => page.evaluate(() => window.forkmunkScene.state());
    await page.click("[data-live=drop]");
    await page.waitForFunction(() => document.querySelector("[data-live=numbers]").textContent.includes(" 37 bodies"));
    const [before, after] = await page.evaluate(() => {
      const slider = document.querySelector("[data-live=time]"), at = window.forkmunkScene.state();
      slider.value = 0;
      for (const kind of ["input", "change"]) slider.dispatchEvent(new Event(kind));
      return [at, window.forkmunkScene.state()];
    });
    assert.deepEqual([after.step, after.saved], [0, 1], JSON.stringify(before));
    assert.notDeepEqual(after.hashes, before.hashes);
    await page.click("[data-live=fork]");
    await page.waitForFunction(() => window.forkmunkScene.state().step > 60);
    const forked = await state();
    assert.equal(new Set(forked.hashes).size, 4, "the futures are not four");
    if (pictures) await page.screenshot({ path: join(pictures, `site_${width}_${colorScheme}.png`) });
    await page.click("[data-live=canvas]", { position: { x: 20, y: 20 } });
    assert.equal((await state()).spaces, 1);
    if (width === 1200) {
      // The theme ignores keys until its search is ready.
      for (let tries = 1; !(await page.isVisible(".md-search-result__item")); ++tries) {
        await page.fill("[data-md-component=search-query]", "");
        await page.type("[data-md-component=search-query]", "Checkpoint");
        const found = page.waitForSelector(".md-search-result__item", { timeout: 5_000 });
        await (tries < 24 ? found.catch(() => null) : found);
      }
    }
    for (const name of ["index.html", "docs/tutorial/pymunk.html", "docs/tutorial/rollback.html", "docs/guide/how_it_works.html", "docs/reference/js_api.html"]) {
      await page.goto(pathToFileURL(join(site, name)).href);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${name} is ${over} pixels wider than ${width}`);
      if (pictures) await page.screenshot({ path: join(pictures, `${name.replaceAll("/", "_").slice(0, -5)}_${width}_${colorScheme}.png`) });
    }
    await context.close();
  }
  assert.deepEqual(problems, []);
  console.log("the scene plays");
} finally {
  await browser.close();
}
