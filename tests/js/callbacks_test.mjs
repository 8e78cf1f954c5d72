// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";

import { DT, load, refusals, run } from "./run.mjs";
import { ballAt, goldenScene, heap } from "./scenes.mjs";

const fm = await load();
const { Space, Body, Circle, PivotJoint } = fm;
const refusal = refusals(fm);
const boxAt = (space, x, y) => ballAt(fm, space, x, y);

const tests = {
  "calls back, also in forks"() {
    const { space, contacts } = goldenScene(fm);
    for (let i = 0; i < 60; ++i) space.step(DT);
    const before = contacts();
    assert.ok(before > 0);
    const twin = space.fork();
    for (let i = 0; i < 60; ++i) twin.step(DT);
    assert.ok(contacts() > before);
  },

  "sets the friction and the surface's velocity of a contact"() {
    const speedWith = (set) => {
      const space = new Space(), ground = space.createBody({ type: "static", shapes: [{ a: { x: -90, y: 0 }, b: { x: 90, y: 0 }, radius: 1, friction: 1 }] });
      const box = space.createBody({ mass: 1, position: { x: 0, y: 2 }, velocity: { x: 10, y: 0 }, shapes: [{ width: 2, height: 2, friction: 1 }] });
      space.gravity = { x: 0, y: -100 };
      space.onCollision({ preSolve(arbiter) {
        assert.deepEqual(arbiter.bodies, [ground, box]);
        const { normal, points } = arbiter, ends = points.flatMap(({ pointA, pointB }) => [pointA.y, pointB.y]);
        assert.ok(ends.length >= 2 && ends.every((y) => Math.abs(y - 1) < 0.2), String(ends));
        for (const { pointA, pointB, distance } of points) assert.ok(Math.abs((pointB.y - pointA.y) * normal.y - distance) < 1e-9);
        set(arbiter);
      } });
      for (let i = 0; i < 60; ++i) space.step(DT);
      return box.velocity.x;
    };
    assert.ok(Math.abs(speedWith(() => {})) < 1e-6);
    assert.equal(speedWith((arbiter) => (arbiter.friction = 0)), 10);
    const carried = speedWith((arbiter) => {
      arbiter.surfaceVelocity = { x: 3, y: 0 };
      assert.deepEqual(arbiter.surfaceVelocity, { x: 3, y: 0 });
    });
    assert.ok(Math.abs(Math.abs(carried) - 3) < 1e-6, String(carried));
  },

  "removes all or nothing"() {
    const space = new Space(), body = boxAt(space, 0, 0), other = boxAt(space, 0.5, 0);
    space.add(new Circle(body, 2));
    const joint = space.add(new PivotJoint(body, other, { x: 0, y: 0 }, { x: 0, y: 0 }));
    let calls = 0;
    space.onCollision({ separate() { ++calls; throw new RangeError("mine"); } });
    space.step(DT);
    const shapes = space.shapes.filter((shape) => shape.body === body), hash = space.hash();
    for (const some of [[shapes[0], joint], shapes]) assert.throws(() => space.remove(...some, body), refusal(/are attached/));
    assert.equal(calls, 0);
    assert.equal(space.hash(), hash);
    assert.throws(() => space.remove(body, joint, ...shapes), /mine/);
    assert.equal(calls, 1);
    assert.deepEqual(space.bodies, [other]);
    space.step(DT);
  },

  "runs afterStep() of a removal"() {
    const space = heap(fm, 3), order = [];
    for (let i = 0; i < 60; ++i) space.step(DT);
    space.onCollision({ separate: () => space.afterStep(() => order.push("later")) });
    space.remove(space.shapes.at(-1));
    assert.ok(order.length > 0);
    space.free();
  },

  "throws what a callback throws, after the step"() {
    const space = new Space();
    boxAt(space, 0, 0);
    boxAt(space, 0.5, 0);
    space.onCollision({ begin(arbiter, given) {
      assert.equal(given, space);
      assert.equal(arbiter.shapes.length, 2);
      assert.throws(() => space.step(DT), refusal(/in a callback/));
      assert.throws(() => space.save(), refusal(/in a callback/));
      assert.throws(() => space.add(new Body(1, 1)), refusal(/in a callback/));
      assert.throws(() => space.free(), refusal(/in a callback/));
      throw new RangeError("mine");
    } });
    const before = space.save();
    assert.throws(() => space.step(DT), /mine/);
    space.step(DT);
    space.restore(before);
    let kept, ran = 0;
    space.onCollision({ begin: (arbiter) => { kept = arbiter; space.afterStep(() => ++ran); return true; } });
    space.step(DT);
    assert.equal(ran, 1);
    assert.throws(() => kept.normal, refusal(/callback is over/));
  },

  "runs all functions of afterStep(), also after exceptions"() {
    const space = new Space(), order = [];
    boxAt(space, 0, 0);
    boxAt(space, 0.5, 0);
    const later = (number) => space.afterStep(() => {
      order.push(number);
      throw new RangeError(`number ${number}`);
    });
    space.onCollision({
      begin() {
        later(1);
        later(2);
        throw new RangeError("mine");
      },
      separate() {
        later(3);
        later(4);
      },
    });
    assert.throws(() => space.step(DT), /mine/);
    assert.deepEqual(order, [1, 2]);
    assert.throws(() => space.remove(space.shapes[0]), /number 3/);
    assert.deepEqual(order, [1, 2, 3, 4]);
    space.step(DT);
  },

  "ends a function of afterStep() that removes or steps before it runs the next"() {
    const space = new Space(), order = [], shapes = [boxAt(space, 0, 0), boxAt(space, 0.5, 0)].flatMap((body) => space.shapes.filter((shape) => shape.body === body));
    const later = (name, ...calls) => space.afterStep(() => {
      order.push(name);
      for (const call of calls) call();
      order.push(`end of ${name}`);
    });
    space.onCollision({
      begin() {
        later("one", () => space.remove(shapes[0]), () => space.remove(shapes[0].body), () => space.step(DT));
        later("two");
      },
      separate: () => later("separate"),
    });
    space.step(DT);
    assert.deepEqual(order, ["one", "separate", "end of separate", "end of one", "two", "end of two"]);
    assert.deepEqual(space.shapes, [shapes[1]]);
  },

  "drops what callbacks leave in a step that fails"() {
    const space = new Space({ capacityBytes: 131072 }), body = boxAt(space, 0, 0);
    boxAt(space, 0.5, 0);
    let calls = 0, ran = 0;
    space.onCollision({ begin() {
      ++calls;
      space.afterStep(() => ++ran);
      throw new RangeError("mine");
    } });
    for (let size = 131072; body.userData === undefined; size -= 32) {
      try {
        body.userData = "x".repeat(size); // leaves no room for a contact
      } catch {
        assert.ok(size > 32);
      }
    }
    const full = space.save();
    for (let i = 1; i <= 2; ++i) {
      assert.throws(() => space.step(DT), refusal(/outgrown its memory/));
      assert.equal(calls, i);
      space.restore(full);
    }
    space.remove(space.shapes[0]);
    assert.equal(ran, 0);
    space.free();
  },

  "wakes and changes sleepers in each callback"() {
    for (const event of ["begin", "preSolve", "postSolve"]) {
      const space = new Space(), sleepers = [boxAt(space, 50, 0), boxAt(space, 60, 0)];
      space.sleepTimeThreshold = 0.1;
      for (let i = 0; i < 20; ++i) space.step(DT);
      assert.ok(sleepers.every(({ isSleeping }) => isSleeping));
      boxAt(space, 0, 0), boxAt(space, 1, 0);
      space.onCollision({ [event]: () => (sleepers[0].activate(), sleepers[1].velocity = { x: 1, y: 0 }, true) });
      space.step(DT);
      assert.ok(sleepers.every(({ isSleeping }) => !isSleeping), event);
      for (let i = 0; i < 30; ++i) space.step(DT);
      assert.equal(Space.fromBytes(space.toBytes()).hash(), space.hash());
    }
  },

  "lists joints of sleepers that a callback wakes"() {
    const space = new Space(), sleepers = [boxAt(space, 50, 0), boxAt(space, 60, 0)], counts = [];
    space.add(new PivotJoint(...sleepers, { x: 5, y: 0 }, { x: -5, y: 0 }));
    space.sleepTimeThreshold = 0.1;
    for (let i = 0; i < 20; ++i) space.step(DT);
    assert.ok(sleepers[0].isSleeping);
    boxAt(space, 0, 0), boxAt(space, 1, 0);
    space.onCollision({ postSolve() {
      sleepers[0].activate();
      counts.push(space.bodies.length, space.constraints.length);
    } });
    space.step(DT);
    assert.deepEqual([...counts, space.constraints.length], [4, 1, 1]);
  },

  "knows the spaces around the one that calls back"() {
    const [outer, inner] = [0, 1].map(() => {
      const space = new Space();
      ballAt(fm, space, 0, 0), ballAt(fm, space, 1, 0);
      return space;
    });
    const saved = outer.save(), later = [];
    const calls = {
      add: () => outer.add(new Body(1, 1)), remove: () => outer.remove(outer.shapes[0]), step: () => outer.step(DT), save: () => outer.save(), restore: () => outer.restore(saved),
      free: () => outer.free(), fork: () => outer.fork(), reindex: () => outer.reindex(), onCollision: () => outer.onCollision({}), type: () => (outer.bodies[0].type = "static"),
    };
    let refused = 0;
    inner.onCollision({ preSolve() {
      for (const [name, call] of Object.entries(calls)) assert.throws(call, refusal(/in a callback/), name), ++refused;
      outer.afterStep(() => later.push(refused));
      inner.afterStep(() => later.push("inner"));
    } });
    outer.onCollision({ preSolve: () => inner.step(DT) });
    outer.step(DT);
    assert.deepEqual(later, ["inner", Object.keys(calls).length]);
    assert.equal(Space.fromBytes(outer.toBytes()).hash(), outer.hash());
  },
};

await run(tests);
