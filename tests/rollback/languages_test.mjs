// SPDX-License-Identifier: MIT
// Programs in C++, Python, node and Chromium play one game over simulated lines.
// FORKMUNK_ROLLBACK_FRAMES: the frames of a game.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";

import { folder, random, run } from "../js/run.mjs";
import { endAll, here, MAKE as PROGRAMS, read } from "./programs.mjs";

const { FORKMUNK_CHROMIUM: executablePath, FORKMUNK_NODE_MODULES: modules } = process.env;
const FRAMES = Number(process.env.FORKMUNK_ROLLBACK_FRAMES ?? 500);

let browser = null, server, address;
if (executablePath && existsSync(executablePath) && existsSync(join(modules, "node_modules/playwright-core"))) {
  const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");
  const types = { ".mjs": "text/javascript", ".html": "text/html" };
  server = createServer((request, response) => {
    const name = new URL(request.url, "http://localhost").pathname.slice(1);
    if (name === "page.html") return response.setHeader("content-type", "text/html").end("<!doctype html><title>peer</title>");
    const file = name === "peer.mjs" ? here(name) : join(folder, name);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader("content-type", types[extname(name)] ?? "text/plain").end(readFileSync(file));
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  address = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
}
class Page {
  static async open(given) {
    const own = new Page();
    own.page = await browser.newPage();
    await own.page.goto(`${address}/page.html`);
    await own.page.evaluate(async (options) => {
      const [{ load: loadIt, RollbackSession: Session }, { Peer: Own }] = await Promise.all([import("/index.mjs"), import("/peer.mjs")]);
      globalThis.peer = new Own(await loadIt(), Session, ...options);
    }, given);
    return own;
  }
  do(line) {
    return this.page.evaluate((text) => globalThis.peer.do(text), line);
  }
  end() {
    return this.page.close();
  }
}

const MAKE = { ...PROGRAMS, Chromium: (given) => (browser === null ? PROGRAMS.node(given) : Page.open(given)) };

/** From 0 to 250 ms both ways at 60 ticks a second, and from no loss to 30 %. */
const LINES = [{ delay: 0, jitter: 0, loss: 0 }, { delay: 2, jitter: 2, loss: 0.05 }, { delay: 4, jitter: 6, loss: 0.15 }, { delay: 8, jitter: 7, loss: 0.3 }];

/** `languages` by seat; the first is the host. The last player joins, leaves and returns as a new program. */
async function play(languages, frames, seed) {
  const next = random(seed), [joins, leaves, returns] = [0.2, 0.5, 0.7].map((part) => Math.round(part * frames));
  const programs = [], hashes = new Map();
  let now = 0, compared = 0, instances = 0, phase = 0;
  const start = async (seat) => {
    const program = { seat, language: languages[seat], queue: [], input: 0, compared: 0, memory: [], line: LINES[seat % LINES.length] };
    program.peer = await MAKE[program.language]([seat, 0b0111, 1000 + ++instances, 4, 2, 30, 30, 0, 0, 0, 0]);
    programs.push(program);
    return program;
  };
  const stop = (program) => {
    programs.splice(programs.indexOf(program), 1);
    return program.peer.end?.();
  };
  const tick = async (program) => {
    const due = program.queue.filter(({ at }) => at <= now);
    program.queue = program.queue.filter(({ at }) => at > now);
    if (next() < 0.1) program.input = Math.floor(next() * 16);
    return program.peer.do(["tick", program.input, 0, ...due.map(({ message }) => message)].join(" "));
  };
  const receive = (program, answer) => {
    const { problem, hashes: given, messages, ...state } = read(answer);
    assert.equal(problem, null, program.language);
    Object.assign(program, { frame: state.frame, confirmed: state.confirmed, isPlaying: state.isPlaying, rollbacks: state.rollbacks });
    if (now % 100 === 0) program.memory.push(state.memory);
    for (const [at, hash] of given) {
      const known = hashes.get(at);
      if (known === undefined) hashes.set(at, { hash, by: program.language });
      else if (known.hash !== hash) assert.fail(`frame ${at}: ${program.language} and ${known.by} have other states`);
      else ++compared, ++program.compared;
    }
    for (const message of messages) {
      for (const other of programs) {
        const { delay, jitter, loss } = LINES[(Math.max(LINES.indexOf(program.line), LINES.indexOf(other.line)) + phase) % LINES.length];
        if (other === program || next() < loss) continue;
        for (let copies = next() < 0.05 ? 2 : 1; copies > 0; --copies) other.queue.push({ at: now + 1 + delay + Math.floor(next() * (jitter + 1)), message });
      }
    }
  };
  try {
    for (const seat of [0, 1, 2]) await start(seat);
    let late = null, left = null;
    while (programs[0].frame === undefined || programs[0].frame < frames) {
      ++now;
      assert.ok(now < 20 * frames, `no progress: frames ${programs.map(({ frame }) => frame)}`);
      phase = Math.floor(now / 250);
      const answers = await Promise.all(programs.map(tick));
      [...programs].forEach((program, i) => receive(program, answers[i]));
      const { frame } = programs[0];
      if (late === null && (frame >= returns || (frame >= joins && frame < leaves))) late = await start(3);
      if (late !== null && left === null && frame >= leaves && frame < returns) {
        assert.ok(late.isPlaying, `${late.language} has not joined by frame ${frame}`);
        await late.peer.do("leave");
        left = now;
      }
      if (left !== null && late !== null && now === left + 60) {
        assert.ok(!late.isPlaying, `${late.language} has not left`);
        await stop(late);
        late = null;
      }
    }
    assert.ok(late?.isPlaying, `${late?.language} has not returned`);
    assert.ok(late.compared > frames / 10, `${late.language}: ${late.compared} hashes compared since it returned`);
    for (const { language, rollbacks, frame, confirmed } of programs) {
      assert.ok(rollbacks > frames / 50 || language === late.language, `${language}: ${rollbacks} rollbacks`);
      assert.ok(confirmed > frames - 60, `${language}: confirmed ${confirmed} of ${frame}`);
    }
    assert.ok(compared > 2 * frames, `${compared} hashes compared`);
    return { ticks: now, compared, hashes, programs: programs.map(({ language, frame, rollbacks, memory }) => ({ language, frame, rollbacks, memory })) };
  } finally {
    await Promise.all(programs.map(({ peer: each }) => each.end?.()));
  }
}

const games = [["C++", "Python", "node", "Chromium"], ["Python", "node", "Chromium", "C++"], ["node", "Chromium", "C++", "Python"]];
const tests = Object.fromEntries(games.map((languages, i) => [`plays with ${languages[0]} as the host, and ${languages[3]} late`, async () => {
  const { ticks, compared, programs } = await play(languages, FRAMES, i + 1);
  console.log(`${FRAMES} frames in ${ticks} ticks, ${compared} hashes compared`);
  for (const { language, frame, rollbacks, memory } of programs) {
    const at = (part) => ((memory[Math.floor(part * (memory.length - 1))] ?? 0) / 2 ** 20).toFixed(1);
    console.log(`${language}: frame ${frame}, ${rollbacks} rollbacks, memory ${at(0)}, ${at(0.5)}, ${at(1)} MiB at start, half and end`);
  }
}]));

try {
  await run(tests);
} finally {
  endAll();
  await browser?.close();
  server?.close();
}
