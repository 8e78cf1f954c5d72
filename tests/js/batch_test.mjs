// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";

import { DT, load, random, refusals, run } from "./run.mjs";

const fm = await load();
const { Space, Body, Circle, SimpleMotor, SpaceBatch } = fm;
const refused = refusals(fm), refusal = (call, words) => assert.throws(call, refused(words));
const WORLDS = 5;

function scene() {
  const space = new Space({ capacityBytes: 2 ** 20 });
  space.gravity = { x: 0, y: -100 };
  const ground = space.createBody({ type: "static", shapes: [{ a: { x: -90, y: 0 }, b: { x: 90, y: 0 }, radius: 1, friction: 1 }] });
  const boxes = Array.from({ length: 4 }, (_, i) => space.createBody({ position: { x: 2 * i, y: 6 + 11 * i }, shapes: [{ width: 10, height: 10, friction: 0.6 }] }));
  const ball = space.createBody({ position: { x: 30, y: 30 }, shapes: [{ radius: 4 }] });
  const wheel = space.createBody({ position: { x: -30, y: 8 }, shapes: [{ radius: 5, friction: 1 }] });
  const motor = space.add(new SimpleMotor(wheel, space.staticBody, 3));
  return { space, ground, boxes, ball, wheel, motor };
}
const shapeOf = (space, body) => space.shapes.find((shape) => shape.body === body);
const hashesOf = (spaces) => spaces.map((space) => space.hash());

