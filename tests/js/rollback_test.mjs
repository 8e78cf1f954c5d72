// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";

import { DT, folder, load, random, refusals, run } from "./run.mjs";
import { heap } from "./scenes.mjs";

const { DesyncError, RollbackSession, SyncTest } = await import(`${folder}/index.mjs`);
const fm = await load();
const FRAMES = Number(process.env.FORKMUNK_JS_FRAMES ?? 600);

function advance(space, inputs) {
  const { bodies } = space;
  inputs.forEach((input, i) => {
    const body = bodies[i === 0 ? 0 : bodies.length - 1];
    if (input !== 0) body.applyImpulseAtLocalPoint({ x: 40 * input, y: 60 }, { x: 2, y: 1 });
  });
  space.step(DT);
}

class Line {
  constructor(next, { delay, jitter, loss }) {
    Object.assign(this, { next, delay, jitter, loss, queue: [] });
  }
  send(now, message) {
    if (this.next() < this.loss) return;
    for (let copies = this.next() < 0.05 ? 2 : 1; copies > 0; --copies) {
      this.queue.push({ at: now + this.delay + Math.floor(this.next() * (this.jitter + 1)), message });
    }
  }
  deliver(now, session) {
    const due = this.queue.filter(({ at }) => at <= now);
    this.queue = this.queue.filter(({ at }) => at > now);
    for (const { message } of due) session.receive(message);
  }
}

/** Programs of one process; `options` has those of each session. */
class Game {
  now = 0;
  programs = [];
  constructor(line = { delay: 1, jitter: 0, loss: 0 }, seed = 1) {
    this.line = line;
    this.next = random(seed);
  }
  add(space, options) {
    const program = { line: new Line(this.next, this.line), space, notices: [], input: 0, isRunning: true };
    program.session = new RollbackSession(space, {
      advance, checkEvery: 10, prediction: 16, onNotice: (notice) => program.notices.push(notice),
      send: (message) => this.programs.forEach((each) => each !== program && each.line.send(this.now, message)), ...options,
    });
    this.programs.push(program);
    return program;
  }
  run(ticks, { choose = (next, last) => (next() < 0.1 ? Math.floor(next() * 3) - 1 : last), after = () => {} } = {}) {
    for (const end = this.now + ticks; this.now < end;) {
      ++this.now;
      this.programs.forEach((program, i) => {
        if (!program.isRunning) return;
        program.line.deliver(this.now, program.session);
        program.session.tick((program.input = choose(this.next, program.input, i)));
        after(program, i);
      });
    }
  }
}
const kinds = ({ notices }) => notices.map(({ kind }) => kind);

