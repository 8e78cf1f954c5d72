// SPDX-License-Identifier: MIT
// RollbackSession and SyncTest: games over lines that delay, lose, double and reorder messages.

import assert from "node:assert/strict";

import { DT, folder, load, random, run } from "./run.mjs";
import { heap } from "./scenes.mjs";

const { DesyncError, RollbackSession, SyncTest } = await import(`${folder}/index.mjs`);
const fm = await load();
const FRAMES = Number(process.env.FORKMUNK_JS_FRAMES ?? 600);

/** Two players push the outermost boxes of a heap. */
function advance(space, inputs) {
  const { bodies } = space;
  inputs.forEach((input, i) => {
    const body = bodies[i === 0 ? 0 : bodies.length - 1];
    if (input !== 0) body.applyImpulseAtLocalPoint({ x: 40 * input, y: 60 }, { x: 2, y: 1 });
  });
  space.step(DT);
}

/** Messages to one player: some are lost, some come twice, all late. */
class Line {
  constructor(next, { delay, jitter, loss }) {
    Object.assign(this, { next, delay, jitter, loss, queue: [] });
  }
  send(now, message) {
    if (this.next() < this.loss) return;
    for (let copies = this.next() < 0.05 ? 2 : 1; copies > 0; --copies) {
      this.queue.push({ at: now + this.delay + Math.floor(this.next() * (this.jitter + 1)), message: structuredClone(message) });
    }
  }
  deliver(now, session) {
    const due = this.queue.filter(({ at }) => at <= now);
    this.queue = this.queue.filter(({ at }) => at > now);
    for (const { message } of due) session.receive(message);
  }
}

function play({ line, frames, seed = 1, boxes = 12, spoil = () => {}, checkEvery = 10, delay = 2 }) {
  const next = random(seed), lines = [new Line(next, line), new Line(next, line)];
  let now = 0;
  const desyncs = [null, null];
  const sessions = [0, 1].map((local) => new RollbackSession(heap(fm, boxes), {
    players: 2, local, advance, checkEvery, delay, prediction: 16, onDesync: (report) => (desyncs[local] = report),
    send: (message) => lines[1 - local].send(now, message),
  }));
  const inputs = [random(seed + 1), random(seed + 2)];
  const held = [0, 0];
  while (Math.min(...sessions.map(({ frame }) => frame)) < frames && now < 20 * frames && !(desyncs[0] && desyncs[1])) {
    ++now;
    sessions.forEach((session, i) => {
      lines[i].deliver(now, session);
      if (inputs[i]() < 0.1) held[i] = Math.floor(inputs[i]() * 3) - 1;
      session.tick(held[i]);
      spoil(session, i);
    });
  }
  return { sessions, desyncs, now };
}