await run({
  "worlds have the hashes of spaces that are stepped alone"() {
    const { space, ball, boxes, motor } = scene(), batch = new SpaceBatch(space, WORLDS), next = random(5);
    const alone = Array.from({ length: WORLDS }, () => space.fork()), own = [...batch.hashes().keys()];
    assert.equal(batch.size, WORLDS);
    for (let step = 0; step < 60; ++step) {
      if (step % 5 === 0) {
        const velocities = Float64Array.from({ length: 2 * 2 * WORLDS }, () => 80 * next() - 40), rates = own.map(() => 9 * next());
        batch.write("velocity", [ball, boxes[3]], velocities);
        batch.write("motorRate", [motor], rates);
        alone.forEach((each, i) => {
          [ball, boxes[3]].forEach((body, k) => (each.twinOf(body).velocity = { x: velocities[4 * i + 2 * k], y: velocities[4 * i + 2 * k + 1] }));
          each.twinOf(motor).rate = rates[i];
        });
      }
      batch.step(DT);
      for (const each of alone) each.step(DT);
      assert.deepEqual([...batch.hashes()], hashesOf(alone), `step ${step}`);
    }
    assert.equal(new Set(batch.hashes()).size, WORLDS);
    const into = new Float64Array(2 * WORLDS);
    assert.equal(batch.read("position", [ball], into), into);
    assert.deepEqual([...into], alone.flatMap((each) => Object.values(each.twinOf(ball).position)));
    assert.deepEqual([...batch.read("angle", [ball, boxes[0]])], alone.flatMap((each) => [each.twinOf(ball).angle, each.twinOf(boxes[0]).angle]));
    assert.deepEqual([...batch.read("motorMaxForce", [motor])], own.map(() => Infinity));
    batch.step(DT, 10);
    for (const each of alone) for (let i = 0; i < 10; ++i) each.step(DT);
    assert.deepEqual([...batch.hashes()], hashesOf(alone));
    assert.equal(space.fork().hash(), space.hash());
    batch.free();
    refusal(() => batch.step(DT), /not freed/);
  },

  "a batch outlives its space, which goes on alone"() {
    const { space, ball } = scene(), batch = new SpaceBatch(space, 2), count = space.bodies.length;
    space.add(new Body(1, 1));
    const fork = batch.world(0);
    assert.equal(fork.bodies.length, count);
    space.step(DT);
    assert.deepEqual([...batch.read("position", [ball])], [30, 30, 30, 30]);
    space.free();
    new Space().step(DT); // has the freed memory
    assert.deepEqual([...batch.read("position", [fork.twinOf(fork.bodies[5])])], [30, 30, 30, 30]);
    batch.step(DT);
    fork.step(DT);
    assert.deepEqual([...batch.hashes()], [fork.hash(), fork.hash()]);
  },

  "states go from world to world, and to spaces and back"() {
    const { space, ball } = scene(), batch = new SpaceBatch(space, 4), start = space.save();
    batch.write("velocity", [ball], [1, 2, 3, 4, 5, 6, 7, 8]);
    batch.step(DT, 7);
    const before = batch.hashes(), saved = [batch.save(1), batch.save(2)];
    space.restore(saved[0]);
    assert.equal(space.hash(), before[1]);
    assert.equal(ball.space, space);
    batch.fork(3, [0]);
    assert.deepEqual([...batch.hashes()], [before[3], before[1], before[2], before[3]]);
    batch.restore(saved, [2, 1]);
    assert.deepEqual([...batch.hashes()], [before[3], before[2], before[1], before[3]]);
    const world = batch.world(2);
    assert.equal(world.hash(), before[1]);
    assert.deepEqual(world.twinOf(ball).position, ball.position);
    world.twinOf(ball).velocity = { x: 9, y: 9 };
    batch.restore([world.save()], [0]);
    assert.equal(batch.hashes()[0], world.hash());
    batch.restore(start);
    space.restore(start);
    assert.deepEqual([...batch.hashes()], Array(4).fill(space.hash()));
    const bigger = space.fork(), body = bigger.add(new Body(1, 1));
    batch.restore(bigger.save(), [1]);
    assert.deepEqual(batch.world(1).twinOf(body).position, { x: 0, y: 0 });
    bigger.remove(bigger.shapes.filter((shape) => shape.body === bigger.twinOf(ball)), bigger.twinOf(ball));
    batch.restore(bigger.save(), [1]);
    refusal(() => batch.read("position", [ball]), /world 1: body 0 is not there/);
  },

  async "refuses what is wrong, and changes nothing"() {
    const stranger = new (await load()).Space().staticBody;
    const { space, ball, motor, wheel } = scene(), batch = new SpaceBatch(space, 3), before = batch.hashes(), snapshot = space.save();
    const wrong = {
      "a Space of": () => new SpaceBatch({}, 2),
      "count: found number 0": () => new SpaceBatch(space, 0),
      "no memory": () => new SpaceBatch(new Space({ capacityBytes: 2 ** 28 }), 100),
      'callbacks: found "no"': () => new SpaceBatch(space, 2, { callbacks: "no" }),
      "dt: found number -1": () => batch.step(-1),
      "count: found number 0.5": () => batch.step(DT, 0.5),
      "one of position, ": () => batch.read("speed", [ball]),
      "found SimpleMotor, expected a Body": () => batch.read("position", [motor]),
      "found Body, expected a Body of the same load": () => batch.read("position", [stranger]),
      "found Body, expected an object in a space of the same load": () => space.twinOf(stranger),
      "found Body, expected a SimpleMotor": () => batch.read("motorRate", [wheel]),
      "an array of bodies": () => batch.read("position", ball),
      "a Float64Array of 6": () => batch.read("position", [ball], new Float64Array(5)),
      "6 numbers: 3 worlds x 1 objects x 2": () => batch.write("position", [ball], [1, 2, 3]),
      "values: found undefined, expected an array of numbers": () => batch.write("position", [ball]),
      'values: found "123456", expected an array of numbers': () => batch.write("position", [ball], "123456"),
      "values\\[1\\]: found null, expected a number": () => batch.write("position", [ball], [1, null, 3, 4, 5, 6]),
      'actions\\[0\\]: found "1", expected a number': () => batch.rollout(snapshot, { dt: DT, actionCount: 1, actions: ["1", 2], controls: [{ field: "force", body: ball }] }),
      "into: found number 5, expected a Float64Array of 6": () => batch.read("position", [ball], 5),
      "left <= right and bottom <= top": () => batch.rollout(snapshot, { dt: DT, actionCount: 1, planCount: 1, events: [{ body: ball, outside: { left: 0, right: 9, bottom: 9, top: 0 } }] }),
      "write\\(\\): number 5 is not finite": () => batch.write("position", [ball], [1, 2, 3, 4, 5, NaN]),
      "maximal force": () => batch.write("motorMaxForce", [motor], [1, 2, -1]),
      "space that the batch was made of": () => batch.read("position", [new Body(1, 1)]),
      "whole number below 3": () => batch.save(3),
      "world 1 twice": () => batch.restore(snapshot, [1, 1]),
      "found number 1, expected 2": () => batch.restore([snapshot], [0, 1]),
      "is null or empty": () => batch.restore(new fm.Snapshot()),
      "dt: found undefined": () => batch.rollout(snapshot, { actionCount: 3 }),
      "plans without actions": () => batch.rollout(snapshot, { dt: DT, actionCount: 0 }),
      "a multiple of 4": () => batch.rollout(snapshot, { dt: DT, actionCount: 2, actions: [1, 2, 3], controls: [{ field: "velocity", body: ball }] }),
      "two shapes": () => batch.rollout(snapshot, { dt: DT, actionCount: 1, planCount: 1, contacts: [[ball]] }),
      "expected a SimpleMotor": () => batch.rollout(snapshot, { dt: DT, actionCount: 1, actions: [1], controls: [{ field: "motorRate", body: ball }] }),
      "more bytes than there are addresses": () => batch.rollout(snapshot, { dt: DT, actionCount: 2, planCount: 2 ** 31, observe: [{ field: "position", body: ball }] }),
      "at most 1,000,000 steps": () => batch.rollout(snapshot, { dt: DT, actionCount: 2 ** 19, substeps: 2, planCount: 1 }),
      "servo": () => batch.rollout(snapshot, { dt: DT, actionCount: 1, actions: [1, 1], controls: [{ field: "velocity", body: ball, stiffness: 1 }] }),
    };
    for (const [words, call] of Object.entries(wrong)) refusal(call, new RegExp(words));
    assert.deepEqual(batch.hashes(), before);
    space.onCollision({ begin: () => true });
    refusal(() => new SpaceBatch(space, 2), /callbacks: "drop"/);
  },

  "a world that fails does not stop the others"() {
    const { space, ball } = scene(), batch = new SpaceBatch(space, 3), alone = space.fork();
    batch.write("position", [ball], [30, 30, 1e200, 30, 30, 30]);
    refusal(() => batch.step(DT), /world 1: a body has left the finite numbers/);
    alone.step(DT);
    assert.deepEqual([batch.hashes()[0], batch.hashes()[2]], [alone.hash(), alone.hash()]);
    batch.fork(0, [1]);
    batch.step(DT);
  },

  "calls no function of a collision, also in a callback"() {
    const { space } = scene();
    let calls = 0, batch;
    space.onCollision({ begin: () => (++calls, false) });
    batch = new SpaceBatch(space, 1, { callbacks: "drop" });
    batch.step(DT, 60);
    assert.equal(calls, 0);
    const start = space.save(), callsOf = (inCallback) => {
      const { space: other } = scene();
      let count = 0;
      other.onCollision({
        begin() {
          ++count;
          inCallback();
        },
      });
      for (let i = 0; i < 30; ++i) other.step(DT);
      return count;
    };
    const expected = callsOf(() => {});
    assert.ok(expected > 0);
    assert.equal(callsOf(() => {
      batch.restore(start);
      batch.step(DT, 20);
    }), expected);
    assert.equal(calls, 0);
  },

  "plays plans as a space does"() {
    const { space, ground, ball, boxes, motor, wheel } = scene(), snapshot = space.save(), batch = new SpaceBatch(space, 1), next = random(9);
    const PLANS = 4, ACTIONS = 12, SUBSTEPS = 3, WIDTH = 7, before = batch.hashes();
    const actions = Float64Array.from({ length: PLANS * ACTIONS * WIDTH }, () => 60 * next() - 30), box = { left: -100, right: 100, bottom: 0, top: 31 };
    const pairs = [[shapeOf(space, ball), shapeOf(space, ground)], [shapeOf(space, boxes[0]), shapeOf(space, boxes[1])]];
    const servo = { stiffness: 40, damping: 3 }, point = { x: 1, y: 2 };
    const found = batch.rollout(snapshot, {
      dt: DT, substeps: SUBSTEPS, actionCount: ACTIONS, actions, every: 5,
      controls: [{ field: "velocity", body: ball }, { field: "motorRate", motor }, { field: "position", body: boxes[3], ...servo }, { field: "localForce", body: wheel, point }],
      observe: [{ field: "position", body: ball }, { field: "angle", body: wheel }, { field: "motorRate", motor }],
      contacts: pairs, events: [{ touching: pairs[0] }, { body: ball, outside: box }],
    });
    assert.deepEqual([found.planCount, found.final.length, found.states.length, found.contacts.length, found.events.length], [PLANS, 4 * PLANS, 4 * 2 * PLANS, 2 * PLANS * ACTIONS, 2 * PLANS]);
    assert.deepEqual([...found.steps], Array(PLANS).fill(ACTIONS * SUBSTEPS));
    const { x: toX, y: toY } = point, final = [], states = [], contacts = [], events = [];
    for (let plan = 0; plan < PLANS; ++plan) {
      space.restore(snapshot);
      const first = [0, 0];
      for (let action = 0; action < ACTIONS; ++action) {
        const n = actions.subarray((plan * ACTIONS + action) * WIDTH), touched = [0, 0];
        for (let i = 0; i < SUBSTEPS; ++i) {
          ball.velocity = { x: n[0], y: n[1] };
          motor.rate = n[2];
          const { position: p, velocity: v } = boxes[3], faster = (target, at, speed) => speed + (servo.stiffness * (target - at) + servo.damping * (0 - speed)) * DT;
          boxes[3].velocity = { x: faster(n[3], p.x, v.x), y: faster(n[4], p.y, v.y) };
          wheel.applyForceAtLocalPoint({ x: n[5], y: n[6] }, { x: toX, y: toY });
          space.step(DT);
          pairs.forEach(([a, b], k) => (touched[k] ||= Number(space.shapeQuery(a).some(({ shape }) => shape === b))));
          const step = action * SUBSTEPS + i + 1, { x, y } = ball.position;
          if (first[0] === 0 && space.shapeQuery(pairs[0][0]).some(({ shape }) => shape === pairs[0][1])) first[0] = step;
          if (first[1] === 0 && !(x >= box.left && x <= box.right && y >= box.bottom && y <= box.top)) first[1] = step;
        }
        contacts.push(...touched);
        if ((action + 1) % 5 === 0) states.push(ball.position.x, ball.position.y, wheel.angle, motor.rate);
      }
      final.push(ball.position.x, ball.position.y, wheel.angle, motor.rate);
      events.push(...first);
    }
    assert.deepEqual([...found.final], final);
    assert.deepEqual([...found.states], states);
    assert.deepEqual([...found.contacts], contacts);
    assert.deepEqual([...found.events], events);
    assert.ok(contacts.includes(1) && contacts.includes(0) && events.some((step) => step > 0), `${events}`);
    assert.deepEqual(batch.hashes(), before);
    const free = batch.rollout(snapshot, { dt: DT, actionCount: 2, planCount: 3 });
    assert.deepEqual([...free.steps], [2, 2, 2]);
  },
});
