// SPDX-License-Identifier: MIT
// The player of peer.cpp in node and in Chromium.

const DT = 1 / 60, FIRST_BALL = 100, BALLS_MAX = 12;

function addBox({ Body, Poly, momentForBox }, space, mass, width, height, [x, y]) {
  const body = new Body(mass, momentForBox(mass, width, height));
  body.position = { x, y };
  const shape = Poly.box(body, width, height);
  shape.friction = 0.7;
  space.add(body, shape);
  return shape;
}

function build(fm, count) {
  const { Body, Circle, PinJoint, Segment, Space } = fm, space = new Space();
  space.gravity = { x: 0, y: -300 };
  space.sleepTimeThreshold = 0.5;
  const corners = [[-300, 300], [-300, 0], [300, 0], [300, 300]].map(([x, y]) => ({ x, y }));
  for (let i = 0; i < 3; ++i) {
    const wall = new Segment(space.staticBody, corners[i], corners[i + 1], 4);
    wall.friction = 0.9;
    space.add(wall);
  }
  const players = Array.from({ length: count }, (_, i) => {
    const shape = addBox(fm, space, 2, 30, 20, [-225 + 150 * (i % 4), 20 + 60 * Math.floor(i / 4)]);
    shape.collisionType = i + 1;
    return shape.body;
  });
  for (let i = 0; i < 12; ++i) addBox(fm, space, 1, 16, 16, [-150 + 150 * (i % 3), 20 + 18 * Math.floor(i / 3)]);
  const bob = new Body(1, 40);
  bob.position = { x: 60, y: 150 };
  space.add(bob, new Circle(bob, 9));
  space.add(new PinJoint(space.staticBody, bob, { x: 0, y: 240 }, { x: 0, y: 0 }));
  return { space, players };
}

const bytesOf = (hex) => Uint8Array.from({ length: hex.length / 2 }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16));
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const KINDS = ["predicted", "undone", "confirmed", "joined", "left", "desync", "settingsDiffer", "seatTaken", "refused", "loaded", "dropped", "badMessage"];

const JSON_INPUTS = [(v) => v, String, (v) => [v, null, true], (v) => ({ v, n: [null, -0.5] }), (v) => v + 0.5, () => null];
const BYTE_INPUTS = [
  (v) => Uint8Array.of(v), (v) => new Uint8ClampedArray([v, 1]), (v) => Int8Array.of(v), (v) => new Uint8Array(Uint8Array.of(9, v, 9).buffer, 1, 1),
  (v) => Uint8Array.of(9, v, 7).subarray(1), (v) => new Uint8Array(8).fill(v),
];
function valueOf(input) {
  if (input instanceof Uint8Array) return input[0] ?? 0;
  if (Array.isArray(input)) return input[0];
  return Math.floor(Number(input?.v ?? input ?? 0));
}
const textOf = (data) => (data instanceof Uint8Array ? hexOf(data) : hexOf(new TextEncoder().encode(JSON.stringify(data))));

