// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { audit, carried, cutOff, drop, inScratch, open, overlaps, press, program, run, screenshot, settled, state } from "./browser.mjs";

const path = inScratch("play.html");
program("page", "-o", path);

async function begun(options, choices) {
  const page = await open(path, options);
  await page.waitForSelector("#new-game:not([hidden])");
  for (const [id, label] of Object.entries(choices)) await page.selectOption(`#${id}`, { label });
  return page;
}

const takeOver = async (page) => (await state(page)).takeOver;

/** Measures the largest width beyond the window. */
async function watchWidth(page) {
  await page.evaluate(() => {
    window.excess = 0;
    const look = () => {
      window.excess = Math.max(window.excess, document.documentElement.scrollWidth - innerWidth);
      requestAnimationFrame(look);
    };
    look();
  });
}

async function savedLast(page) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".branch-save").last().click()]);
  const saved = inScratch(`played_${Math.random().toString(36).slice(2)}.visio.gz`);
  await file.saveAs(saved);
  assert.equal(JSON.parse(program("verify", saved, "--json")).mismatching_ticks, 0);
  return JSON.parse(gunzipSync(readFileSync(saved)).toString());
}

/** Low speed gives the driver time on slow machines. */
async function fromTheStart(page) {
  await page.waitForFunction(() => window.forkmunk.state()?.takeOver.branches.length === 2);
  await page.selectOption("#speed", { label: "× 1/8" });
  if ((await takeOver(page)).driving) await page.click("#take-over");
  await press(page, "Home");
  await page.click("#offer-go");
  await page.waitForFunction(() => window.forkmunk.state().takeOver.driving);
}

async function toItsEnd(page) {
  await page.waitForFunction(() => window.forkmunk.state()?.takeOver.branches.length >= 2);
  await page.selectOption("#speed", { label: "× 8" });
  await page.waitForFunction(() => !window.forkmunk.state().takeOver.driving);
  await settled(page);
  assert.ok((await takeOver(page)).branches.at(-1).over);
  return savedLast(page);
}

await run({
  async "plays a match by keyboard, and has its complete replay"() {
    const page = await begun({}, { "new-map": "PillMap", "new-car": "Buggy", "new-matches": "one", "new-opponent": "best" });
    await screenshot(page, "play_form");
    assert.deepEqual(await audit(page), []);
    await page.click("#start-game");
    await fromTheStart(page);
    await page.keyboard.down("ArrowRight");
    const recording = await toItsEnd(page);
    await page.keyboard.up("ArrowRight");
    assert.deepEqual(recording.config, { 1: "you", 2: "best 2 ms" });
    assert.equal(recording.commands.filter(([first]) => first === "right").length > 30, true);
    assert.equal(recording.visio_info.at(-1).type, "end_game");
    assert.match(await page.textContent("#result"), /(won|draw).*1 match/);
    assert.match(await page.textContent("#offer-text"), /^(You (won|lost)|A draw), \d : \d$/);
    assert.match(await page.textContent("#caption"), /^\u2068you\u2069 \d : \d \u2068best/);
    assert.deepEqual(await overlaps(page), []);
    assert.deepEqual(await cutOff(page), []);
    await screenshot(page, "game_over");
    await page.click("#previous-match");
    await page.click("#futures");
    await page.waitForFunction(() => window.forkmunk.state().futures.length > 0);
    await screenshot(page, "played");
  },

  async "plays three matches by touch on a phone, from the right"() {
    const page = await begun({ width: 390, height: 844, scheme: "dark" },
      { "new-map": "IslandMap", "new-car": "Bus", "new-matches": "best of 3", "new-opponent": "straight", "new-side": "on the right" });
    await screenshot(page, "play_form_390_dark");
    await watchWidth(page);
    await page.click("#start-game");
    const box = await (await page.waitForSelector("#touch-left")).boundingBox();
    await page.mouse.move(box.x + 30, box.y + 30);
    await page.mouse.down();
    await page.waitForFunction(() => window.forkmunk.state()?.takeOver.branches[1]?.ticks > 60);
    await screenshot(page, "playing_390_dark");
    await page.mouse.up();
    const recording = await toItsEnd(page);
    assert.ok(recording.visio_info.filter(({ type }) => type === "new_match").length >= 2);
    assert.ok(recording.commands.some(([, second]) => second === "left"));
    assert.equal(await page.evaluate(() => window.excess), 0);
    assert.deepEqual(await overlaps(page), []);
    assert.deepEqual(await cutOff(page), []);
    await screenshot(page, "played_390_dark");
  },

  async "asks before a game is lost that was not downloaded"() {
    const page = await begun({}, { "new-map": "PillMap", "new-matches": "one", "new-opponent": "straight" });
    await page.click("#start-game");
    await page.waitForFunction(() => window.forkmunk.state()?.takeOver.branches[1]?.ticks > 5);
    const asked = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    assert.equal(dialog.type(), "beforeunload");
    await dialog.dismiss();
    await toItsEnd(page);
    const closed = page.waitForEvent("close");
    await page.close({ runBeforeUnload: true });
    await closed;
  },

  async "plays again with the next seed, and continues where it was stopped"() {
    const page = await begun({}, { "new-map": "PillMap", "new-matches": "one", "new-opponent": "straight" });
    await page.click("#start-game");
    await toItsEnd(page);
    await page.selectOption("#speed", { label: "× 1/8" });
    await page.click("#offer-go");
    await page.waitForFunction(() => window.forkmunk.state().takeOver.driving);
    const again = await takeOver(page);
    assert.deepEqual([again.branches.length, again.branches[1].from], [2, 0]);
    await page.waitForFunction(() => window.forkmunk.state().takeOver.branches[1].ticks > 20);
    await page.click("#take-over");
    await settled(page);
    assert.equal(await page.textContent("#offer-go"), "Continue from here");
    const { branches: [, { ticks }] } = await takeOver(page);
    await page.click("#offer-go");
    await page.waitForFunction((n) => window.forkmunk.state().takeOver.branches[1].ticks > n + 10, ticks);
    await page.click("#take-over");
    await settled(page);
    assert.equal((await takeOver(page)).branches.length, 2, "with the same drivers, the branch continues");
    await savedLast(page);
    await page.click("#offer-other");
    assert.ok(await page.isVisible("#new-game"));
    assert.equal(await page.title(), "Forkmunk");
  },

  async "leads from a recording back to the form"() {
    for (const name of ["strict_build/game04", "referee_build/game16"]) {
      const page = await begun({ width: 390, height: 844 }, {});
      await drop(page, carried(`${name}.visio.gz`));
      await page.waitForFunction(() => document.getElementById("verdict").dataset.kind !== "");
      assert.deepEqual([await page.isVisible("#offer-go"), await page.textContent("#offer-other")], [false, "Play a game"]);
      assert.deepEqual([await overlaps(page), await cutOff(page)], [[], []]);
      await page.click("#offer-other");
      assert.deepEqual([await page.isVisible("#new-game"), await page.isVisible("#verdict")], [true, false]);
    }
  },

  async "has no link to a game that was played in the page"() {
    const page = await begun({}, { "new-map": "PillMap", "new-car": "Bus", "new-matches": "one", "new-opponent": "best" });
    await page.click("#start-game");
    await fromTheStart(page);
    await page.click("#take-over");
    await page.click("#link");
    assert.match(await page.textContent("#link-note"), /download it/);
    assert.equal(new URL(page.url()).hash, "");
  },
});
