// SPDX-License-Identifier: MIT
// The game: two players, each a wheel, and a pile of boxes between them.

export const WIDTH = 640, HEIGHT = 360, DT = 1 / 60;
export const LEFT = 1, RIGHT = 2, JUMP = 4;
const COLUMNS = 7, ROWS = 6, BOX = 22, WHEEL = 16;

export function build({ Space, Body, Circle, Segment, Poly, momentForBox, momentForCircle }) {
  const space = new Space();
  space.gravity = { x: 0, y: -500 };
  space.sleepTimeThreshold = 0.5;
  const corners = [[0, HEIGHT], [0, 0], [WIDTH, 0], [WIDTH, HEIGHT]].map(([x, y]) => ({ x, y }));
  for (let i = 0; i < 3; ++i) {
    const wall = new Segment(space.staticBody, corners[i], corners[i + 1], 4);
    wall.friction = 1;
    space.add(wall);
  }
  for (const x of [80, WIDTH - 80]) {
    const body = new Body(3, momentForCircle(3, 0, WHEEL));
    body.position = { x, y: WHEEL + 6 };
    const wheel = new Circle(body, WHEEL);
    wheel.friction = 2;
    wheel.elasticity = 0.2;
    space.add(body, wheel);
  }
  for (let i = 0; i < COLUMNS * ROWS; ++i) {
    const body = new Body(0.6, momentForBox(0.6, BOX, BOX));
    body.position = { x: WIDTH / 2 + ((i % COLUMNS) - (COLUMNS - 1) / 2) * (BOX + 1), y: 6 + BOX / 2 + Math.floor(i / COLUMNS) * (BOX + 0.5) };
    const box = Poly.box(body, BOX, BOX);
    box.friction = 0.6;
    space.add(body, box);
  }
  return space;
}

/** Steps the game. It reads only the space and the inputs. */
export function advance(space, inputs) {
  for (let i = 0; i < 2; ++i) {
    const body = space.bodies[i], input = inputs[i];
    const turn = (input & LEFT ? 1 : 0) - (input & RIGHT ? 1 : 0);
    if (turn !== 0) {
      const { angularVelocity } = body;
      body.torque = turn * angularVelocity > 25 ? 0 : turn * 9000;
      body.force = { x: -turn * 900, y: 0 };
    }
    const { x, y } = body.velocity;
    if (input & JUMP && Math.abs(y) < 5) body.velocity = { x, y: 260 };
  }
  space.step(DT);
}