export class Peer {
  #session; #space; #hashes = new Map(); #confirmed = new Map(); #sent = []; #notices = []; #problem = ""; #fm; #isJson; #isSpectator;
  constructor(fm, RollbackSession, local, seats, instance, count, delay, prediction, checkEvery, silence, history, isJson, throws) {
    const { Body, Circle } = fm, { space, players } = build(fm, count);
    const maybeThrow = () => {
      if (Math.random() * 1000 < throws) throw new Error("mine");
    };
    this.#fm = fm;
    this.#space = space;
    this.#isJson = isJson !== 0;
    this.#isSpectator = local < 0;
    this.#session = new RollbackSession(space, {
      players: count, local: local < 0 ? null : local, delay, prediction, checkEvery, silence, history, seats: [...Array(count).keys()].filter((i) => (seats >> i) & 1),
      input: isJson ? 0 : new Uint8Array(1), session: 63, instance,
      advance: (_, inputs, frame) => {
        maybeThrow();
        players.forEach((body, i) => { // objects stay the same when a state is loaded
          const value = valueOf(inputs[i]), push = 20 * ((value & 1) - ((value >> 1) & 1)), { position: { x, y } } = body;
          if (push !== 0) body.applyImpulseAtLocalPoint({ x: push, y: 0 }, { x: 0, y: 2 });
          if (value & 4 && frame % 8 === 0) body.applyImpulseAtWorldPoint({ x: 0, y: 200 }, { x, y });
          if (!(value & 8) || frame % 16 !== (4 * i) % 16) return;
          const ball = new Body(0.5, 10);
          ball.position = { x, y: y + 40 };
          const shape = new Circle(ball, 6);
          Object.assign(shape, { elasticity: 0.5, collisionType: FIRST_BALL + 16 * frame + i });
          space.add(ball, shape);
          this.#session.event(i, isJson ? { f: frame } : new TextEncoder().encode(String(frame)));
        });
        const balls = space.shapes.filter(({ collisionType }) => collisionType >= FIRST_BALL);
        if (balls.length > BALLS_MAX) {
          const oldest = balls.reduce((a, b) => (b.collisionType < a.collisionType ? b : a));
          space.remove(oldest, oldest.body);
        }
        space.step(DT);
        maybeThrow();
        this.#hashes.set(frame, space.hash());
      },
      send: (message) => this.#sent.push(hexOf(message)),
      onNotice: ({ kind, frame, event = 0, data, text }) => {
        if (kind === "loaded") this.#hashes.clear(), this.#confirmed.clear();
        if (kind === "desync") this.#problem = `desync ${text}`;
        this.#notices.push(`${KINDS.indexOf(kind)}/${frame}/${event}/${data === undefined ? "" : textOf(data)}`);
      },
    });
  }
  do(line) {
    const [command, ...words] = line.split(" "), session = this.#session, number = Number(words[0]);
    if (command === "leave") return void session.leave();
    if (command === "drop") return void session.drop(number);
    if (command === "delay") return void (session.delay = number);
    if (command === "probe") return void this.#probe();
    for (const message of words.slice(2)) session.receive(bytesOf(message));
    try {
      session.tick(this.#isSpectator ? undefined : (this.#isJson ? JSON_INPUTS : BYTE_INPUTS)[Number(words[1])](number));
    } catch (error) {
      if (error.message !== "mine") this.#problem = error.message;
    }
    const { frame, confirmedFrame, isPlaying, isHost, stats } = session;
    const final = [...this.#hashes].filter(([each]) => each < confirmedFrame).sort(([a], [b]) => a - b);
    for (const [each, hash] of final) this.#hashes.delete(each), this.#confirmed.set(each, hash);
    for (const each of this.#confirmed.keys()) if (each < confirmedFrame - 200) this.#confirmed.delete(each);
    const answer = [
      frame, confirmedFrame, Number(isPlaying), Number(isHost), stats.rollbacks, this.#fm.memory.bytes, hexOf(new TextEncoder().encode(this.#problem)) || "-",
      ...final.map(([each, hash]) => `${each}:${hash}`), ...this.#notices, "|", ...this.#sent,
    ];
    this.#sent = [];
    this.#notices = [];
    return answer.join(" ");
  }
  #probe() {
    const { history, frame: now } = this.#session, { first } = history, frame = first + Math.floor(Math.random() * (now - first + 1));
    const expected = this.#hashes.get(frame - 1) ?? this.#confirmed.get(frame - 1);
    if (expected !== undefined && history.at(frame).hash() !== expected) this.#problem = "History differs";
    if (frame > first) history.at(frame - 0.5);
    const copy = this.#space.fork(), state = this.#space.save(), saved = state.constructor.fromBytes(state.toBytes());
    copy.restore(saved);
    if (copy.hash() !== this.#space.hash()) this.#problem = "a saved game differs";
    for (const each of [copy, state, saved]) each.free();
  }
  end() {
    this.#session.free();
    this.#space.free();
  }
}
