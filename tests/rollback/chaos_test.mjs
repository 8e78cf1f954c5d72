// SPDX-License-Identifier: MIT
// Random games of programs in C++, Python and node over bad lines: players pause, leave, are lost and come back, clocks
// differ, and advance() throws. FORKMUNK_CHAOS_GAMES and FORKMUNK_CHAOS_SEED: the number of games, and the first one.

import assert from "node:assert/strict";

import { random, run } from "../js/run.mjs";
import { endAll, MAKE, read } from "./programs.mjs";

const GAMES = Number(process.env.FORKMUNK_CHAOS_GAMES ?? 4), SEED = Number(process.env.FORKMUNK_CHAOS_SEED ?? 1);
const LANGUAGES = Object.keys(MAKE), PREDICTED = 0, UNDONE = 1, CONFIRMED = 2, LOADED = 9, DROPPED = 10;
/** The ticks after which a program knows that its seat was emptied before a frame that it took for confirmed. */
const SETTLED = 500;
const TYPES = 6; // of inputs

class Game {
  programs = []; now = 0; compared = 0; events = 0; #instances = 100; #frames = new Map(); #log = [];
  constructor(seed) {
    this.next = random(seed);
    const players = 2 + this.below(this.below(4) === 0 ? 15 : 4);
    this.line = { delay: this.below(8), jitter: this.below(9), loss: this.below(3) === 0 ? 0 : 0.3 * this.next(), doubled: 0.2 * this.next() };
    this.settings = { players, checkEvery: 1 + this.below(30), silence: 90 + this.below(60), isJson: this.below(2), hold: this.below(3) === 0 ? 1 : 0.1 };
    const taken = Array.from({ length: players }, (_, i) => i).filter((i) => i < 2 || this.below(4) > 0);
    this.settings.seats = taken.reduce((bits, seat) => bits | (1 << seat), 0);
    for (const seat of taken) this.add(seat);
  }
  below(count) {
    return Math.floor(this.next() * count);
  }
  pick(list) {
    return list[this.below(list.length)];
  }
  say(what, program) {
    this.#log.push(`${this.now}: ${what} seat ${program.seat}, ${program.language}${program.isHost ? ", host" : ""}`);
  }
  fail(program, text) {
    const states = this.programs.map((each) => `seat ${each.seat}, ${each.language}: frame ${each.frame}, confirmed ${each.confirmed}, plays ${each.isPlaying}, host ${each.isHost}`);
    assert.fail([`tick ${this.now}, seat ${program.seat}, ${program.language}: ${text}`, JSON.stringify([this.line, this.settings]), ...this.#log, ...states].join("\n"));
  }
  add(seat) {
    const { players, seats, checkEvery, silence, isJson } = this.settings, language = this.pick(LANGUAGES);
    const given = [seat, seats, ++this.#instances, players, this.below(8), 6 + this.below(26), checkEvery, silence, this.below(3) === 0 ? this.below(100) : 0, isJson, this.below(4) === 0 ? 8 : 0];
    const program = {
      seat, language, peer: MAKE[language](given), queue: [], value: 0, pausedUntil: 0, skips: this.below(3) === 0 ? 20 + this.below(60) : 0, leftAt: 0, isDropped: false,
      frame: 0, confirmed: 0, isPlaying: false, isHost: false, eventsFrom: 0, open: new Map(), told: -1, pending: new Map(),
    };
    this.programs.push(program);
    return program;
  }
  remove(program) {
    this.programs.splice(this.programs.indexOf(program), 1);
    program.peer.end();
  }
  async tick() {
    ++this.now;
    const running = this.programs.filter((each) => each.pausedUntil <= this.now && (each.skips === 0 || this.now % each.skips !== 0));
    const lines = running.map((program) => {
      const due = program.queue.filter(({ at }) => at <= this.now);
      program.queue = program.queue.filter(({ at }) => at > this.now);
      if (this.next() < this.settings.hold) program.value = this.below(16);
      return ["tick", program.value, this.below(TYPES), ...due.map(({ message }) => message)].join(" ");
    });
    const answers = await Promise.all(running.map(({ peer }, i) => peer.do(lines[i])));
    running.forEach((program, i) => this.receive(program, read(answers[i])));
  }
  receive(program, { problem, hashes, notices, messages, ...state }) {
    if (problem !== null && !program.isDropped) this.fail(program, problem);
    for (const notice of notices) this.check(program, notice);
    Object.assign(program, state);
    for (const [at, hash] of program.isDropped ? [] : hashes) program.pending.set(Number(at), { since: this.now, hash, events: program.pending.get(Number(at))?.events ?? [] });
    this.compare(program, SETTLED);
    for (const message of messages) {
      for (const other of this.programs) {
        const { delay, jitter, loss, doubled } = this.line;
        if (other === program || this.next() < loss) continue;
        for (let copies = this.next() < doubled ? 2 : 1; copies > 0; --copies) other.queue.push({ at: this.now + 1 + delay + this.below(jitter + 1), message });
      }
    }
  }
  check(program, { kind, frame, event, data }) {
    if (kind === LOADED || kind === DROPPED) {
      program.pending.clear();
      program.isDropped = kind === DROPPED;
      program.eventsFrom = Math.max(frame, program.confirmed);
    }
    if (kind > CONFIRMED) return;
    const name = `${frame}/${event}/${data}`, count = (program.open.get(name) ?? 0) + (kind === PREDICTED ? 1 : -1);
    if (count < 0) this.fail(program, `event ${name} is ${kind === UNDONE ? "undone" : "confirmed"} that was not predicted`);
    if (count === 0) program.open.delete(name);
    else program.open.set(name, count);
    if (kind !== CONFIRMED) return;
    if (frame < program.told) this.fail(program, `event ${name} is confirmed after one of frame ${program.told}`);
    program.told = frame;
    ++this.events;
    if (!program.pending.has(frame)) program.pending.set(frame, { since: Infinity, events: [] }); // its hash follows
    program.pending.get(frame).events.push(`${event}/${data}`);
  }
  compare(program, age) {
    for (const [frame, { since, hash, events }] of program.pending) {
      if (since > this.now - age) continue;
      program.pending.delete(frame);
      const own = { hash, events: frame < program.eventsFrom ? null : events.join(), by: `${program.language} at seat ${program.seat}` }, known = this.#frames.get(frame);
      if (known === undefined) {
        this.#frames.set(frame, own);
        continue;
      }
      ++this.compared;
      if (known.hash !== hash) this.fail(program, `frame ${frame} differs from ${known.by}`);
      known.events ??= own.events;
      if (own.events !== null && known.events !== own.events) this.fail(program, `events of frame ${frame}: ${own.events}, and ${known.events} of ${known.by}`);
    }
  }
  disturb() {
    const { programs, now } = this, playing = programs.filter((each) => each.isPlaying && each.leftAt === 0);
    for (const each of programs.filter(({ leftAt }) => leftAt > 0 && now > leftAt + 60)) this.remove(each);
    if (playing.length === 0 || this.below(50) > 0) return;
    const one = this.pick(playing), isOther = playing.some((each) => each !== one && each.pausedUntil <= now && (each.droppedAt ?? -300) < now - 200);
    const what = this.below(9);
    if (what === 0) one.peer.do(`delay ${this.below(12)}`);
    if (what === 1 && isOther) one.pausedUntil = now + 60 + this.below(240);
    if (what === 2 && isOther) this.say("lost", one), this.remove(one);
    if (what === 3 && isOther) one.leftAt = now, one.peer.do("leave"), this.say("leaves", one);
    if (what === 4) {
      const host = playing.find((each) => each.isHost && each !== one);
      if (host !== undefined) one.droppedAt = now, host.peer.do(`drop ${one.seat}`), this.say("dropped", one);
    }
    if (what === 5) {
      const seat = this.below(this.settings.players);
      if (!programs.some((each) => each.seat === seat)) this.say("joins", this.add(seat));
    }
    if (what === 6 && programs.length < 20) this.add(-1);
    if (what === 7) this.pick(programs).peer.do("probe");
    if (what === 8) {
      const spectator = programs.find(({ seat }) => seat < 0);
      if (spectator !== undefined) this.remove(spectator);
    }
  }
  async play() {
    for (const end = 300 + this.below(300); this.now < end;) {
      await this.tick();
      if (this.now > 60) this.disturb();
    }
    for (const each of this.programs.filter(({ leftAt }) => leftAt > 0)) this.remove(each);
    for (const each of this.programs) each.pausedUntil = 0;
    const before = new Map(), isGoing = (each) => before.has(each) && each.confirmed > before.get(each) + 60 && (each.isPlaying || each.seat < 0);
    for (const end = this.now + 2000; !this.programs.every(isGoing);) {
      await this.tick();
      for (const each of this.programs) if (!before.has(each) && (each.isPlaying || each.seat < 0) && each.confirmed > 0) before.set(each, each.confirmed);
      if (this.now > end) this.fail(this.programs.find((each) => !isGoing(each)), "the game does not go on");
    }
    for (const each of this.programs) {
      this.compare(each, 0);
      for (const [name] of each.open) if (parseInt(name) < each.confirmed - 1) this.fail(each, `event ${name} was neither undone nor confirmed`);
    }
  }
  end() {
    for (const { peer } of this.programs) peer.end();
  }
}

let compared = 0, events = 0, ticks = 0;
const memory = new Map();
const tests = Object.fromEntries(Array.from({ length: GAMES }, (_, i) => [`game ${SEED + i}`, async () => {
  const game = new Game(SEED + i);
  try {
    await game.play();
    for (const { language, memory: bytes } of game.programs) memory.set(language, [...(memory.get(language) ?? []), bytes]);
    compared += game.compared, events += game.events, ticks += game.now;
  } finally {
    game.end();
  }
}]));
await run(tests);
endAll();
console.log(`${GAMES} games, ${ticks} ticks, ${compared} frames and ${events} confirmed events compared`);
for (const [language, bytes] of memory) console.log(`${language}: ${[0, 0.5, 1].map((part) => (bytes[Math.floor(part * (bytes.length - 1))] / 2 ** 20).toFixed(1))} MiB at the start, half and end`);
assert.ok(compared > 100 * GAMES && events > 10 * GAMES, `${compared} frames and ${events} events compared`);
