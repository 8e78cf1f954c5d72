// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";

import { carried, drop, inScratch, load, numbersOf, open, pageOf, press, run, screenshot, settled, state, store, ticksOf } from "./browser.mjs";

const SMALL = carried("strict_build/game04.visio.gz");
const empty = pageOf(undefined, "empty.html");

function bytes(name, content) {
  const path = inScratch(name);
  writeFileSync(path, content);
  return path;
}

function changed(name, change) {
  const recording = load(SMALL);
  change(recording);
  return store(name, recording);
}

const BROKEN = [
  ["empty.gz", () => bytes("empty.gz", ""), /^empty\.gz: /],
  ["cut.gz", () => bytes("cut.gz", readFileSync(SMALL).subarray(0, 60_000)), /gzip/],
  ["notes.txt", () => bytes("notes.txt", "hello"), /"hello"/],
  ["scene.fmrec", () => bytes("scene.fmrec", "FMREC\x00\x001"), /forkmunk scene/],
  ["twice.gz", () => bytes("twice.gz", gzipSync(readFileSync(SMALL))), /unpack the file once/],
  ["picture.png", () => bytes("picture.png", Buffer.from("89504e470d0a1a0a00", "hex")), /picture\.png: /],
  ["list.gz", () => store("list.gz", [1, 2]), /"\[1,2\]"/],
  ["other.gz", () => store("other.gz", { name: "x", version: 2 }), /: config: /],
  ["broken.gz", () => bytes("broken.gz", gzipSync('{"config": {"1": 1,')), / at byte 19\b/],
  ["nan.gz", () => bytes("nan.gz", gzipSync('{"config":{"1":1,"2":2},"visio_info":[NaN]}')), /visio_info\[0\]: /],
  ["noparams.gz", () => changed("noparams.gz", (r) => delete r.visio_info[3].params), /event 3 \(tick\): params: /],
  ["huge.gz", () => changed("huge.gz", (r) => (r.visio_info[9].params.cars["2"][3][0] = 1e300)), /match 1, tick_num 8: /],
  ["notext.gz", () => changed("notext.gz", (r) => (r.visio_info[9].params.cars["1"][1] = "up")), /event 9 \(tick\): params\.cars\.1\[1\]: /],
  ["noticks.gz", () => changed("noticks.gz", (r) => (r.visio_info = r.visio_info.filter((e) => e.type === "new_match"))), /^noticks\.gz: /],
  ["nomatch.gz", () => changed("nomatch.gz", (r) => (r.visio_info = [])), /^nomatch\.gz: /],
  ["early.gz", () => changed("early.gz", (r) => r.visio_info.shift()), /event 0 \(tick\): type: /],
  ["shape.gz", () => changed("shape.gz", (r) => (r.visio_info[0].params.proto_map.segments[2] = { type: "arc" })), /proto_map\.segments\[2\]: /],
  ["wheels.gz", () => changed("wheels.gz", (r) => (r.visio_info[0].params.proto_car.squared_wheels = "hexagon")), /squared_wheels: /],
  ["type.gz", () => changed("type.gz", (r) => (r.visio_info[5].type = "<b>")), /event 5 \(<b>\): type: .*<b>/],
  ["command.gz", () => changed("command.gz", (r) => (r.commands[7][1] = "jump")), /commands\[7\]\[1\]: /],
  ["trace.gz", () => changed("trace.gz", (r) => (r.trace = [["t L", 7]])), /trace\[0\]\[1\]: /],
];

