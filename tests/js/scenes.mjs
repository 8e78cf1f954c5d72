// SPDX-License-Identifier: MIT

/** The scene of tests/space/golden_hash_test.cpp. */
export function goldenScene(fm) {
  const { Space, Body, Circle, Segment, Poly } = fm;
  const space = new Space();
  space.gravity = { x: 0, y: -300 };
  space.iterations = 15;
  space.sleepTimeThreshold = 0.5;
  space.collisionSlop = 0.25;
  const addShape = (shape, friction, elasticity, collisionType) => {
    space.add(shape);
    Object.assign(shape, { friction, elasticity, collisionType });
  };
  const addBody = (body, x, y) => {
    space.add(body);
    body.position = { x, y };
    return body;
  };
  for (const [a, b] of [[[-400, 0], [400, 0]], [[-400, 0], [-400, 400]], [[400, 0], [400, 400]]]) {
    addShape(new Segment(space.staticBody, { x: a[0], y: a[1] }, { x: b[0], y: b[1] }, 2), 0.9, 0, 0);
  }
  for (let i = 0; i < 8; ++i) {
    const box = addBody(new Body(1, fm.momentForBox(1, 20, 20)), -60 + 3 * i, 12 + 21 * i);
    addShape(Poly.box(box, 20, 20, 0.5), 0.6, 0.125, 2);
  }
  for (let kind = 0; kind < 10; ++kind) {
    const a = addBody(new Body(1, 20), -250 + 50 * kind, 250), b = addBody(new Body(2, 40), -235 + 50 * kind, 270);
    addShape(new Circle(a, 6, { x: 1, y: 0 }), 0.5, 0.25, 1);
    addShape(new Circle(b, 8), 0.5, 0.25, 1);
    space.add(joint(fm, kind, a, b));
  }
  const paddle = addBody(Body.kinematic(), 150, 60);
  paddle.angularVelocity = 2;
  addShape(new Poly(paddle, [[40, -4], [40, 4], [-40, 4], [-40, -4], [0, 9]].map(([x, y]) => ({ x, y })), 1), 1, 0.5, 0);
  let contacts = 0;
  space.onCollision(1, { begin: () => ++contacts > 0 });
  return { space, contacts: () => contacts };
}

function joint(fm, kind, a, b) {
  const zero = { x: 0, y: 0 }, v = (x, y) => ({ x, y });
  switch (kind) {
    case 0: return new fm.PinJoint(a, b, v(1, 0), v(0, 2));
    case 1: return new fm.SlideJoint(a, b, zero, zero, 10, 30);
    case 2: return new fm.PivotJoint(a, b, v(10, 10), v(-5, -10));
    case 3: return new fm.GrooveJoint(a, b, v(-10, 20), v(20, 15), zero);
    case 4: return new fm.DampedSpring(a, b, zero, zero, 20, 40, 1);
    case 5: return new fm.DampedRotarySpring(a, b, 0.5, 3000, 20);
    case 6: return new fm.RotaryLimitJoint(a, b, -0.25, 0.25);
    case 7: return new fm.RatchetJoint(a, b, 0.125, 0.5);
    case 8: return new fm.GearJoint(a, b, 0.25, 2);
    default: return new fm.SimpleMotor(a, b, 3);
  }
}

export function ballAt({ Body, Circle }, space, x, y) {
  const body = new Body(1, 10);
  body.position = { x, y };
  space.add(body, new Circle(body, 1));
  return body;
}

export function heap(fm, count) {
  const { Space, Body, Segment, Poly } = fm;
  const space = new Space();
  space.gravity = { x: 0, y: -300 };
  const width = Math.ceil(Math.sqrt(count));
  space.add(new Segment(space.staticBody, { x: -2000, y: 0 }, { x: 2000, y: 0 }, 2));
  for (let i = 0; i < count; ++i) {
    const body = new Body(1, fm.momentForBox(1, 20, 20));
    body.position = { x: (i % width) * 21 - 10 * width + (Math.floor(i / width) % 2), y: 13 + 21 * Math.floor(i / width) };
    const box = Poly.box(body, 20, 20);
    box.friction = 0.7;
    space.add(body, box);
  }
  return space;
}

/** Returns the hashes after 0, 60 and 600 steps, which `between` must not change. */
export function goldenHashes(fm, between = () => {}) {
  let { space } = goldenScene(fm);
  const hashes = [];
  for (let step = 0; step <= 600; ++step) {
    if ([0, 60, 600].includes(step)) hashes.push(space.hash());
    space.step(1 / 60);
    space = between(space, step) ?? space;
  }
  return hashes;
}
