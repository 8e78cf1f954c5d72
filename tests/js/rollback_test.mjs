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
