// SPDX-License-Identifier: MIT
// JavaScript's rows of docs/reference/defects.md: right by default, and wrong in stock's mode.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";

import { DT, folder, load, refusals, run } from "./run.mjs";
import { ballAt } from "./scenes.mjs";

const fm = await load();
const { Space, Body, Circle, Segment, Poly, DampedSpring, DampedRotarySpring, PinJoint } = fm;
const refusal = refusals(fm);
const v = (x, y) => ({ x, y }), ZERO = v(0, 0);
const SETS = ["none", "pymunk", "stock"];
const near = (found, expected, error = 1e-12) => assert.ok(Math.abs(found - expected) <= error, `found ${found}, expected ${expected}`);
const steps = (space, count, dt = DT) => { for (let i = 0; i < count; ++i) space.step(dt); };
const [left, right, bottom, top] = [0, 1, 2, 3];
const boxOf = (body, sides, radius) => new Poly(body, [v(sides[left], sides[bottom]), v(sides[right], sides[bottom]), v(sides[right], sides[top]), v(sides[left], sides[top])], radius);
function bodyAt(space, position, moment = 1) {
  const body = new Body(1, moment);
  body.position = position;
  return space.add(body);
}

function sleeper(defects) {
  const space = new Space({ defects });
  space.gravity = v(0, -100);
  space.sleepTimeThreshold = 0.5;
  const ground = space.add(new Segment(space.staticBody, v(-100, 0), v(100, 0), 1)), body = bodyAt(space, v(0, 11), fm.momentForBox(1, 20, 20));
  const box = space.add(Poly.box(body, 20, 20));
  ground.friction = box.friction = 1;
  steps(space, 120);
  assert.ok(body.isSleeping);
  return { space, ground, body, box };
}
const changes = {
  sensor: ({ ground }) => (ground.sensor = true),
  filter: ({ ground }) => (ground.filter = { categories: 0, mask: 0 }),
  "surface velocity": ({ ground }) => (ground.surfaceVelocity = v(30, 0)),
  friction: ({ ground }) => (ground.friction = 0),
  neighbours: ({ ground }) => (ground.neighbors = { previous: v(-200, 0), next: v(200, 0) }),
  "a move": ({ space }) => (space.staticBody.position = v(0, -50), space.reindex(space.staticBody)),
  "a move and reindex()": ({ space }) => (space.staticBody.position = v(0, -50), space.reindex()),
  "a move, and the shape's reindex()": ({ space, ground }) => (space.staticBody.position = v(0, -50), space.reindex(ground)),
  "a static shape in it": ({ space }) => space.add(new Circle(space.staticBody, 5, v(8, 11))),
  "a static sensor in it": ({ space }) => {
    const sensor = new Circle(space.staticBody, 5, v(0, 11));
    sensor.sensor = true;
    space.add(sensor);
  },
};

