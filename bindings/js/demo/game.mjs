// SPDX-License-Identifier: MIT
// The game: two players, each a wheel, and a pile of boxes between them.

export const WIDTH = 640, HEIGHT = 360, DT = 1 / 60;
export const LEFT = 1, RIGHT = 2, JUMP = 4;
const COLUMNS = 7, ROWS = 6, BOX = 22, WHEEL = 16;

export function build({ Space, Segment }) {
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
    space.createBody({ mass: 3, position: { x, y: WHEEL + 6 }, shapes: [{ radius: WHEEL, friction: 2, elasticity: 0.2 }] });
  }
  for (let i = 0; i < COLUMNS * ROWS; ++i) {
    const position = { x: WIDTH / 2 + ((i % COLUMNS) - (COLUMNS - 1) / 2) * (BOX + 1), y: 6 + BOX / 2 + Math.floor(i / COLUMNS) * (BOX + 0.5) };
    space.createBody({ mass: 0.6, position, shapes: [{ width: BOX, height: BOX, friction: 0.6 }] });
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