const tests = {
  "plays without a desync over a bad line"() {
    const { sessions, desyncs, now } = play({ line: { delay: 6, jitter: 3, loss: 0.05 }, frames: FRAMES });
    assert.deepEqual(desyncs, [null, null]);
    for (const { frame, stats } of sessions) {
      assert.ok(frame >= FRAMES, `${frame} frames after ${now} ticks`);
      assert.ok(stats.rollbacks > 10 && stats.checksums > FRAMES / 40, JSON.stringify(stats));
    }
    console.log(`${FRAMES} frames: ${JSON.stringify(sessions[0].stats)}`);
  },

  "needs no rollback where the delay hides the line's"() {
    const { sessions } = play({ line: { delay: 1, jitter: 0, loss: 0 }, frames: 100, delay: 3 });
    assert.equal(sessions[0].stats.rollbacks, 0);
  },

  "compares checksums over a line that is slower than eight checks"() {
    const { sessions } = play({ line: { delay: 12, jitter: 0, loss: 0 }, frames: 100, checkEvery: 1 });
    assert.ok(sessions.every(({ stats }) => stats.checksums > 50), JSON.stringify(sessions[0].stats));
  },

  "waits for a player who is silent"() {
    const { sessions, desyncs } = play({ line: { delay: 1, jitter: 0, loss: 1 }, frames: 100 });
    assert.deepEqual(desyncs, [null, null]);
    assert.ok(sessions.every(({ frame, stats }) => frame === 2 + 16 && stats.stalls > 50));
  },

  "reports a desync with the field that differs first"() {
    let done = false;
    const spoil = (session, i) => {
      if (i !== 1 || session.frame !== 95 || done) return;
      done = true;
      const { x, y } = session.space.bodies[5].velocity;
      session.space.bodies[5].velocity = { x: x + 0.5, y };
    };
    const { desyncs } = play({ line: { delay: 2, jitter: 1, loss: 0.2 }, frames: 300, spoil, delay: 9 });
    for (const report of desyncs) {
      assert.ok(report !== null && report.frame > 95 && report.frame <= 110, JSON.stringify(report));
      assert.match(report.difference, /differs/);
    }
    console.log(JSON.stringify(desyncs[0]));
  },

  "ignores what is no message"() {
    const session = new RollbackSession(heap(fm, 2), { players: 2, local: 0, advance, send() {} });
    const good = { forkmunk: 1, from: 1, first: 2, inputs: [1], known: [2, 3], checksum: null };
    const wrong = [{ from: 2 }, { from: 0.5 }, { first: -1 }, { inputs: 5 }, { known: null }, { known: [2] }, { known: ["a", 1] }, { checksum: 5 }, { state: 7 }, { state: new Uint8Array(9), frame: 0 }];
    for (const message of [null, 5, "x", {}, ...wrong.map((each) => ({ ...good, ...each }))]) session.receive(message);
    assert.equal(session.confirmedFrame, 0);
    for (let i = 0; i < 5; ++i) session.tick(0);
    assert.equal(session.confirmedFrame, 2);
    session.receive(good);
    assert.equal(session.confirmedFrame, 3);
    assert.throws(() => new RollbackSession(null, { players: 1, local: 0, advance, send() {} }), /expected a Space/);
    assert.throws(() => new RollbackSession(heap(fm, 1)), /options/);
  },

  "applies what it sends, and refuses what JSON would change"() {
    const seen = [[], []], queues = [[], []], shared = { x: 0, list: [0] };
    const sessions = [0, 1].map((local) => new RollbackSession(heap(fm, 2), {
      players: 2, local, input: { x: 0 }, delay: 0, send: (message) => queues[1 - local].push(JSON.parse(JSON.stringify(message))),
      advance(space, inputs, frame) {
        seen[local][frame] = inputs.map(({ x }) => x);
        space.step(DT);
      },
    }));
    for (let i = 0; i < 30; ++i) {
      sessions.forEach((session, local) => {
        if (i % 4 === 0) queues[local].splice(0).forEach((message) => session.receive(message));
        shared.x = i % 3 === 0 ? -0 : i + local; // one object for both, changed in each frame
        session.tick(shared);
      });
    }
    const final = sessions[0].confirmedFrame;
    assert.ok(final > 20);
    for (let frame = 0; frame < final; ++frame) {
      const expected = [0, 1].map((local) => (frame % 3 === 0 ? 0 : frame + local));
      for (const each of seen) assert.deepEqual(each[frame], expected);
    }
    const { frame } = sessions[0];
    for (const input of [NaN, undefined, new Map(), { x: undefined }, { x: [NaN] }, new Float32Array(1), 1n]) {
      assert.throws(() => sessions[0].tick(input), (error) => /^RollbackSession\.tick\(\): input/.test(error.message));
    }
    assert.equal(sessions[0].frame, frame);
  },

  "is as before where advance() throws"() {
    let fails = -1;
    const space = heap(fm, 4), twin = heap(fm, 4);
    const careful = (given, inputs, frame) => {
      advance(given, inputs);
      if (frame === fails) throw new RangeError("mine");
    };
    const message = (first, inputs) => ({ forkmunk: 1, from: 1, first, inputs, known: [0, 0], checksum: null });
    const sessions = [space, twin].map((each) => new RollbackSession(each, { players: 2, local: 0, delay: 0, advance: careful, send() {} }));
    const [session, other] = sessions;
    const both = (run) => sessions.forEach(run);
    for (let i = 0; i < 4; ++i) both((each) => each.tick(1));
    const hash = space.hash();
    fails = 4;
    assert.throws(() => session.tick(-1), /mine/);
    assert.deepEqual([session.frame, space.hash()], [4, hash]);
    fails = -1;
    both((each) => each.tick(0));
    both((each) => each.receive(message(0, [0, -1, 1])));
    const before = space.hash();
    fails = 3; // in the rollback
    assert.throws(() => session.tick(1), /mine/);
    assert.deepEqual([session.frame, space.hash()], [5, before]);
    fails = -1;
    both((each) => each.tick(1));
    assert.deepEqual([session.frame, session.stats.rollbacks], [6, 1]);
    assert.equal(space.hash(), twin.hash());
    assert.equal(other.stats.rollbacks, 1);
  },

  "keeps no more of a peer than it may need"() {
    const sent = [], session = new RollbackSession(heap(fm, 2), { players: 3, local: 0, advance, checkEvery: 1, delay: 0, send: (message) => sent.push(message) });
    const message = (values) => ({ forkmunk: 1, from: 1, first: 0, inputs: [], known: [0, 0, 0], checksum: null, ...values });
    session.receive(message({ inputs: new Array(1000).fill(0) }));
    session.tick(0);
    assert.equal(sent.at(-1).known[1], 8 + 64);
    // A checksum counts for its sender alone.
    session.receive(message({ from: 1, checksum: { from: 2, frame: 0, hash: "1" } }));
    session.receive(message({ from: 2, inputs: [0, 0] }));
    session.tick(0);
    assert.equal(session.desync.from, 1);
    // Far ahead, or too long.
    const other = new RollbackSession(heap(fm, 2), { players: 2, local: 0, advance, checkEvery: 1, delay: 0, send() {} });
    other.receive(message({ known: [0, 0], checksum: { frame: 8 + 64, hash: "1" } }));
    for (let i = 0; i < 90; ++i) {
      other.receive(message({ known: [i, i], first: i, inputs: [0] }));
      other.receive(message({ known: [i, i], checksum: { frame: i, hash: "1".repeat(33) } }));
      other.tick(0);
    }
    assert.deepEqual([other.frame, other.desync], [90, null]);
    // A peer that acknowledges nothing makes it wait.
    for (let i = 0; i < 300; ++i) {
      other.receive(message({ known: [0, 0], first: 90 + i, inputs: [0] }));
      other.tick(0);
    }
    assert.equal(other.frame, 89 + 8 + 64 + 1);
  },

  "reports a desync whose state cannot travel, or does not come"() {
    for (const cannotTravel of [true, false]) {
      const reports = [], session = new RollbackSession(heap(fm, 2), { players: 2, local: 0, delay: 0, checkEvery: 1, advance, send() {}, onDesync: (report) => reports.push(report) });
      const { toBytes } = fm.Snapshot.prototype;
      try {
        if (cannotTravel) fm.Snapshot.prototype.toBytes = () => { throw new RangeError("mine"); };
        for (let i = 0; i < 130; ++i) {
          session.tick(0);
          session.receive({ forkmunk: 1, from: 1, first: i, inputs: [0], known: [i, i], checksum: { frame: i, hash: "1" } });
          if (i === 5) assert.equal(reports.length, cannotTravel ? 1 : 0);
        }
      } finally {
        fm.Snapshot.prototype.toBytes = toBytes;
      }
      assert.equal(reports.length, 1);
      assert.deepEqual([reports[0].from, reports[0].difference, reports[0].cause?.message], [1, null, cannotTravel ? "mine" : undefined]);
    }
  },

  "finds the difference among three, in any order of their states"() {
    const reports = [null, null, null], queues = [[], [], []];
    const sessions = reports.map((_, local) => new RollbackSession(heap(fm, 4), {
      players: 3, local, checkEvery: 5, delay: 0,
      advance(space, inputs, frame) {
        if (local === 2 && frame === 12) space.bodies[1].velocity = { x: 9, y: 0 };
        space.step(DT);
      },
      send: (message) => queues.forEach((queue, i) => i !== local && queue.push(structuredClone(message))),
      onDesync: (report) => (reports[local] = report),
    }));
    for (let i = 0; i < 60; ++i) {
      sessions.forEach((session, local) => {
        // The wrong player's state is late.
        const late = queues[local].filter(({ from, state }) => from === 2 && state !== undefined && i < 50);
        queues[local].filter((message) => !late.includes(message)).forEach((message) => session.receive(message));
        queues[local] = late;
        session.tick(0);
      });
    }
    for (const [local, report] of reports.entries()) {
      assert.match(report?.difference ?? "", /^body \d+: \w+ differs/, `player ${local}: ${JSON.stringify(report)}`);
      assert.equal(local === 2 ? report.from < 2 : report.from === 2, true);
    }
  },

  "finds in a SyncTest what is kept outside of the space"() {
    const good = new SyncTest(heap(fm, 10), { advance });
    for (let i = 0; i < 60; ++i) good.tick([i % 3 - 1, 1]);
    good.free();
    let calls = 0;
    const bad = new SyncTest(heap(fm, 10), { advance: (space, inputs) => advance(space, [++calls % 7 === 0 ? 1 : 0, inputs[1]]) });
    assert.throws(() => { for (let i = 0; i < 60; ++i) bad.tick([0, 1]); }, (error) => error instanceof DesyncError && /differs/.test(error.difference));
  },
};

await run(tests);
