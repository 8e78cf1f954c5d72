// A page without a recording, to play in: a match by keyboard and one by touch, to their ends.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { inScratch, open, program, run, screenshot, settled, state } from "./browser.mjs";

const path = inScratch("play.html");
program("page", "-o", path);

async function begun(options, choices) {
  const page = await open(path, options);
  await page.waitForSelector("#new-game:not([hidden])");
  for (const [id, label] of Object.entries(choices)) await page.selectOption(`#${id}`, { label });
  return page;
}

async function toItsEnd(page) {
  await page.waitForFunction(() => window.forkmunk.state()?.takeOver.branches.length === 2, null, { timeout: 10_000 });
  await page.selectOption("#speed", { label: "× 8" });
  await page.waitForFunction(() => !window.forkmunk.state().takeOver.driving, null, { timeout: 90_000 });
  await settled(page);
  assert.ok((await state(page)).takeOver.branches[1].over);
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".branch-save").nth(1).click()]);
  const saved = inScratch(`played_${Math.random().toString(36).slice(2)}.visio.gz`);
  await file.saveAs(saved);
  assert.equal(JSON.parse(program("verify", saved, "--json")).mismatching_ticks, 0);
  return JSON.parse(gunzipSync(readFileSync(saved)).toString());
}

await run({
  async "plays a match by keyboard, and the replay is all there"() {
    const page = await begun({}, { "new-map": "PillMap", "new-car": "Buggy", "new-matches": "one", "new-opponent": "best" });
    await screenshot(page, "play_form");
    await page.click("#start-game");
    await page.waitForFunction(() => window.forkmunk.state()?.takeOver.driving);
    await page.keyboard.down("ArrowRight");
    const recording = await toItsEnd(page);
    await page.keyboard.up("ArrowRight");
    assert.deepEqual(recording.config, { 1: "you", 2: "best 2 ms" });
    assert.equal(recording.commands.filter(([first]) => first === "right").length > 30, true);
    assert.equal(recording.visio_info.at(-1).type, "end_game");
    assert.match(await page.textContent("#result"), /(won|draw).*1 match/);
    await page.click("#previous-match");
    await page.click("#futures");
    await page.waitForFunction(() => window.forkmunk.state().futures.length > 0);
    await screenshot(page, "played");
  },

  async "plays three matches by touch on a phone, from the right"() {
    const page = await begun({ width: 390, height: 844, scheme: "dark" },
      { "new-map": "IslandMap", "new-car": "Bus", "new-matches": "best of 3", "new-opponent": "straight", "new-side": "on the right" });
    await screenshot(page, "play_form_390_dark");
    await page.click("#start-game");
    const box = await (await page.waitForSelector("#touch-left")).boundingBox();
    await page.mouse.move(box.x + 30, box.y + 30);
    await page.mouse.down();
    await page.waitForFunction(() => window.forkmunk.state()?.takeOver.branches[1]?.ticks > 60, null, { timeout: 20_000 });
    await screenshot(page, "playing_390_dark");
    await page.mouse.up();
    const recording = await toItsEnd(page);
    assert.ok(recording.visio_info.filter(({ type }) => type === "new_match").length >= 2);
    assert.ok(recording.commands.some(([, second]) => second === "left"));
    await screenshot(page, "played_390_dark");
  },
});