await run({
  async "opens dropped files"() {
    const page = await open(empty);
    assert.ok(await page.isVisible("#open-empty"));
    await screenshot(page, "empty");
    await drop(page, SMALL);
    const first = await state(page);
    assert.equal(first.fileName, "game04.visio.gz");
    assert.equal(first.matches, 5);
    assert.deepEqual(first.drawn, numbersOf(ticksOf(load(SMALL))[0]));
    assert.deepEqual(first.names[0], ["PillCarcassMap", "SquareWheelsBuggy"], "named by the catalogue in the page");
    await drop(page, carried("strict_build/game09.visio.gz"));
    assert.equal((await state(page)).matches, 9);
    assert.deepEqual((await state(page)).names[0], ["PillCarcassMap", "other(1)"], "its car differs from the catalogue");
  },

  async "shows another file whole, and keeps the futures"() {
    const page = await open(empty);
    const legendOf = async (path) => {
      await drop(page, path);
      await page.waitForFunction(() => !document.getElementById("futures").disabled);
      return page.isVisible("#futures-legend");
    };
    assert.equal(await legendOf(SMALL), false);
    await page.click("#futures");
    await press(page, "+");
    assert.equal(await page.getAttribute("#scene", "class"), "zoomed");
    assert.equal(await legendOf(carried("strict_build/game09.visio.gz")), true);
    assert.equal(await page.getAttribute("#scene", "class"), "", "a touch scrolls the page again");
  },

  async "opens a file with a byte order mark"() {
    const page = await open(empty);
    await drop(page, bytes("marked.json", Buffer.concat([Buffer.from("efbbbf", "hex"), gunzipSync(readFileSync(SMALL))])));
    assert.equal((await state(page)).fileName, "marked.json");
  },

  async "opens a file of several gzip members"() {
    const page = await open(empty);
    const text = gunzipSync(readFileSync(SMALL));
    const members = [gzipSync(text.subarray(0, 1000)), gzipSync(""), gzipSync(text.subarray(1000), { level: 0 })];
    await drop(page, bytes("members.gz", Buffer.concat([...members, Buffer.alloc(512)])));
    assert.equal((await state(page)).fileName, "members.gz");
    for (const rest of [Buffer.from("more"), members[0].subarray(0, 100)]) {
      await drop(page, bytes("rest.gz", Buffer.concat([...members, rest])));
      assert.match(await page.textContent("#message-text"), /^rest\.gz: .*from byte \d+ on/);
    }
  },

  async "opens none of several files"() {
    const page = await open(empty);
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      for (const name of ["one.gz", "two.gz"]) data.items.add(new File(["{}"], name));
      return data;
    });
    await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
    assert.ok(await page.isVisible("#drop"));
    await page.dispatchEvent("#drop", "drop", { dataTransfer: transfer });
    assert.equal(await page.textContent("#message-text"), "2 files were dropped: drop one recording");
    assert.ok(!(await page.isVisible("#drop")));
  },

  async "opens a file by the dialog"() {
    const page = await open(empty);
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#open-empty")]);
    await chooser.setFiles(SMALL);
    await page.waitForFunction(() => window.forkmunk.state() !== null);
    assert.equal((await state(page)).tickCount, 1112);
  },

  async "reports errors of corrupt and foreign files"() {
    const page = await open(empty);
    for (const [name, make, expected] of BROKEN) {
      await drop(page, make(), name);
      const text = await page.textContent("#message-text");
      assert.ok(await page.isVisible("#message"), name);
      assert.ok(text.startsWith(`${name}: `), text);
      assert.match(text, expected);
      assert.ok(await page.isVisible("#empty"), "the page still works");
    }
    await screenshot(page, "error");
    await drop(page, SMALL);
    assert.ok(!(await page.isVisible("#message")));
    await drop(page, bytes("bad.gz", "bad"));
    assert.ok(await page.isVisible("#message"), "a game stays open behind a message");
    assert.equal((await state(page)).matches, 5);
    await page.click("#message-close");
    assert.ok(!(await page.isVisible("#message")));
  },

  async "shows text from a recording as text"() {
    const attack = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>`;
    const hostile = changed("hostile.gz", (recording) => {
      recording.config = { 1: attack, 2: "</script><script>window.hit=1</script>" };
      recording.trace = recording.visio_info.filter((e) => e.type === "tick").map(() => [attack, "</p><b id=injected>"]);
    });
    const dropped = await open(empty);
    await drop(dropped, hostile, `${attack}.gz`);
    const made = await open(pageOf(hostile, "hostile.html"));
    for (const page of [dropped, made]) {
      assert.ok((await page.textContent("#readout-1 .said")).includes(attack));
      assert.equal(await page.textContent("#readout-1 [data-value=name]"), attack);
      assert.ok(await page.isVisible("#readout-1 .said"));
      assert.equal(await page.evaluate(() => window.hit), undefined);
      assert.equal(await page.$("#injected, img"), null);
    }
    await screenshot(made, "hostile_text");
  },

  async "a name neither turns the text around it, nor fills the line"() {
    const named = changed("named.gz", (recording) => (recording.config = { 1: "\u202eabc", 2: `python3 ${"bot/".repeat(50)}` }));
    const page = await open(pageOf(named, "named.html"));
    await press(page, "d");
    for (const id of ["result", "outcome"]) {
      assert.ok((await page.textContent(`#${id}`)).length < 140);
      const [first, last] = await page.evaluate((shown) => {
        const { firstChild: node } = document.getElementById(shown), at = node.data.search(/won|lost/);
        return [at, at + 2].map((i) => {
          const range = new Range();
          range.setStart(node, i);
          range.setEnd(node, i + 1);
          return range.getBoundingClientRect().left;
        });
      }, id);
      assert.ok(first < last, `#${id} is written from left to right`);
    }
  },

  async "refuses to run a script that is not its own"(problems) {
    const page = await open(empty);
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.hit = 1";
      document.body.append(script);
    });
    assert.equal(await page.evaluate(() => window.hit), undefined);
    assert.ok(problems.length > 0 && problems.every((text) => text.includes("Content Security Policy")), problems.join());
    problems.length = 0;
  },

  async "shows one match, forty matches, a truncated one and one without ticks"() {
    const page = await open(empty);
    const recording = load(SMALL);
    const second = recording.visio_info.findIndex((event, i) => i > 0 && event.type === "new_match");
    await drop(page, store("one.gz", { ...recording, visio_info: recording.visio_info.slice(0, second - 40) }));
    assert.equal((await state(page)).matches, 1);
    assert.match(await page.textContent("#result"), /ends in mid-game · 1 match,/);
    const match = recording.visio_info.slice(0, second);
    const forty = Array.from({ length: 40 }, () => match).flat();
    await drop(page, store("forty.gz", { config: recording.config, visio_info: [...forty, match[0]] }));
    const seen = await state(page);
    assert.equal(seen.matches, 41);
    await page.click("#matches tr:nth-child(40)");
    await settled(page);
    assert.equal((await state(page)).match, 40);
    await page.keyboard.press("End");
    await page.keyboard.press("n");
    await settled(page);
    assert.equal((await state(page)).match, 40, "the last match has no tick to show");
    await screenshot(page, "forty_matches");
  },

  async "opens old logs"() {
    const old = changed("old.gz", (recording) => {
      // The oldest logs have no alive flags, rest and commands, and ids are numbers.
      recording.config = { 1: 11733, 2: 11756 };
      delete recording.commands;
      delete recording.matches;
      recording.visio_info = recording.visio_info.filter(({ type, params }) =>
        type !== "tick" || (params.cars["1"][5] && params.cars["2"][5]));
      for (const { type, params } of recording.visio_info) {
        if (type === "tick") for (const side of ["1", "2"]) params.cars[side].length = 5;
      }
    });
    const page = await open(empty);
    await drop(page, old);
    const seen = await state(page);
    assert.equal(seen.commandsFrom, "nowhere");
    assert.match(await page.textContent("#readout-1 [data-value=command]"), /unknown/);
    assert.ok(seen.deaths.every(([first, second]) => first === null && second !== null), "inferred from the lives");
    await page.waitForFunction(() => window.forkmunk.state().deaths.flat().every((death) => death === null || death.cause !== null));
    const causes = ({ deaths }) => deaths.map((pair) => pair.map((death) => death?.cause));
    assert.deepEqual(causes(await state(page)), causes(await state(await open(pageOf(SMALL, "small.html")))));
  },
});