const tests = {
  "plays without a desync over a bad line"() {
    const game = new Game({ delay: 6, jitter: 3, loss: 0.05 });
    for (const local of [0, 1]) game.add(heap(fm, 12), { players: 2, local });
    game.run(FRAMES + 200);
    for (const { session, notices } of game.programs) {
      const { frame, confirmedFrame, stats } = session;
      assert.ok(frame >= FRAMES && confirmedFrame > frame - 20, `${frame} frames, ${session.wait} for ${session.waitingFor}`);
      assert.ok(stats.rollbacks > 10 && stats.checksums > FRAMES / 40, JSON.stringify(stats));
      assert.deepEqual([session.desync, notices], [null, []]);
    }
    console.log(`${FRAMES} frames: ${JSON.stringify(game.programs[0].session.stats)}`);
  },

  "reads UTF-8, and takes an input that is not JSON for the standard input"() {
    const game = new Game(), values = { 0: 0, 1: 1, "{": -1, NaN: -1, '"\xc3\xa9"': 2, '"\xff"': -1 }, texts = Object.keys(values);
    const add = (local, input, read) => game.add(heap(fm, 12), { players: 2, local, input, advance: (space, inputs) => advance(space, inputs.map(read)) });
    const coded = (text) => Buffer.from(text, "latin1");
    add(0, -1, (value) => (value === "é" ? 2 : value));
    add(1, coded("-1"), (bytes) => values[Buffer.from(bytes).toString("latin1")] ?? -1);
    game.run(200, { choose: (_next, _last, i) => (i === 0 ? game.now % 2 : coded(texts[Math.floor(game.now / 5) % texts.length])) });
    assert.ok(game.programs[0].session.frame > 180 && game.programs[0].session.stats.checksums > 10);
    assert.deepEqual(game.programs.map(({ session }) => session.desync), [null, null]);
  },

  "waits for a player who is silent, and names the player"() {
    const game = new Game({ delay: 1, jitter: 0, loss: 1 });
    for (const local of [0, 1]) game.add(heap(fm, 2), { players: 2, local });
    game.run(100);
    for (const [i, { session }] of game.programs.entries()) {
      assert.deepEqual([session.frame, session.wait, session.waitingFor, session.isHost], [16, "inputs", [0, 1].slice(i === 0 ? 1 : 0), i === 0].map((each, k) => (k === 2 && i === 1 ? [0] : each)));
      assert.ok(session.stats.stalls > 80);
    }
  },

  "takes back a page that was reloaded, also the host's"() {
    for (const lost of [0, 1]) {
      const game = new Game();
      for (const local of [0, 1]) game.add(heap(fm, 6), { players: 2, local });
      game.run(100);
      game.programs[lost].isRunning = false;
      const again = game.add(heap(fm, 6), { players: 2, local: lost });
      game.run(300);
      const other = game.programs[1 - lost];
      assert.deepEqual(kinds(other), ["left", "joined"]);
      assert.ok(again.session.isPlaying && again.session.frame > 300 && other.session.frame > 300, JSON.stringify(again.notices));
      assert.ok(kinds(again).includes("loaded") && again.session.stats.checksums > 5 && other.session.desync === null);
      again.session.free();
      assert.throws(() => again.session.tick(0), /freed/);
    }
  },

  "lets a player join late and another watch"() {
    const game = new Game({ delay: 2, jitter: 2, loss: 0.1 });
    for (const local of [0, 1]) game.add(heap(fm, 6), { players: 3, local, seats: [0, 1] });
    game.run(150);
    const late = game.add(heap(fm, 6), { players: 3, local: 2 }), watching = game.add(heap(fm, 6), { players: 3, local: null, delay: 10 });
    game.run(250);
    assert.ok(late.session.isPlaying && !watching.session.isPlaying);
    assert.ok(watching.session.frame > 300 && late.session.stats.checksums > 5, `${watching.session.frame} ${JSON.stringify(late.session.stats)}`);
    late.session.leave();
    game.run(100);
    late.isRunning = false;
    game.run(100);
    assert.deepEqual(kinds(game.programs[1]), ["joined", "left"]);
    assert.ok(game.programs[0].session.frame > 500 && game.programs.every(({ session }) => session.desync === null));
  },

  "reports a desync with the field that differs"() {
    const game = new Game({ delay: 2, jitter: 1, loss: 0.2 });
    const reports = [];
    for (const local of [0, 1]) game.add(heap(fm, 12), { players: 2, local, onDesync: (report) => (reports[local] = report) });
    game.run(200, { after({ session, space }, i) {
      if (i === 1 && session.frame === 95) space.bodies[5].velocity = { x: 3, y: 4 };
    } });
    for (const [local, report] of reports.entries()) {
      assert.ok(report.frame > 95 && report.frame <= 110 && report.player === 1 - local && report.ours !== report.theirs);
      assert.match(report.difference, /differs/);
      assert.equal(game.programs[local].session.desync, report);
    }
    assert.deepEqual([reports[0].ours, reports[0].theirs], [reports[1].theirs, reports[1].ours]);
  },

  "reports all fields that differ"() {
    const game = new Game();
    for (const local of [0, 1]) game.add(heap(fm, 12), { players: 2, local });
    game.run(50);
    const { space } = game.programs[1], [a, b] = [space.bodies[2], space.bodies[7]];
    a.velocity = { x: 1, y: 2 };
    b.angularVelocity = 3;
    game.run(60, { choose: () => 0 });
    const fields = game.programs[0].session.desync.difference.split("\n").map((line) => line.split(" differs")[0]);
    assert.ok(["body 2: v", "body 7: w"].every((field) => fields.includes(field)) && fields.length > 2, fields.join("\n"));
  },

  "asks the world as it was"() {
    const space = new fm.Space(), ball = new fm.Body(1, Infinity), shape = new fm.Circle(ball, 0.25);
    ball.velocity = { x: 120, y: 0 };
    space.add(ball, shape);
    const session = new RollbackSession(space, { players: 2, local: 0, advance: (own) => own.step(DT), send() {}, prediction: 12, history: 40 }), hashes = [space.hash()];
    const hit = (past, x) => past.segmentQueryFirst({ x, y: -9 }, { x, y: 9 })?.shape ?? null;
    for (let i = 0; i < 12; ++i) {
      assert.ok(session.tick(0));
      hashes.push(space.hash());
    }
    const { history } = session;
    assert.equal(history.first, 0);
    for (let frame = 0; frame <= 12; ++frame) {
      const past = history.at(frame);
      assert.equal(past.hash(), hashes[frame]);
      assert.equal(hit(past, 2 * frame), past.twinOf(shape));
      assert.equal(space.twinOf(hit(past, 2 * frame)), shape);
    }
    const past = history.at(11.75);
    assert.ok(Math.abs(past.twinOf(ball).position.x - 23.5) < 1e-9 && hit(past, 23.5) !== null && hit(past, 22) === null);
    assert.equal(space.hash(), hashes[12]);
    for (const wrong of [-1, 13, 12.5, 2 ** 32 + 5, 5 - 2 ** 32]) assert.throws(() => history.at(wrong), /from 0 to 12/);
    assert.throws(() => history.at(NaN), /history/);
    session.free();
  },

  "asks for the state before a frame in the frame"() {
    const space = new fm.Space(), ball = new fm.Body(1, Infinity);
    ball.velocity = { x: 120, y: 0 };
    space.add(ball, new fm.Circle(ball, 0.25));
    const asked = [], advanceAndAsk = (own, inputs, frame) => {
      const hash = own.hash();
      own.step(DT);
      asked.push(session.history.at(frame).hash() === hash && session.history.first === Math.max(0, frame - 1));
    };
    const session = new RollbackSession(space, { players: 2, local: 0, advance: advanceAndAsk, send() {}, history: 1 });
    for (let i = 0; i < 6; ++i) session.tick(0);
    assert.deepEqual(asked, Array(6).fill(true));
    session.free();
  },

  "history gives a new copy for one that was freed"() {
    const space = new fm.Space();
    const session = new RollbackSession(space, { players: 2, local: 0, advance: (own) => own.step(DT), send() {} }), hash = space.hash();
    session.tick(0);
    session.history.at(0).free();
    assert.equal(session.history.at(0).hash(), hash);
    session.free();
  },
  "simulates a frame whose message was not sent"() {
    let isCut = false;
    const space = heap(fm, 4), session = new RollbackSession(space, { players: 2, local: 0, advance, send() {
      if (isCut) throw new Error("the line is cut");
    } });
    session.tick(0);
    const { frame } = session, hash = space.hash();
    isCut = true;
    assert.throws(() => session.tick(1), /the line is cut/);
    assert.equal(session.frame, frame + 1);
    assert.notEqual(space.hash(), hash);
    isCut = false;
    assert.ok(session.tick(1));
  },
  "names what seats may be"() {
    for (const seats of ["all", 3, null]) {
      assert.throws(() => new RollbackSession(new fm.Space(), { players: 2, local: 0, seats, advance() {}, send() {} }), /seats: found .*, expected an array of the seats/);
    }
    for (const seat of [2, 33, -1, 0.5, "0"]) { // 1 << 33 is seat 1's bit
      assert.throws(() => new RollbackSession(new fm.Space(), { players: 2, local: 0, seats: [seat], advance() {}, send() {} }), /RollbackSession: seats: found .*, expected (seats from 0 to players - 1|a whole number)/, String(seat));
    }
  },
  "refuses to be freed in its callbacks"() {
    const space = new fm.Space();
    const session = new RollbackSession(space, { players: 2, local: 0, advance: () => session.free(), send() {} });
    assert.throws(() => session.tick(0), /free\(\) was called in a callback/);
    assert.equal(session.frame, 0);
    session.free();
    const test = new SyncTest(space, { advance: () => test.free() });
    assert.throws(() => test.tick([0]), /free\(\) was called in a callback/);
    test.free();
    test.free();
    assert.throws(() => test.tick([0]), /the test was freed/);
  },
  "refuses to drop players in its callbacks, and leaves"() {
    let session, leave = () => session.drop(1);
    const refusal = /drop\(\).*own callbacks/;
    session = new RollbackSession(new fm.Space(), { players: 2, local: 0, advance: () => leave(), send: () => leave() });
    assert.throws(() => session.tick(0), refusal);
    assert.equal(session.frame, 0);
    leave = () => {
      session.delay = 5;
      session.leave();
    };
    assert.equal(session.tick(0), true);
    assert.equal(session.delay, 5);
    leave = () => session.drop(1);
    assert.throws(() => session.tick(0), refusal);
    assert.equal(session.wait, "joining");
    session.free();
  },
  "keeps handles when a state comes"() {
    const game = new Game(), handles = [];
    const make = () => {
      const space = heap(fm, 6);
      handles.push(space.bodies);
      return space;
    };
    const options = { players: 2, seats: [0], advance(space, inputs, frame) {
      const bodies = handles[game.programs.findIndex((each) => each.space === space)];
      if (frame === 20) {
        space.remove(...space.shapes.filter(({ body }) => body === bodies[2]), bodies[2]);
        const body = new fm.Body(1, 1);
        space.add(body, new fm.Circle(body, 3));
      }
      bodies[3].applyImpulseAtLocalPoint({ x: 10 * inputs[0], y: 5 }, { x: 0, y: 0 });
      space.step(DT);
    } };
    game.add(make(), { ...options, local: 0 });
    game.run(100);
    const late = game.add(make(), { ...options, local: 1 });
    game.run(150);
    assert.ok(late.session.isPlaying && late.session.stats.checksums > 5 && late.session.desync === null);
    assert.deepEqual(handles[1].map((body) => late.space.bodies.includes(body)), [true, true, false, true, true, true]);
    handles[1].forEach((body, i) => i === 2 || assert.equal(body.mass, handles[0][i].mass));
    assert.throws(() => handles[1][2].position, /present state/);
  },

  "gives handles back that the space removed after the frame of a state that comes"() {
    const game = new Game();
    const add = (local) => {
      const space = heap(fm, 6), [ship] = space.bodies;
      return game.add(space, { players: 2, local, advance(own, inputs, frame) {
        if (frame < 20) ship.applyImpulseAtLocalPoint({ x: 10 * inputs[0], y: 5 }, { x: 0, y: 0 });
        if (frame === 20) own.remove(...own.shapes.filter(({ body }) => body === ship), ship);
        own.step(DT);
      } });
    };
    const [host, other] = [add(0), add(1)];
    game.run(5);
    add(null); // the host sends this state again
    game.run(25);
    host.session.drop(1);
    game.run(100);
    assert.ok(other.notices.find(({ kind }) => kind === "loaded").frame < 20);
    assert.ok(other.session.isPlaying && other.session.desync === null && other.session.stats.checksums > 5);
  },

  "applies what it sends, and refuses what JSON would change"() {
    const seen = [[], []], shared = { x: 0, list: [0], name: "ä" }, game = new Game();
    for (const local of [0, 1]) {
      game.add(heap(fm, 2), { players: 2, local, input: { x: 0, list: [0], name: "" }, advance(space, inputs, frame) {
        seen[local][frame] = inputs;
        space.step(DT);
      } });
    }
    game.run(60, { choose(next, last, i) {
      shared.x = game.now % 3 === 0 ? -0 : game.now + i; // both players share one object
      return shared;
    } });
    const { session } = game.programs[0], end = Math.min(...game.programs.map((each) => each.session.confirmedFrame));
    assert.ok(end > 40);
    for (let frame = 0; frame < end; ++frame) {
      assert.deepEqual(seen[0][frame], seen[1][frame]);
      assert.ok(seen[0][frame].every(({ x }) => !Object.is(x, -0)));
    }
    assert.equal(seen[0][end - 1][0].name, "ä");
    const { frame } = session;
    for (const input of [NaN, undefined, new Map(), { x: undefined }, { x: [NaN] }, new Float32Array(1), 1n, "x".repeat(65)]) {
      assert.throws(() => session.tick(input), (error) => /^RollbackSession(\.|::)tick\(\)/.test(error.message), String(input));
    }
    assert.equal(session.frame, frame);
  },

  "is as before where advance() throws"() {
    let fails = -1;
    const space = heap(fm, 4);
    const careful = (given, inputs, frame) => {
      advance(given, inputs);
      if (frame === fails) throw new RangeError("mine");
    };
    const session = new RollbackSession(space, { players: 2, local: 0, advance: careful, send() {} });
    for (let i = 0; i < 4; ++i) session.tick(1);
    const hash = space.hash();
    fails = 4;
    assert.throws(() => session.tick(-1), /mine/);
    assert.deepEqual([session.frame, space.hash()], [4, hash]);
    for (const player of [{ tick: (input) => new RollbackSession(space, { players: 2, local: 0, advance: async () => {}, send() {} }).tick(input) }, new SyncTest(space, { advance: async () => {} })]) {
      assert.throws(() => player.tick([1]), /advance\(\): found Promise/);
    }
    fails = -1;
    assert.equal(session.tick(1), true);
    assert.equal(session.frame, 5);
  },

  "names what is wrong with options, messages and settings"() {
    const make = (options) => new RollbackSession(heap(fm, 1), { players: 2, local: 0, advance, send() {}, ...options });
    for (const wrong of [{ players: 17 }, { local: 2 }, { delay: -1 }, { delay: 65 }, { prediction: 0 }, { checkEvery: 0 }, { advance: 1 }, { send: null }, { input: NaN }, { onNotice: 3 }, { instance: 0 }, { session: "lobby" }, { session: 0.5 }]) {
      assert.throws(() => make(wrong), refusals(fm)(/found|expected/), JSON.stringify(wrong));
    }
    assert.throws(() => new RollbackSession(null, { players: 2, local: 0, advance, send() {} }), /expected a Space/);
    assert.throws(() => new RollbackSession({ save() {}, hash: () => 0 }, { module: fm, players: 2, local: 0, advance, send() {} }), /RollbackSession: space.restore: found undefined/);
    assert.throws(() => new RollbackSession(heap(fm, 1)), /options/);
    for (const distance of [0, 65, 1.5]) assert.throws(() => new SyncTest(heap(fm, 1), { advance, distance }), /distance: found/);
    const test = new SyncTest(heap(fm, 1), { input: new Uint8Array(1), advance: (_, [bytes]) => assert.deepEqual(bytes, Uint8Array.of(7)) });
    test.tick([Uint8Array.of(7)]);
    const session = make();
    assert.throws(() => session.receive("text"), /Uint8Array/);
    assert.equal(session.receive(new Uint8Array(50)), false);
    assert.equal(session.receive(new ArrayBuffer(3)), false);
    assert.equal(session.stats.badMessages, 2);
    assert.throws(() => session.event(1), { message: "RollbackSession.event(): it was called outside of advance()" });
    assert.throws(() => session.tick("x".repeat(99)), { message: "RollbackSession.tick(): found an input of 101 bytes, expected at most 64, which is inputBytesMax" });
    assert.throws(() => make({ checkEvery: 70000 }), { message: "RollbackSession: found checkEvery 70000, expected 1 to 65535" });
    const telling = make({ advance: () => telling.event("goal") });
    assert.throws(() => telling.tick(0), /kind: found "goal", expected a whole number/);
    assert.throws(() => session.drop(1.5));
    session.delay = 7;
    assert.equal(session.delay, 7);
    const game = new Game();
    game.add(heap(fm, 1), { players: 2, local: 0 });
    game.add(heap(fm, 1), { players: 2, local: 1, checkEvery: 20 });
    game.run(10);
    assert.deepEqual(game.programs[0].notices.map(({ kind, player, text }) => [kind, player, text]), [["settingsDiffer", 1, "checkEvery is 10 here and 20 there"]]);
  },

  "tells of events once when they are confirmed, of any state, with bytes as inputs"() {
    const game = new Game({ delay: 4, jitter: 3, loss: 0.1 });
    for (const local of [0, 1]) {
      const state = { number: 1, save: () => state.number, restore: (number) => (state.number = number), hash: () => state.number, toBytes: (number) => new Uint8Array([number & 255]), fromBytes: ([number]) => number, differences: (a, b) => `${a} is not ${b}` };
      const program = game.add(state, { players: 2, local, module: fm, input: new Uint8Array(0), advance(own, inputs, frame) {
        own.number = (own.number * 31 + inputs[0].length + 3 * inputs[1].length + frame) % 65521;
        if (own.number % 4 === 0) program.session.event(7, new Uint8Array([own.number & 255]));
        if (own.number % 4 === 1) program.session.event(8);
      } });
    }
    game.run(300, { choose: (next, last) => (next() < 0.1 || last === 0 ? new Uint8Array(Math.floor(next() * 5)) : last) });
    const confirmed = game.programs.map(({ notices }) => notices.filter(({ kind }) => kind === "confirmed").map(({ frame, event, data }) => [frame, event, data.length]));
    const common = Math.min(confirmed[0].length, confirmed[1].length);
    assert.ok(common > 40);
    assert.deepEqual(confirmed[0].slice(0, common), confirmed[1].slice(0, common));
    assert.deepEqual([...new Set(confirmed[0].map(([, ...each]) => each.join()))].sort(), ["7,1", "8,0"]);
    assert.ok(kinds(game.programs[0]).includes("undone"));
    game.programs[1].space.number ^= 1;
    game.run(100, { choose: () => new Uint8Array(1) });
    assert.match(game.programs[0].session.desync.difference, /is not/);
  },

  async "tells of a player of another precision, whose state cannot be read"() {
    const queues = [[], []], notices = [], spaces = [heap(await load({ precision: "single" }), 1), heap(fm, 1)];
    const players = spaces.map((space, local) => new RollbackSession(space, { players: 2, local, advance, send: (message) => queues[1 - local].push(message), onNotice: (notice) => notices[local] ??= notice }));
    for (let tick = 0; tick < 120; ++tick) {
      players.forEach((player, i) => (queues[i].splice(0).forEach((message) => player.receive(message)), player.tick(tick % 3 === i ? 1 : 0)));
    }
    assert.deepEqual(notices.map(({ kind }) => kind), ["badMessage", "badMessage"]);
    assert.match(notices[1].text, /^the game's read\(\) failed: .*in single precision, expected double/);
    assert.ok(players.every(({ frame, desync }) => frame > 100 && desync !== null));
  },

  "tells a late player that a state of the game's own cannot travel, and plays on"() {
    for (const [toBytes, reason] of [
      [undefined, /toBytes is not a function$/], [() => "text", /toBytes\(\): found "text", expected a Uint8Array$/], [() => new ArrayBuffer(8), /toBytes\(\): found ArrayBuffer/],
      [() => new Float64Array(2), /toBytes\(\): found Float64Array/], [async () => new Uint8Array(8), /toBytes\(\): found Promise/],
    ]) {
      const queues = [[], []], notices = [], taken = new Set();
      const make = (local) => {
        const state = { number: 1, save: () => state.number, restore: (number) => (state.number = number), hash: () => state.number, toBytes };
        return new RollbackSession(state, { players: 2, local, seats: [0], module: fm, advance: (_, inputs) => taken.add(String(inputs.present)), send: (message) => queues[1 - local].push(message), onNotice: (notice) => notices.push(notice) });
      };
      const players = [make(0)];
      for (let tick = 0; tick < 30; ++tick) {
        if (tick === 20) players.push(make(1));
        players.forEach((player, i) => (queues[i].splice(0).forEach((message) => player.receive(message)), player.tick(0)));
      }
      assert.equal(players[0].frame, 30);
      assert.deepEqual([...taken], ["true,false"]);
      assert.equal(notices[0].kind, "refused");
      assert.match(notices[0].text, /^the game's write\(\) failed: /);
      assert.match(notices[0].text, reason);
    }
  },

  "refuses a hash that is no whole number"() {
    for (const wrong of ["12", NaN, 0.5, undefined, Promise.resolve(1)]) {
      const test = new SyncTest({ save: () => 1, restore() {}, hash: () => wrong }, { module: fm, advance() {} });
      assert.throws(() => test.tick([0]), refusals(fm)(/^SyncTest: hash\(\): found/));
    }
  },

  "tells what a game throws, also if it is no error"() {
    for (const thrown of [null, Symbol("mine"), Object.create(null), { message: 7 }]) {
      const queues = [[], []], notices = [];
      const make = (local, fails) => {
        const state = { number: 1, save: () => state.number, restore: (number) => (state.number = number), hash: () => state.number };
        state.toBytes = () => {
          throw thrown;
        };
        return new RollbackSession(state, { players: 2, local, seats: [0], module: fm, send: (message) => queues[1 - local].push(message), onNotice: (notice) => notices.push(notice), advance() {
          if (fails) throw thrown;
        } });
      };
      assert.throws(() => make(0, true).tick(0), (found) => found === thrown);
      const players = [make(0, false)];
      for (let tick = 0; tick < 30; ++tick) {
        if (tick === 20) players.push(make(1, false));
        players.forEach((player, i) => (queues[i].splice(0).forEach((message) => player.receive(message)), player.tick(0)));
      }
      assert.match(notices[0].text, /^the game's write\(\) failed: (null|symbol Symbol\(mine\)|an object|Object)$/);
    }
  },

  "predicts by a function of the game"() {
    const predictions = [], played = [], noting = (space, inputs) => (played.push(inputs[1]), advance(space, inputs));
    const session = new RollbackSession(heap(fm, 2), { players: 2, local: 0, input: 1, advance: noting, send() {}, predict(last, player, frame) {
      predictions.push([last, player, frame]);
      return 0;
    } });
    session.tick(0);
    session.tick(0);
    assert.deepEqual(predictions, [[1, 1, 0], [1, 1, 1]]);
    assert.deepEqual(played, [0, 0]);
    for (const length of [70, 1100, 200_000]) {
      const wrong = new RollbackSession(heap(fm, 2), { players: 2, local: 0, advance, send() {}, predict: () => "x".repeat(length - 2) });
      assert.throws(() => wrong.tick(0), new RegExp(`${length} bytes`));
      assert.equal(wrong.frame, 0);
      wrong.free();
    }
  },

  "finds in a SyncTest what is kept outside of the space"() {
    const good = new SyncTest(heap(fm, 10), { advance });
    for (let i = 0; i < 60; ++i) good.tick([i % 3 - 1, 1]);
    assert.equal(good.frame, 60);
    good.free();
    let calls = 0;
    const bad = new SyncTest(heap(fm, 10), { advance: (space, inputs) => advance(space, [++calls % 7 === 0 ? 1 : 0, inputs[1]]) });
    assert.throws(() => { for (let i = 0; i < 60; ++i) bad.tick([0, 1]); }, (error) => {
      assert.ok(error instanceof DesyncError && error.frame > 0);
      assert.match(error.difference, /^body 0: \S+ differs: /);
      return error.message === `desync before frame ${error.frame}: ${error.difference}`;
    });
    const values = [1, 2, undefined, -0, { name: "é", hp: 1 }, { name: "é", hp: 2 }, Uint8Array.of(1, 2), Uint8Array.of(1, 3)];
    const shown = ["1, 2", "undefined, -0", String.raw`{"name":"\\u00e9","hp":1}, {"name":"\\u00e9","hp":2}`, "bytes 1,2, bytes 1,3"];
    for (const [i, text] of shown.entries()) {
      let call = 2 * i;
      const odd = new SyncTest(heap(fm, 2), { advance: (space, inputs) => (space.bodies[1].userData = values[call++], advance(space, inputs)) });
      assert.throws(() => odd.tick([0, 0]), new RegExp(`desync before frame 1: bodies\\[1\\]: userData differs: ${text}\\n`));
    }
    const named = heap(fm, 4);
    named.bodies.forEach((body, i) => (body.userData = i));
    let removals = 0;
    const lacking = new SyncTest(named, { advance(of) {
      const body = of.bodies[1];
      if (++removals === 2) of.remove(...of.shapes.filter((shape) => shape.body === body), body);
    } });
    assert.throws(() => lacking.tick([0, 0]), /desync before frame 1: the number of objects \(body\) differs/);
    class Unreadable extends fm.Body {
      get userData() { throw new RangeError("mine"); }
    }
    const space = heap(fm, 2);
    space.add(new Unreadable(1, 1));
    assert.throws(() => new SyncTest(space, { advance: (of, inputs) => advance(of, [++calls % 2, inputs[1]]) }).tick([0, 0]), /^DesyncError: desync before frame 1: body 0: /);
    const failing = new SyncTest(heap(fm, 2), { advance() { throw new RangeError("mine"); } });
    assert.throws(() => failing.tick([0, 0]), /mine/);
    assert.throws(() => failing.tick(0), /array/);
  },
};

await run(tests);
