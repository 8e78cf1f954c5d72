// SPDX-License-Identifier: MIT
// A player of languages_test.mjs in node and in Chromium (see peer.cpp).

const DT = 1 / 60, FIRST_BALL = 100, PLAYERS = 4, BALLS_MAX = 12;

function addBox({ Body, Poly, momentForBox }, space, mass, width, height, [x, y]) {
  const body = new Body(mass, momentForBox(mass, width, height));
  body.position = { x, y };
  const shape = Poly.box(body, width, height);
  shape.friction = 0.7;
  space.add(body, shape);
  return shape;
}

function build(fm) {
  const { Body, Circle, PinJoint, Segment, Space } = fm, space = new Space();
  space.gravity = { x: 0, y: -300 };
  space.sleepTimeThreshold = 0.5;
  const corners = [[-300, 300], [-300, 0], [300, 0], [300, 300]].map(([x, y]) => ({ x, y }));
  for (let i = 0; i < 3; ++i) {
    const wall = new Segment(space.staticBody, corners[i], corners[i + 1], 4);
    wall.friction = 0.9;
    space.add(wall);
  }
  const players = Array.from({ length: PLAYERS }, (_, i) => {
    const shape = addBox(fm, space, 2, 30, 20, [-225 + 150 * i, 20]);
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

export class Peer {
  #session; #hashes = new Map(); #sent = []; #desync = "-"; #fm;
  constructor(fm, RollbackSession, local, seats, instance) {
    const { Body, Circle } = fm, { space, players } = build(fm);
    this.#fm = fm;
    this.#session = new RollbackSession(space, {
      players: PLAYERS, local, prediction: 30, seats: [0, 1, 2, 3].filter((i) => (seats >> i) & 1), input: new Uint8Array(1), session: 63, instance,
      advance: (_, inputs, frame) => {
        players.forEach((body, i) => { // objects stay the same when a state is loaded
          const [value] = inputs[i], push = 20 * ((value & 1) - ((value >> 1) & 1)), { position: { x, y } } = body;
          if (push !== 0) body.applyImpulseAtLocalPoint({ x: push, y: 0 }, { x: 0, y: 2 });
          if (value & 4 && frame % 8 === 0) body.applyImpulseAtWorldPoint({ x: 0, y: 200 }, { x, y });
          if (!(value & 8) || frame % 16 !== 4 * i) return;
          const ball = new Body(0.5, 10);
          ball.position = { x, y: y + 40 };
          const shape = new Circle(ball, 6);
          Object.assign(shape, { elasticity: 0.5, collisionType: FIRST_BALL + frame });
          space.add(ball, shape);
        });
        const balls = space.shapes.filter(({ collisionType }) => collisionType >= FIRST_BALL);
        if (balls.length > BALLS_MAX) {
          const oldest = balls.reduce((a, b) => (b.collisionType < a.collisionType ? b : a));
          space.remove(oldest, oldest.body);
        }
        space.step(DT);
        this.#hashes.set(frame, space.hash());
      },
      send: (message) => this.#sent.push(hexOf(message)),
      onNotice: ({ kind, text }) => {
        if (kind === "loaded") this.#hashes.clear();
        if (kind === "desync") this.#desync = hexOf(new TextEncoder().encode(text)) || "00";
      },
    });
  }
  /** Returns the answer to a line. */
  do(line) {
    const [command, input, ...messages] = line.split(" "), session = this.#session;
    if (command === "leave") return void session.leave();
    for (const message of messages) session.receive(bytesOf(message));
    session.tick(Uint8Array.of(Number(input)));
    const { frame, confirmedFrame, isPlaying, stats } = session;
    const final = [...this.#hashes].filter(([each]) => each < confirmedFrame).sort(([a], [b]) => a - b);
    final.forEach(([each]) => this.#hashes.delete(each));
    const answer = [frame, confirmedFrame, Number(isPlaying), stats.rollbacks, this.#fm.memory.bytes, this.#desync, ...final.map(([each, hash]) => `${each}:${hash}`), "|", ...this.#sent];
    this.#sent = [];
    return answer.join(" ");
  }
}
