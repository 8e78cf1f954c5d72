// SPDX-License-Identifier: MIT
// Games change objects of the package.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

import { newEntry, Registry } from "../../bindings/js/src/registry.mjs";
import { DT, folder, load, refusals, run } from "./run.mjs";
import { ballAt, heap } from "./scenes.mjs";

const fm = await load();
const { Space, Snapshot, Body, Circle, Segment, Poly, PivotJoint, ForkmunkError } = fm;
const refusal = refusals(fm);
const v = (x, y) => ({ x, y });

/** Returns every letter and every name in objects of the class. */
function namesOf(type) {
  const names = new Set([..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$_"]);
  for (let each = type.prototype; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    for (const name of Object.getOwnPropertyNames(each)) if (name !== "constructor") names.add(name).add(`_${name}`);
  }
  return names;
}
/** Returns a subclass with fields over all these names. */
const covered = (type) => class Covered extends type {
  constructor(...given) {
    super(...given);
    for (const name of namesOf(type)) Object.defineProperty(this, name, { value: 4096, writable: true, configurable: true, enumerable: true });
  }
};
const get = (object, type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get.call(object);

function game(isCovered) {
  const of = (type) => (isCovered ? covered(type) : type);
  const space = new (of(Space))(), call = (name, ...given) => Space.prototype[name].apply(space, given);
  Object.getOwnPropertyDescriptor(Space.prototype, "gravity").set.call(space, v(0, -100));
  const ground = new (of(Segment))(get(space, Space, "staticBody"), v(-50, 0), v(50, 0), 1);
  const ball = new (of(Body))(1, 20), box = new (of(Body))(2, 30);
  const circle = new (of(Circle))(ball, 4), poly = new (of(Poly))(box, [v(-3, -3), v(3, -3), v(0, 4)]);
  const joint = new (of(PivotJoint))(ball, box, v(5, 0), v(-5, 0));
  call("add", ground, ball, box, circle, poly, joint);
  const hashes = [];
  const saved = call("save");
  for (let i = 0; i < 40; ++i) call("step", DT);
  hashes.push(call("hash"));
  call("restore", saved);
  hashes.push(call("hash"));
  const twin = call("fork");
  for (let i = 0; i < 40; ++i) Space.prototype.step.call(twin, DT);
  hashes.push(Space.prototype.hash.call(twin));
  for (const object of [ground, ball, box, circle, poly, joint]) {
    const other = Space.prototype.twinOf.call(twin, object);
    assert.equal(Object.getPrototypeOf(other), Object.getPrototypeOf(object));
    assert.notEqual(other, object);
  }
  assert.equal(twin.constructor, space.constructor);
  call("remove", joint, circle, ball);
  call("add", ball, circle, joint);
  for (let i = 0; i < 40; ++i) call("step", DT);
  hashes.push(call("hash"), Space.fromBytes(call("toBytes")).hash());
  call("free");
  return hashes;
}

const tests = {
  "keeps its own state apart from every property of a game"() {
    assert.deepEqual(game(true), game(false));
    const space = new Space(), body = ballAt(fm, space, 1, 2), other = ballAt(fm, space, 3, 4);
    body.hp = 5;
    Object.assign(other, body, { ...body });
    assert.deepEqual([other.hp, other.position], [5, v(3, 4)]);
    assert.equal(inspect(body), "Body { hp: 5 }");
  },

  "has readable names and short reports of uncaught errors"() {
    for (const name of ["Space", "Snapshot", "Body", "Circle", "Poly", "PivotJoint", "Arbiter"]) assert.equal(fm[name].name, name);
    const code = `import { load } from ${JSON.stringify(pathToFileURL(`${folder}/index.mjs`).href)}; const { Space } = await load(); new Space().step(-1);`;
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
    assert.ok(stderr.length < 2000, `${stderr.length} characters`);
    assert.match(stderr, /at Space\.step/);
  },

  async "loads from a file"() {
    const own = await load({ wasm: pathToFileURL(`${folder}/forkmunk.wasm`).href });
    assert.equal(heap(own, 3).hash(), heap(fm, 3).hash());
    await assert.rejects(load({ wasm: 5 }), /an address, a Response/);
    const page = "data:text/html,<!doctype html>"; // what a server of a single page sends for an unknown address
    for (const wasm of [page, new Uint8Array(9)]) await assert.rejects(load({ wasm }), refusal(/^load\(\): (data:text\/html\S*|wasm) .*does not compile .*\.wasm file/));
  },

  "throws where a change would be lost"() {
    const space = new Space(), body = ballAt(fm, space, 1, 2), plain = new Body(1, 1), circle = space.shapes[0];
    body.userData = { hp: 5, list: [1] };
    for (const each of [body, plain]) {
      assert.throws(() => (each.position.x += 1), TypeError);
      assert.throws(() => (each.velocity.y = 1), TypeError);
    }
    assert.throws(() => (circle.filter.group = 1), TypeError);
    assert.throws(() => (space.gravity.y = 1), TypeError);
    assert.throws(() => (body.userData.hp -= 1), TypeError);
    assert.throws(() => body.userData.list.push(2), TypeError);
    assert.deepEqual([body.position, body.userData], [v(1, 2), { hp: 5, list: [1] }]);
  },

  "refuses numbers that become NaN, and steps of what has"() {
    const space = new Space(), body = ballAt(fm, space, 0, 0);
    assert.throws(() => (body.position = v(1e308, 0)), refusal(/at most 1e\+100/));
    assert.throws(() => new Circle(body, 1e200), refusal(/at most 1e\+100/));
    body.velocity = v(1e100, 0);
    body.force = v(1e100, 1e100);
    body.mass = 1e-300;
    assert.throws(() => { for (let i = 0; i < 5; ++i) space.step(DT); }, refusal(/NaN or infinity/));
  },

  "takes no setting with which a state cannot travel"() {
    const space = new Space();
    for (const [name, most] of [["iterations", 10_000], ["collisionPersistence", 1_000_000]]) {
      for (const wrong of [0, most + 1, 1.5]) assert.throws(() => (space[name] = wrong), refusal(/a whole number of 1 to/));
      space[name] = most;
    }
    assert.equal(Space.fromBytes(space.toBytes()).hash(), space.hash());
  },

  "refuses a number for a Snapshot, and the hash of a space that is full"() {
    assert.throws(() => new Snapshot(12345), refusal(/new Snapshot\(\): found number 12345/));
    const space = new Space({ capacityBytes: 65536 });
    assert.throws(() => { for (;;) space.add(new Body(1, 1)); }, refusal(/outgrown/));
    assert.throws(() => space.hash(), refusal(/outgrown/));
  },

  "keeps user data exactly, or refuses it with its path"() {
    const space = new Space(), body = ballAt(fm, space, 0, 0), plain = new Body(1, 1);
    const good = [undefined, null, true, "é\ud800\u{1f600}\n", "", 0, -0, NaN, Infinity, 1e-310, [], {}, { a: [1, { b: -0 }], "": null, ["__proto__"]: 1 }, new Uint8Array([0, 255, 3]), new Uint8Array()];
    const wrong = {
      "userData.hp": { hp: NaN }, "userData.list[1].x": { list: [0, { x: undefined }] }, "userData.m": { m: new Map([[1, 2]]) }, userData: new Set([1]),
      "userData[0]": [new Float32Array(2)], "userData.at": { at: new Date(0) }, "userData.run": { run() {} }, "userData[1]": [0, , 2], "userData.big": { big: 1n }, // eslint-disable-line no-sparse-arrays
    };
    const inside = { a: {} };
    inside.a.b = inside;
    wrong["userData.a.b"] = inside;
    for (const object of [body, plain, space]) {
      for (const value of good) {
        object.userData = value;
        assert.deepEqual(object.userData, value);
      }
      const before = object.userData;
      for (const [path, value] of Object.entries(wrong)) {
        assert.throws(() => (object.userData = value), (error) => refusal(/found/)(error) && error.message.startsWith(`${path}: found`), path);
      }
      assert.deepEqual(object.userData, before);
    }
  },

  "is as before, or takes only a restore, where the stack overflows in a call"() {
    const space = new Space();
    for (let i = 0; i < 1500; ++i) space.add(new Segment(space.staticBody, v(i, 0), v(i + 1, 0)));
    const ball = ballAt(fm, space, 700, 0.5), saved = space.save(), hash = space.hash();
    const dive = (depth, call) => (depth === 0 ? call() : dive(depth - 1, call));
    const fits = (depth) => {
      try {
        return dive(depth, () => true);
      } catch {
        return false;
      }
    };
    const deepest = () => { // differs each time, because compiled frames are smaller
      let depth = 0;
      for (let step = 1 << 16; step >= 1; step >>= 1) if (fits(depth + step)) depth += step;
      return depth;
    };
    for (let i = 0; i < 50; ++i) deepest();
    const calls = [
      () => space.add(new Segment(space.staticBody, v(1500, 0), v(1501, 0))), () => space.step(DT), () => space.remove(space.shapes[700]),
      () => (ball.position = v(3, 3)), () => space.bbQuery({ left: 0, right: 2000, bottom: -1, top: 1 }), () => (ball.type = "static"),
      () => (ball.userData = { hp: 5 }), () => space.fork().free(), () => space.save().free(), () => Space.fromBytes(space.toBytes()).free(),
    ];
    for (const call of calls) {
      for (let left = 20; left < 1500; left += 60) {
        try {
          dive(deepest() - left, call);
        } catch (error) {
          assert.ok(error instanceof ForkmunkError || error instanceof RangeError, error.stack);
        }
        let now;
        try {
          now = space.hash();
        } catch (error) {
          refusal(/was cut off .* restore\(\) a snapshot/)(error);
          assert.throws(() => space.step(DT), refusal(/was cut off/));
        }
        space.restore(saved);
        assert.equal(space.hash(), hash);
        if (now === hash) assert.equal(space.bodies.length + space.shapes.length, 1 + 1501);
      }
    }
    const twin = space.fork();
    for (let i = 0; i < 5; ++i) space.step(DT), twin.step(DT);
    assert.equal(space.hash(), twin.hash());
    space.free();
  },

  "keeps registries of all states, at the cost of a path for each change"() {
    const entries = Array.from({ length: 3000 }, () => newEntry(1, Body, Body.prototype)), states = [], { slice } = Array.prototype;
    let registry = new Registry(), copies = 0, model = new Map();
    Array.prototype.slice = function (...given) { // eslint-disable-line no-extend-native
      ++copies;
      return slice.apply(this, given);
    };
    try {
      for (let i = 0; i < 6000; ++i) {
        const offset = 16 * ((i * 7919) % 1000003) - 64, entry = entries[i % 3000], known = model.get(entry);
        copies = 0;
        registry = known === undefined ? registry.with(offset, entry) : registry.without(known);
        assert.ok(copies <= 8, `${copies} copies`);
        if (known === undefined) model.set(entry, offset);
        else model.delete(entry);
        if (i % 500 !== 499) continue;
        registry.isShared = true;
        states.push([registry, model]);
        model = new Map(model);
      }
    } finally {
      Array.prototype.slice = slice; // eslint-disable-line no-extend-native
    }
    for (const [state, expected] of states) {
      for (const [entry, offset] of expected) assert.equal(state.at(offset), entry);
      for (const entry of entries) assert.equal(state.offsetOf(entry), expected.get(entry));
    }
  },

  "makes no handles and no order in a fork"() {
    const space = heap(fm, 300), { create } = Object, { sort } = Array.prototype;
    let made = 0, sorted = 0;
    Object.create = (...given) => (++made, create(...given));
    Array.prototype.sort = function (...given) {
      ++sorted;
      return sort.apply(this, given);
    };
    try {
      const twin = space.fork();
      assert.equal(made, 1);
      twin.twinOf(space.bodies[7]);
      assert.equal(made, 2);
      assert.equal(twin.bodies.length, space.bodies.length);
      assert.equal(sorted, 1);
    } finally {
      Object.create = create;
      Array.prototype.sort = sort;
    }
  },

  "reads arguments once, before it looks for what they are for"() {
    const getter = (name, run, value, others = { x: 1, y: 2 }) => Object.defineProperty({ ...others }, name, { get: () => (run(), value), enumerable: true });
    const scene = () => {
      const space = new Space(), body = ballAt(fm, space, 0, 0), [circle] = space.shapes;
      const floor = space.add(new Segment(space.staticBody, v(0, -9), v(1, -9)));
      return { space, body, floor, free: () => space.free(), remove: () => body.space && space.remove(circle, body) };
    };
    const calls = [
      ({ body, remove }) => body.applyForceAtWorldPoint(getter("x", remove, 1), v(0, 0)), ({ body, remove }) => body.localToWorld(getter("x", remove, 1)),
      ({ space, free }) => space.pointQuery(v(0, 0), 1, getter("group", free, 0, {})), ({ space, free }) => space.bbQuery({ left: 0, right: 1, bottom: 0, top: 1 }, getter("mask", free, 0, {})),
      ({ space, free }) => space.onCollision({ get begin() { return free(), () => true; } }), ({ space, free }) => space.add(Object.defineProperty([], 0, { get: () => (free(), new Body(1, 1)) })),
      ({ body, free }) => (body.userData = getter("hp", free, 5)), ({ space, free }) => (space.userData = getter("hp", free, 5)), ({ body, free }) => (body.position = getter("x", free, 5)),
      ({ floor, free }) => (floor.neighbors = { previous: getter("x", free, 5), next: v(2, 2) }),
    ];
    for (const call of calls) assert.throws(() => call(scene()), ForkmunkError, String(call));
    const { space, body, remove } = scene();
    body.userData = getter("hp", remove, 5);
    assert.deepEqual([body.userData.hp, space.bodies], [5, []]);
    const other = scene();
    let reads = 0;
    other.body.applyImpulseAtWorldPoint(getter("x", () => {}, 1), Object.defineProperty({ y: 0 }, "x", { get: () => (reads++ > 0 ? NaN : 0) }));
    assert.deepEqual(other.body.velocity, v(1, 2));
    const failing = getter("group", () => { throw new RangeError("mine"); }, 0, {});
    assert.throws(() => other.space.pointQuery(v(0, 0), 1, failing), /^RangeError: mine/);
    other.space.step(DT);
    const bytes = other.space.toBytes(), short = new (class extends Uint8Array { get length() { return 16; } })(bytes);
    assert.throws(() => Snapshot.fromBytes(short), RangeError);
    class Points extends Array { map() { return [1, 2, 3]; } }
    assert.equal(new Poly(other.space.staticBody, Points.of(v(0, 0), v(2, 0), v(0, 2))).vertices.length, 3);
    assert.ok(Math.abs(fm.momentForPoly(1, Points.of(v(-1, -1), v(1, -1), v(1, 1), v(-1, 1))) - 2 / 3) < 1e-12);
  },

  "gives the vertices of a box before it is added"() {
    const space = new Space(), box = Poly.box(space.staticBody, 4, 6), before = box.vertices;
    space.add(box);
    for (const vertices of [before, box.vertices]) {
      assert.deepEqual(vertices.map(({ x, y }) => [x, y]).sort(), [[-2, -3], [-2, 3], [2, -3], [2, 3]]);
    }
  },

  "changes a body's type"() {
    const space = new Space(), body = ballAt(fm, space, 0, 0), other = ballAt(fm, space, 5, 0);
    space.gravity = v(0, -10);
    body.type = "kinematic";
    space.step(DT);
    assert.deepEqual([body.position, body.type, body.mass], [v(0, 0), "kinematic", Infinity]);
    body.type = "dynamic";
    assert.throws(() => space.step(DT), refusal(/no mass/));
    Object.assign(body, { mass: 1, moment: 2 });
    space.step(DT);
    assert.ok(body.velocity.y < 0);
    body.type = "static";
    assert.throws(() => (body.type = "ghost"), refusal(/one of dynamic/));
    assert.throws(() => (space.staticBody.type = "dynamic"), refusal(/static body/));
    const joint = space.add(PivotJoint.at(body, other, v(0, 0)));
    assert.throws(() => (other.type = "static"), refusal(/nothing moves/));
    space.remove(joint);
    other.type = "static";
    assert.throws(() => space.add(joint), refusal(/nothing moves/));
    body.position = v(3, 4);
    space.remove(body, space.shapes[0]);
    assert.deepEqual(body.position, v(3, 4));
    body.type = "dynamic";
    assert.equal(body.mass, 0);
  },

  "has a gravity scale and damping for each body"() {
    const space = new Space(), bodies = [1, 2, 0, 1].map((gravityScale, i) => {
      const body = new Body(1, 1);
      body.position = v(10 * i, 0);
      body.gravityScale = gravityScale;
      body.userData = { i };
      return space.add(body), body;
    });
    space.gravity = v(0, -10);
    bodies[3].damping = 0.5;
    space.step(1);
    assert.deepEqual(bodies.map(({ velocity: { y } }) => y), [-10, -20, 0, -10]);
    const twin = Space.fromBytes(space.toBytes());
    space.step(1);
    twin.step(1);
    assert.deepEqual(bodies.map(({ velocity: { y } }) => y), [-20, -40, 0, -15]);
    assert.equal(twin.hash(), space.hash());
    assert.deepEqual([twin.bodies[1].gravityScale, twin.bodies[3].damping, twin.bodies[1].userData], [2, 0.5, { i: 1 }]);
    bodies[1].userData = undefined;
    assert.equal(bodies[1].gravityScale, 2);
    space.remove(bodies[1]);
    assert.equal(bodies[1].gravityScale, 2);
    bodies[3].damping = 1;
    bodies[0].gravityScale = 1;
    space.step(1);
    assert.equal(bodies[3].velocity.y, -25);
  },

  "knows a segment's neighbours"() {
    const space = new Space();
    const segment = new Segment(space.staticBody, v(0, 0), v(10, 0));
    assert.equal(segment.neighbors, null);
    segment.neighbors = { previous: v(-10, 0), next: v(20, 0) };
    space.add(segment);
    for (const each of [segment, space.fork().twinOf(segment)]) assert.deepEqual(each.neighbors, { previous: v(-10, 0), next: v(20, 0) });
    space.remove(segment);
    space.add(segment);
    assert.deepEqual(segment.neighbors, { previous: v(-10, 0), next: v(20, 0) });
    segment.neighbors = null;
    assert.equal(segment.neighbors, null);
    assert.throws(() => (segment.neighbors = { previous: v(0, 0) }), refusal(/next/));
  },

  "lists contacts"() {
    const space = heap(fm, 9);
    assert.deepEqual(space.contacts(), []);
    const known = [];
    space.onCollision({ postSolve: (arbiter) => known.push({ shapes: arbiter.shapes, normal: arbiter.normal, points: arbiter.points }) });
    for (let i = 0; i < 30; ++i) known.length = 0, space.step(DT);
    const key = ({ shapes }) => shapes.map((shape) => space.shapes.indexOf(shape)).join();
    const sorted = (all) => [...all].sort((a, b) => (key(a) < key(b) ? -1 : 1)).map(({ shapes, normal, points }) => ({ shapes: key({ shapes }), normal, count: points.length }));
    assert.ok(known.length > 8);
    assert.deepEqual(sorted(space.contacts()), sorted(known));
    const [body] = space.bodies;
    assert.deepEqual(sorted(space.contacts(body)), sorted(known.filter(({ shapes }) => shapes.some((shape) => shape.body === body))));
    space.sleepTimeThreshold = 0.3;
    for (let i = 0; i < 200; ++i) space.step(DT);
    assert.ok(body.isSleeping && space.contacts().length > 8);
    assert.throws(() => space.contacts(new Body(1, 1)), refusal(/a body of this space/));
  },

  "makes a body with shapes in one call"() {
    const space = new Space();
    const body = space.createBody({ position: v(1, 2), angle: 0.5, userData: 7, shapes: [{ radius: 2, friction: 0.5 }, { width: 4, height: 2 }, { vertices: [v(0, 0), v(2, 0), v(0, 2)], sensor: true }] });
    assert.deepEqual([body.position, body.angle, body.userData, body.type], [v(1, 2), 0.5, 7, "dynamic"]);
    assert.ok(Math.abs(body.mass - (4 * Math.PI + 8 + 2)) < 1e-9, `mass ${body.mass}`);
    assert.deepEqual(space.shapes.map((shape) => [shape.constructor, shape.friction, shape.sensor]), [[Circle, 0.5, false], [Poly, 0, false], [Poly, 0, true]]);
    const [circle, , sensor] = space.shapes;
    assert.ok(Math.abs(circle.moment - circle.mass * fm.momentForCircle(1, 0, 2)) < 1e-9, `moment ${circle.moment}`);
    assert.ok(Math.abs(sensor.centerOfGravity.x - 2 / 3) < 1e-12);
    assert.deepEqual(space.add(new Segment(space.staticBody, v(0, 0), v(5, 0))).normal, v(0, -1));
    space.remove(space.shapes.at(-1));
    const heavy = space.createBody({ mass: 6, shapes: [{ radius: 1 }, { radius: 2, offset: v(1, 0) }] }), exact = space.createBody({ mass: 2, moment: 3, shapes: [{ radius: 1 }] });
    assert.deepEqual([heavy.mass, exact.mass, exact.moment], [6, 2, 3]);
    const floor = space.createBody({ type: "static", shapes: [{ a: v(0, 0), b: v(5, 0), radius: 1 }] });
    assert.deepEqual([floor.type, space.shapes.at(-1).constructor], ["static", Segment]);
    const count = space.bodies.length;
    for (const wrong of [{ colour: 1 }, { shapes: [{ radius: 1, colour: 1 }] }, { shapes: [{}] }, { shapes: 5 }, { position: 5 }, {}]) assert.throws(() => space.createBody(wrong), refusal(/found|give it both/));
    for (const mass of ["2", true, 1n, Symbol("2"), NaN, 0]) assert.throws(() => space.createBody({ mass, shapes: [{ radius: 1 }] }), refusal(/^Space.createBody\(\): mass: found/));
    assert.throws(() => space.createBody({ mass: 2, shapes: [{ radius: 1, density: 1 }] }), refusal(/mass: found number 2, expected nothing beside/));
    assert.throws(() => space.createBody({ mass: 2 }), refusal(/has mass 2 and moment 0/));
    assert.equal(space.bodies.length, count);
  },

  async "draws a space"() {
    const { debugDraw } = await import(`${folder}/index.mjs`);
    const space = heap(fm, 2), ball = ballAt(fm, space, 100, 100), called = [];
    space.add(PivotJoint.at(ball, space.bodies[0], v(50, 50)));
    let read = 0;
    space.add(new (class extends Poly {
      get vertices() {
        ++read;
        return super.vertices;
      }
    })(ball, [v(0, 0), v(3, 0), v(0, 3)]));
    read = 0;
    const context = new Proxy({}, { get: (_, name) => (...given) => called.push([name, ...given]), set: () => true });
    debugDraw(context, space);
    const count = (name) => called.filter(([each]) => each === name).length;
    assert.deepEqual([count("fill"), count("stroke"), count("save") - count("restore"), read], [5, 6, 0, 1]);
    assert.ok(called.some(([name, x, y]) => name === "translate" && x === 100 && y === 100));
    assert.ok(called.some(([name, x, y, radius]) => name === "arc" && x === 0 && y === 0 && radius === 1));
    called.length = 0;
    for (const [words, ...given] of [
      ["context: found Space", space, context], ["context: found Object", { getContext() {} }, space], ["space: found undefined", context], ["space: found Object", context, { shapes: [] }],
      ['fill: found "red"', context, space, { fill: "red" }], ["preview: found null", context, space, { preview: null }],
    ]) assert.throws(() => debugDraw(...given), refusal(new RegExp(`^debugDraw\\(\\): ${words}`)));
    assert.deepEqual(called, []);
  },
};

await run(tests);