const tests = {
  "is a part of the state"() {
    const space = new Space(), hash = space.hash();
    assert.equal(space.defects, "none");
    for (const defects of SETS) {
      const own = new Space({ defects }), saved = own.save();
      assert.deepEqual([own.defects, own.fork().defects, Space.fromBytes(own.toBytes()).defects], [defects, defects, defects]);
      assert.equal(own.hash() === hash, defects === "none");
      space.restore(saved);
      assert.deepEqual([space.defects, space.hash()], [defects, own.hash()]);
    }
    assert.match(new Space({ defects: "stock" }).firstDifference(new Space()), /defects/);
    assert.throws(() => new Space({ defects: "some" }), refusal(/defects: found "some", expected one of none, pymunk, stock/));
    assert.throws(() => (space.defects = "none"), TypeError);
  },

  "moves circles out of rounded polygons"() {
    for (const defects of SETS) {
      const space = new Space({ defects }), box = space.add(boxOf(space.staticBody, [-10, 10, -10, 10], 5));
      const body = bodyAt(space, v(0, 20)), circle = space.add(new Circle(body, 10)), isStock = defects === "stock";
      near(space.shapeQuery(circle)[0].points[0].distance, isStock ? 5 : -5);
      near(space.shapeQuery(box)[0].points[0].distance, defects === "pymunk" ? 5 : -5);
      steps(space, 300);
      near(body.position.y, isStock ? 20 : 24.9, 0.01);
    }
  },

  "limits springs, and reads their impulse as the change of momentum"() {
    for (const defects of SETS) {
      const space = new Space({ defects }), body = bodyAt(space, v(10, 0)), turned = bodyAt(space, v(50, 0)), isStock = defects === "stock";
      const spring = new DampedSpring(space.staticBody, body, ZERO, ZERO, 0, 100, 0), rotary = new DampedRotarySpring(space.staticBody, turned, 0, 10, 2);
      spring.maxForce = 10;
      Object.assign(turned, { angle: 1, angularVelocity: 5 });
      space.add(spring, rotary);
      space.step(0.1);
      near(body.velocity.x, isStock ? -100 : -1);
      const error = Math.abs(rotary.impulse - (turned.angularVelocity - 5));
      assert.ok(isStock ? error > 1 : error < 1e-12, `${defects}: ${error}`);
    }
  },

  "finds what a segment query's radius and end touch, and starts inside of shapes"() {
    for (const defects of SETS) {
      const isRight = defects === "none", wide = new Space({ defects }), ending = new Space({ defects }), inside = new Space({ defects });
      wide.add(new Circle(wide.staticBody, 1, v(0, 5)), new Circle(wide.staticBody, 1, v(100, 100)));
      assert.deepEqual(wide.segmentQuery(v(-10, 0), v(10, 0), 4.5).map(({ shape }) => shape), isRight ? [wide.shapes[0]] : []);
      if (isRight) near(wide.segmentQueryFirst(v(-10, 0), v(10, 0), 4.5).alpha, (10 - Math.sqrt(5.5 * 5.5 - 25)) / 20);
      ending.add(boxOf(ending.staticBody, [10, 20, -5, 5]), boxOf(ending.staticBody, [100, 110, -5, 5]));
      assert.deepEqual(ending.segmentQuery(ZERO, v(10, 0)).map(({ shape, alpha }) => [shape, alpha]), isRight ? [[ending.shapes[0], 1]] : []);
      inside.add(new Circle(inside.staticBody, 1));
      const { point, normal, alpha } = inside.segmentQueryFirst(v(0.5, 0), v(5, 5));
      assert.deepEqual({ point, normal, alpha }, isRight ? { point: v(0.5, 0), normal: ZERO, alpha: 0 } : { point: v(5, 5), normal: v(-1, 0), alpha: 0 });
    }
  },

  "measures capsules that meet with an end, and segments of length 0"() {
    for (const defects of SETS) {
      const space = new Space({ defects }), upright = bodyAt(space, v(300, 100)), flat = bodyAt(space, v(320, 92));
      upright.angle = Math.PI / 2;
      const [one] = space.add(...[upright, flat].map((body) => new Segment(body, v(-8, 0), v(8, 0), 8)));
      const [{ points }] = space.shapeQuery(one);
      near(Math.min(...points.map(({ distance }) => distance)), defects === "none" ? -4 : -16, 1e-5);
      const other = new Space({ defects }), dots = [0, 1.9].map((x) => new Segment(bodyAt(other, v(x, x)), ZERO, ZERO, 1));
      other.add(...dots);
      assert.equal(other.shapeQuery(dots[0]).length, defects === "none" ? 0 : 1);
    }
  },

  "keeps rest where the time step changes"() {
    for (const defects of SETS) {
      const space = new Space({ defects });
      space.gravity = v(0, -100);
      space.add(new Segment(space.staticBody, v(-100, 0), v(100, 0)));
      const ball = bodyAt(space, v(0, 5), fm.momentForCircle(1, 0, 5));
      space.add(new Circle(ball, 5));
      steps(space, 300);
      const start = ball.position.y;
      space.step(1e-3);
      let most = 0;
      for (let i = 0; i < 60; ++i) space.step(DT), most = Math.max(most, Math.abs(ball.position.y - start));
      if (defects === "none") assert.ok(most < 0.02, `${most}`);
      else near(most, 3.19, 0.01);
    }
  },

  "wakes sleepers whose support changes"() {
    for (const [name, change] of Object.entries(changes)) {
      for (const defects of SETS) {
        const scene = sleeper(defects);
        change(scene);
        scene.space.step(DT);
        assert.equal(scene.body.isSleeping, defects !== "none", `${name}, ${defects}`);
      }
    }
    for (const defects of SETS) {
      const space = new Space({ defects });
      space.sleepTimeThreshold = 0.5;
      const body = bodyAt(space, v(10, 0));
      space.add(new PinJoint(space.staticBody, body, ZERO, ZERO));
      steps(space, 60);
      assert.ok(body.isSleeping);
      space.staticBody.position = v(0, 20);
      space.step(DT);
      assert.equal(body.isSleeping, defects !== "none", defects);
    }
  },

  "refuses in stock's mode what breaks stock Chipmunk's lists"() {
    for (const defects of SETS) {
      const space = new Space({ defects });
      space.sleepTimeThreshold = 0.5;
      const ball = ballAt(fm, space, 0, 0), other = ballAt(fm, space, 1.5, 0);
      space.step(DT);
      const refuses = (call, words) => (defects === "stock" ? assert.throws(call, refusal(words)) : call());
      refuses(() => ball.sleep(), /nothing that is awake/);
      assert.equal(ball.isSleeping, defects !== "stock");
      steps(space, 200);
      assert.ok(ball.isSleeping && other.isSleeping);
      refuses(() => (ball.type = "static"), /may sleep/);
      steps(space, 60);
      assert.equal(Space.fromBytes(space.toBytes()).hash(), space.hash());
    }
  },

  "keeps a tree of 10,000 circles in one place"() {
    const space = new Space(), start = process.cpuUsage();
    for (let i = 0; i < 10_000; ++i) space.add(new Circle(space.staticBody, 5));
    ballAt(fm, space, 0, 20);
    space.step(DT);
    assert.equal(space.pointQuery(ZERO).length, 10_000);
    assert.equal(space.segmentQuery(v(-10, 0), v(10, 0)).length, 10_000);
    const saved = space.save(), twin = space.fork(), hash = space.hash();
    assert.equal(twin.hash(), hash);
    assert.equal(Space.fromBytes(space.toBytes()).hash(), hash);
    space.step(DT);
    space.restore(saved);
    assert.equal(space.hash(), hash);
    const { user, system } = process.cpuUsage(start);
    console.log(`10,000 circles in one place: ${((user + system) / 1e6).toFixed(2)} s`);
  },

  "queries them with a small stack"() {
    const code = (defects) => `
      import { load } from ${JSON.stringify(pathToFileURL(`${folder}/index.mjs`).href)};
      const { Space, Circle } = await load(), space = new Space({ defects: "${defects}" });
      for (let i = 0; i < 10_000; ++i) space.add(new Circle(space.staticBody, 5));
      console.log(space.pointQuery({ x: 0, y: 0 }).length);`;
    const outcome = (defects) => spawnSync(process.execPath, ["--stack-size=200", "--input-type=module", "-e", code(defects)], { encoding: "utf8" });
    assert.equal(outcome("none").stdout, "10000\n");
    assert.match(outcome("stock").stderr, /was cut off/); // the tree became a list
  },

  "refuses time steps that are none"() {
    for (const defects of SETS) {
      const space = new Space({ defects }), hash = space.hash();
      for (const dt of [NaN, Infinity, -Infinity, -0.01, "1", undefined]) {
        for (space.checked of [true, false]) assert.throws(() => space.step(dt), refusal(/dt: found/));
      }
      assert.equal(space.hash(), hash);
    }
  },

  "restores the finite state of before a checked step, and names what left it"() {
    const space = new Space({ checked: true }), later = [];
    const bodies = [0, 20, 40, 60].map((x) => ballAt(fm, space, x, 0));
    space.remove(bodies[0], space.shapes[0]); // Chipmunk moves its last body to this place
    const [, calm, wild] = bodies;
    calm.velocity = v(3, 0);
    space.onCollision({ begin: () => space.afterStep(() => later.push("later")) });
    ballAt(fm, space, 21, 0);
    const control = space.fork();
    assert.equal(control.checked, true);
    control.checked = false;
    assert.throws(() => new Space({ checked: 1 }), refusal(/true or false/));
    space.step(DT);
    assert.deepEqual(later, ["later"]);
    control.step(DT);
    assert.equal(space.hash(), control.hash());
    ballAt(fm, space, 41, 0);
    later.length = 0;
    Object.assign(wild, { mass: 1e-300, force: v(1e100, 0) });
    const hash = space.hash();
    assert.throws(() => space.step(DT), (error) => error.object === wild
      && refusal(/^Space\.step\(\): bodies\[1\]: its \w+ is not finite; the state of before the step is restored$/)(error));
    assert.equal(space.hash(), hash);
    assert.equal(space.bodies[1], wild);
    assert.deepEqual(later, []); // the failed step's callbacks are dropped
    Object.assign(wild, { mass: 1, force: ZERO });
    space.step(DT);
    assert.ok(later.length > 0);
  },
};

await run(tests);
