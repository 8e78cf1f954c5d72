// SPDX-License-Identifier: MIT

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";

import { DT, folder, load, refusals, run } from "./run.mjs";
import { ballAt, goldenHashes, heap } from "./scenes.mjs";

const SIZE_MAX = 204_800;
/** Doubles, then floats. */
const hashes = [...readFileSync(process.env.FORKMUNK_GOLDEN_HASHES, "utf8").matchAll(/0x([0-9a-f]{16})u/g)].map(([, digits]) => BigInt(`0x${digits}`));
const golden = hashes.slice(0, 3);
const fm = await load();
const { Space, Snapshot, Body, Circle, Segment, Poly, PivotJoint } = fm;
const refusal = refusals(fm);
const boxAt = (space, x, y) => ballAt(fm, space, x, y);

/** Actions that must not change the future. */
const detours = {
  none: () => undefined,
  restore(space, step) {
    if (step % 37 !== 5) return;
    const saved = space.save();
    for (let i = 0; i < 9; ++i) space.step(DT);
    space.restore(saved);
    saved.free();
  },
  fork(space, step) {
    if (step % 101 !== 50) return;
    const twin = space.fork();
    space.free();
    return twin;
  },
  bytes(space, step) {
    if (step % 151 !== 75) return;
    const copy = Space.fromBytes(space.toBytes());
    copy.onCollision(1, { begin: () => true });
    space.free();
    return copy;
  },
};

const tests = {
  "is small"() {
    const size = (file) => gzipSync(readFileSync(`${folder}/${file}`), { level: 9 }).length;
    const bytes = size("forkmunk.wasm") + size("separate.mjs");
    console.log(`${bytes} bytes gzipped, of which the module ${size("forkmunk.wasm")}; in one file ${size("index.mjs")}`);
    assert.ok(bytes <= SIZE_MAX, `${bytes} bytes, at most ${SIZE_MAX}`);
  },

  "names its sources without the builder's folders"() {
    for (const file of ["index.mjs", "index.cjs"]) {
      const names = readFileSync(`${folder}/${file}`, "utf8").match(/^\/\/ .*\.mjs$/gm);
      assert.deepEqual([...new Set(names.map((name) => name.replace(/\w+\.mjs/, "")))].sort(), ["// ", "// src/"], file);
    }
  },

  async "is bundled into one file"() {
    const { build } = createRequire(join(process.env.FORKMUNK_NODE_MODULES, "package.json"))("esbuild");
    const { outputFiles } = await build({ entryPoints: [`${folder}/index.mjs`], bundle: true, splitting: true, format: "esm", outdir: "bundle", write: false });
    assert.equal(outputFiles.length, 1);
  },

  async "has the recorder in a module of its own"() {
    const separate = await import(`${folder}/separate.mjs`), small = await separate.load(), whole = await separate.load({ recorder: true });
    for (const name of ["DesyncError", "ForkmunkError", "RollbackSession", "SyncTest"]) assert.equal(separate[name].name, name);
    for (const name of ["Space", "SpaceBatch", "Recording", "Arbiter", "Poly", "PivotJoint", "momentForBox"]) assert.equal(whole[name].name, name);
    assert.throws(() => new small.Recorder(new small.Space()), /recorder: true/);
    assert.throws(() => small.Recording.fromBytes(new Uint8Array(9)), /recorder: true/);
    assert.throws(() => small.Recording.objectsOf(new small.Space()), /recorder: true/);
    await assert.rejects(separate.load({ recorder: 1 }), /recorder/);
    for (const each of [whole, fm]) {
      const space = heap(each, 3), recorder = new each.Recorder(space);
      for (let i = 0; i < 10; ++i) space.step(1 / 60);
      assert.equal(each.Recording.fromBytes(recorder.recording.toBytes()).at(10).hash(), space.hash());
    }
  },

  ...Object.fromEntries(Object.entries(detours).map(([name, detour]) => [`has the native hashes (${name})`, () => {
    assert.equal(hashes.length, 6);
    assert.deepEqual(goldenHashes(fm, detour), golden);
  }])),

  async "computes in floats on request"() {
    const separate = await import(`${folder}/separate.mjs`);
    for (const single of [await load({ precision: "single" }), await separate.load({ precision: "single" })]) {
      assert.equal(single.precision, "single");
      assert.deepEqual(goldenHashes(single, detours.restore), hashes.slice(3));
      assert.deepEqual(goldenHashes(single, detours.fork), hashes.slice(3));
    }
    const single = await load({ precision: "single" }), space = heap(single, 55), exact = heap(fm, 55);
    for (let i = 0; i < 60; ++i) space.step(DT), exact.step(DT);
    const twin = space.fork(), saved = space.save();
    for (let i = 0; i < 30; ++i) space.step(DT), twin.step(DT);
    const later = space.hash();
    assert.equal(twin.hash(), later);
    space.restore(saved);
    for (let i = 0; i < 30; ++i) space.step(DT);
    assert.equal(space.hash(), later);
    const { position } = space.bodies[54];
    assert.equal(Math.fround(position.x), position.x);
    assert.ok(Math.abs(position.y - exact.bodies[54].position.y) < 1);
    const [hit] = space.pointQuery(position, 1);
    assert.equal(hit.shape.body, space.bodies[54]);
    const { left, right } = hit.shape.bb;
    assert.ok(left < position.x && position.x < right);
    assert.ok(space.bbQuery(hit.shape.bb).includes(hit.shape));
    assert.ok(space.contacts().every(({ normal, points }) => Math.abs(Math.hypot(normal.x, normal.y) - 1) < 1e-6 && points.length > 0));
    assert.ok(space.toBytes().length < exact.toBytes().length);
    assert.equal(single.Space.fromBytes(space.toBytes()).hash(), later);
    assert.throws(() => single.Space.fromBytes(exact.toBytes()), /in double precision, expected single/);
    assert.throws(() => fm.Space.fromBytes(space.toBytes()), /in single precision, expected double/);
    const recorder = new single.Recorder(space);
    for (let i = 0; i < 10; ++i) space.step(DT);
    assert.equal(single.Recording.fromBytes(recorder.recording.toBytes()).at(10).hash(), space.hash());
    const before = space.hash(), [body] = space.bodies;
    for (const change of [() => (body.position = { x: 1e39, y: 0 }), () => (body.angle = 1e39), () => (body.velocity = { x: 0, y: -1e13 }), () => space.step(1e39),
      () => space.add(new single.Circle(body, 1e39)), () => space.pointQuery({ x: 1e39, y: 0 }, 1)]) assert.throws(change, /at most 1000000000000/);
    assert.equal(space.hash(), before);
    await assert.rejects(load({ precision: "half" }), /precision/);
  },

  "keeps handles over restore, and refuses those of what is gone"() {
    const space = new Space();
    const first = boxAt(space, 0, 0);
    const saved = space.save();
    const second = boxAt(space, 5, 5);
    const both = space.save();
    space.restore(saved);
    assert.deepEqual(space.bodies, [first]);
    assert.equal(second.space, null);
    assert.throws(() => second.position, refusal(/not in its space's present state/));
    assert.throws(() => space.add(second), refusal(/is gone/));
    space.restore(both);
    assert.deepEqual(second.position, { x: 5, y: 5 });
    space.remove(second, ...space.shapes.filter((shape) => shape.body === second));
    assert.deepEqual(second.position, { x: 5, y: 5 });
    space.add(second);
    space.restore(both);
    assert.deepEqual(space.bodies, [first, second]);
    assert.equal(space.shapes[1].body, second);
  },

  "finds twins, and lists what came as bytes"() {
    const space = heap(fm, 10);
    const twin = space.fork();
    for (const body of space.bodies) assert.deepEqual(twin.twinOf(body).position, body.position);
    assert.notEqual(twin.twinOf(space.bodies[3]), space.bodies[3]);
    twin.bodies[0].velocity = { x: 1, y: 0 };
    assert.match(space.firstDifference(twin), /v differs: 0, 1|v_x|v differs/);
    twin.restore(space.save());
    assert.equal(space.firstDifference(twin), null);
    const [body] = space.bodies, shape = space.shapes.find((each) => each.body === body);
    space.remove(shape, body);
    const other = boxAt(space, 0, 500); // has the body's memory
    assert.throws(() => twin.twinOf(other), refusal(/no twin of Body/));
    space.remove(space.shapes.at(-1), other);
    space.add(body, shape);
    const copy = Space.fromBytes(space.toBytes());
    assert.equal(copy.bodies.length, 10);
    assert.equal(copy.shapes.length, 11);
    assert.ok(copy.shapes.every((shape) => shape instanceof Poly || shape instanceof Segment));
    assert.equal(copy.hash(), space.hash());
  },

  "finds twins in a space that was read, also after objects were removed and added"() {
    const space = new Space(), recorder = new fm.Recorder(space), [first, second, third] = [1, 2, 3].map((x) => boxAt(space, 9 * x, 0));
    space.step(DT);
    const read = Space.fromBytes(space.toBytes());
    space.remove(first, space.shapes[0]);
    space.step(DT);
    const added = boxAt(space, 90, 0);
    for (const copy of [read, recorder.recording.at(0)]) {
      assert.deepEqual([second, third].map((body) => copy.twinOf(body).position.x), [18, 27]);
      assert.equal(space.twinOf(copy.bodies[1]), second);
      assert.throws(() => space.twinOf(copy.bodies[0]), refusal(/no twin/));
      assert.throws(() => copy.twinOf(added), refusal(/no twin/));
      assert.equal(copy.twinOf(space.staticBody), copy.staticBody);
    }
  },

  "lists a fork's objects in order of addition, sleeping ones too"() {
    const space = new Space();
    space.sleepTimeThreshold = 0.1;
    const bodies = Array.from({ length: 6 }, (_, i) => boxAt(space, 10 * i, 0));
    const joint = space.add(new PivotJoint(bodies[3], bodies[4], { x: 5, y: 0 }, { x: -5, y: 0 }));
    space.remove(bodies[1], space.shapes[1]); // Chipmunk moves its last body to this place
    bodies.splice(1, 1);
    bodies[0].velocity = { x: 100, y: 0 };
    for (let i = 0; i < 20; ++i) space.step(DT);
    assert.ok(bodies[2].isSleeping && !bodies[0].isSleeping);
    for (const other of [space.fork(), Space.fromBytes(space.toBytes())]) {
      assert.deepEqual(other.bodies.map(({ position }) => position), bodies.map(({ position }) => position));
      assert.equal(other.constraints.length, 1);
      assert.equal(other.twinOf(joint).a, other.bodies[2]);
    }
  },

  "lets a body sleep that touches others"() {
    for (const order of [[0], [1], [0, 1], [1, 0]]) {
      const space = new Space();
      space.sleepTimeThreshold = 0.1;
      const bodies = [boxAt(space, 0, 0), boxAt(space, 1.5, 0)], kinematic = Body.kinematic();
      space.add(kinematic, new Circle(kinematic, 1));
      for (let i = 0; i < 3; ++i) space.step(DT);
      for (const i of order) bodies[i].sleep();
      assert.ok(order.every((i) => bodies[i].isSleeping));
      assert.equal(Space.fromBytes(space.toBytes()).hash(), space.hash());
      for (let i = 0; i < 30; ++i) space.step(DT); // stock Chipmunk would never return
    }
  },

  "keeps user data in its states"() {
    const space = new Space();
    const body = new Body(1, 1);
    body.userData = { name: "é", numbers: [1, 2.5] };
    space.add(body, new Circle(body, 1));
    assert.deepEqual(body.userData, { name: "é", numbers: [1, 2.5] });
    space.userData = 1.5;
    const saved = space.save(), hash = space.hash();
    space.userData = 2.5;
    body.userData = undefined;
    assert.notEqual(space.hash(), hash);
    space.restore(saved);
    assert.equal(space.userData, 1.5);
    assert.equal(space.hash(), hash);
    assert.deepEqual(space.fork().twinOf(body).userData, { name: "é", numbers: [1, 2.5] });
    assert.equal(Space.fromBytes(space.toBytes()).userData, 1.5);
    assert.throws(() => (body.userData = () => {}), refusal(/^userData: found a function/));
  },

  "shows transforms as a view"() {
    const space = heap(fm, 20);
    const view = space.transforms;
    assert.equal(view.length, 60);
    space.step(DT);
    assert.equal(space.transforms, view);
    space.bodies.forEach((body, i) => {
      assert.deepEqual({ x: view[3 * i], y: view[3 * i + 1] }, body.position);
      assert.equal(view[3 * i + 2], body.angle);
    });
    const others = Array.from({ length: 60 }, () => new Space()); // memory grows, and old views end
    space.step(DT);
    assert.equal(space.transforms[0], space.bodies[0].position.x);
    const addresses = new Set();
    for (let i = 0; i < 100; ++i) {
      const twin = space.fork();
      addresses.add(twin.transforms.byteOffset);
      twin.free();
    }
    assert.ok(addresses.size < 50);
    others.forEach((each) => each.free());
  },

  "takes back what was removed or refused"() {
    const space = new Space(), body = new Body(1, 1), circle = new Circle(body, 1);
    space.add(body, circle);
    for (const objects of [[circle], [body, circle]]) {
      space.remove(...objects);
      space.add(...objects);
      assert.equal(body.mass, 1);
    }
    const massless = new Body(), joint = PivotJoint.at(massless, body, { x: 3, y: 0 }), hash = space.hash();
    assert.throws(() => space.add(massless, joint), /mass 0/);
    assert.throws(() => space.createBody({ moment: 1, shapes: [{ radius: 1 }] }), /mass 0/);
    assert.equal(space.hash(), hash);
    massless.mass = massless.moment = 1;
    space.add(massless, joint);
    assert.deepEqual(joint.anchorB, { x: 3, y: 0 });
    space.free();
  },

  "adds with values in the order in which they were set last"() {
    const space = new Space(), early = space.add(new Body(1, 1)), late = new Body(1, 1);
    for (const body of [early, late]) {
      body.position = { x: 1, y: 2 };
      body.centerOfGravity = { x: 3, y: 0 };
      body.angle = 1;
      body.position = { x: 10, y: 20 };
    }
    space.add(late);
    assert.deepEqual(late.position, early.position);
    const wheel = new Body(), disc = new Circle(wheel, 1);
    disc.mass = 3;
    disc.density = 2;
    space.add(wheel, disc);
    assert.ok(Math.abs(wheel.mass - 2 * Math.PI) < 1e-9, `mass ${wheel.mass}`);
    const massless = new Circle(early, 1);
    massless.density = 2;
    massless.mass = 0;
    space.add(massless);
    assert.deepEqual([massless.mass, early.mass], [0, 1]);
    const joint = PivotJoint.at(early, late, { x: 0, y: 0 });
    joint.anchorA = { x: 7, y: 8 };
    space.add(joint);
    assert.deepEqual(joint.anchorA, { x: 7, y: 8 });
  },

  "refuses to step a body without mass"() {
    const space = new Space(), body = new Body(), circle = new Circle(body, 1);
    circle.mass = 3;
    space.add(body, circle);
    space.step(DT);
    const saved = space.save();
    for (const take of [() => (circle.mass = 0), () => space.remove(circle)]) {
      space.restore(saved);
      take();
      assert.throws(() => space.step(DT), refusal(/no mass/));
    }
    body.mass = body.moment = 1;
    space.step(DT);
  },

  "answers queries"() {
    const space = heap(fm, 4);
    const [box] = space.shapes.filter((shape) => shape instanceof Poly);
    const { x, y } = box.body.position;
    assert.equal(space.pointQueryNearest({ x, y }).shape, box);
    assert.equal(space.segmentQueryFirst({ x: x - 100, y }, { x: x + 1, y }).shape, box);
    assert.ok(space.bbQuery({ left: x - 1, right: x + 1, bottom: y - 1, top: y + 1 }).includes(box));
    assert.equal(space.pointQuery({ x, y }, 0, { mask: 0 }).length, 0);
    space.step(DT);
    assert.ok(Array.isArray(space.shapeQuery(box)));
  },

  async "lets the collector have a space that answered a query"() {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc"), turn = () => new Promise((done) => setTimeout(done, 0));
    const found = () => {
      const space = heap(fm, 4);
      assert.ok(space.pointQuery({ x: 0, y: 0 }, Infinity).length > 0);
      return new WeakRef(space);
    };
    const space = found();
    for (let i = 0; i < 3; ++i) await turn(), collect();
    assert.equal(space.deref(), undefined);
  },

  "refuses wrong arguments"() {
    const space = new Space(), body = boxAt(space, 0, 0), other = new Space();
    const wrong = {
      "a finite number": () => (body.position = { x: NaN, y: 0 }),
      "a vector": () => (body.position = 5),
      "above 0": () => (body.mass = -1),
      "at least 0": () => new Circle(body, -1),
      "a Body": () => new Circle({}, 1),
      "with an area": () => new Poly(body, [{ x: 0, y: 0 }, { x: 1, y: 1 }, { x: 2, y: 2 }]),
      "3 to 10000": () => new Poly(body, []),
      "same body twice": () => PivotJoint.at(body, body, { x: 0, y: 0 }),
      "at least one dynamic": () => new PivotJoint(space.staticBody, Body.static(), { x: 0, y: 0 }, { x: 0, y: 0 }),
      "in a space already": () => space.add(body),
      "body that is not in the space": () => space.add(new Circle(new Body(1, 1), 1)),
      "give it both": () => space.add(new Body()),
      "are attached": () => space.remove(body),
      "static body": () => space.remove(space.staticBody),
      "not in this space": () => other.remove(body),
      "no mass to set": () => (Body.static().mass = 1),
      "nothing sleeps": () => body.sleep(),
      "a Snapshot": () => space.restore({}),
      "expected at most": () => new Space({ capacityBytes: 2 ** 31 }),
      "Uint8Array": () => Snapshot.fromBytes("x"),
      "not a state": () => Snapshot.fromBytes(new Uint8Array(5)),
      "is empty": () => space.restore(new Snapshot()),
      "step\\(\\): dt": () => space.step(-1),
      "one of begin": () => space.onCollision({ start() {} }),
      "up to two collision types": () => space.onCollision(1, 2, 3, {}),
      "0 to 65535": () => (space.shapes[0].collisionType = 1e9),
      "whole number of 1 to 10000": () => (space.iterations = 0),
      "options: found null": () => new Space(null),
      "found undefined, expected": () => space.step(),
      "Circle, Segment or Poly": () => new fm.Shape(body),
      "is a Circle, Segment or Poly": () => new (class extends fm.Shape {})(body, 5),
      "is one of the ten joints": () => new (class extends fm.Constraint {})(body, space.staticBody, 5),
      "ten joints": () => new fm.Constraint(body, space.staticBody),
      "userData.big: found bigint": () => (new Body(1, 1).userData = { big: 1n }),
    };
    for (const [words, call] of Object.entries(wrong)) assert.throws(call, refusal(new RegExp(words)), words);
    const bytes = space.toBytes();
    for (let i = 0; i < bytes.length; i += 97) {
      const damaged = bytes.slice();
      damaged[i] ^= 0x55;
      assert.throws(() => Snapshot.fromBytes(damaged), refusal(/state/));
    }
    assert.equal(space.bodies.length, 1);
    space.step(DT);
  },

  async "refuses options that it does not know, and names those that it knows"() {
    const { debugDraw, RollbackSession, SyncTest } = await import(`${folder}/index.mjs`);
    const space = new Space(), body = boxAt(space, 0, 0), typo = { itterations: 20 }, step = { dt: DT, actionCount: 1, planCount: 1 };
    const batch = new fm.SpaceBatch(space, 1), state = space.save(), rollout = (options) => batch.rollout(state, { ...step, ...options });
    const advance = () => {}, session = { players: 2, local: 0, send: advance, advance };
    const wrong = {
      "capacityBytes, defects, checked": () => new Space(typo),
      "group, categories, mask": () => space.pointQuery({ x: 0, y: 0 }, 1, typo),
      "categories, mask": () => (space.shapes[0].filter = typo),
      "mass.*position": () => space.createBody(typo),
      "friction": () => space.createBody({ shapes: [{ radius: 1, ...typo }] }),
      "callbacks": () => new fm.SpaceBatch(space, 1, typo),
      "dt, substeps, actionCount": () => rollout(typo),
      "field, body, motor, stiffness": () => rollout({ actions: [1], controls: [{ field: "torque", body, ...typo }] }),
      "field, body, motor$": () => rollout({ observe: [{ field: "angle", body, stiffness: 1 }] }),
      "touching, body, outside": () => rollout({ events: [typo] }),
      "steps, memoryBytes, keyframeSteps": () => new fm.Recorder(space, typo),
      "dt, control": () => fm.preview(space, [body], 1, typo),
      "fill, stroke, joint": () => debugDraw({ save() {} }, space, typo),
      "players, local, send.*inputBytesMax": () => new RollbackSession(space, { ...session, ...typo }),
      "distance, advance, input": () => new SyncTest(space, { advance, ...typo }),
    };
    for (const [words, call] of Object.entries(wrong)) assert.throws(call, refusal(new RegExp(`found "(itterations|stiffness)", expected names .*${words}`)), words);
    await assert.rejects(load(typo), refusal(/wasm, recorder, precision/));
    await assert.rejects(load(null), refusal(/found null, expected an object/));
    await assert.rejects(load({ wasm: readFileSync(`${folder}/forkmunk.wasm`), precision: "single" }), refusal(/found "double", expected a module of single/));
    new Space({ capacityBytes: undefined, defects: undefined }).free();
  },
  "refuses outlines of two kinds, and values of other kinds"() {
    const space = new Space(), body = boxAt(space, 0, 0), recorder = new fm.Recorder(space), batch = new fm.SpaceBatch(space, 1), a = { x: 0, y: 0 };
    const wrong = {
      '"offset", expected radius, width, height alone': () => space.createBody({ shapes: [{ width: 1, height: 1, offset: { x: 1, y: 0 } }] }),
      '"b", expected radius, offset alone': () => space.createBody({ shapes: [{ radius: 1, b: a }] }),
      '"height", expected radius, a, b alone': () => space.createBody({ shapes: [{ a, b: { x: 1, y: 0 }, height: 3 }] }),
      '"width", expected radius, vertices alone': () => space.createBody({ shapes: [{ vertices: [a, { x: 1, y: 0 }, { x: 0, y: 1 }], width: 3 }] }),
      "name or text: found undefined, expected a string": () => recorder.mark(),
      "value: found undefined, expected a number or a string": () => recorder.log("speed"),
      "color: found undefined, expected an array": () => recorder.color(space.shapes[0]),
      'color\\[2\\]: found "0", expected a number': () => recorder.color(space.shapes[0], [0, 0, "0"]),
      "color: found undefined, expected a finite number": () => recorder.color(space.shapes[0], [0, 255]),
      "without the character 0": () => recorder.mark("goal\0"),
      "shapes\\[0\\]: found Object, expected radius, a and b": () => space.createBody({ shapes: [{ friction: 1 }] }),
      "box: found Object, expected left <= right and bottom <= top": () => space.bbQuery({ left: 0, right: 9, bottom: 9, top: 0 }),
      "objectsOf\\(\\): found number 5, expected a Space": () => fm.Recording.objectsOf(5),
      "actions: found null, expected an array": () => batch.rollout(space.save(), { dt: DT, actionCount: 1, actions: null }),
      "control: found number 5, expected a function": () => fm.preview(space, [body], 1, { control: 5 }),
    };
    for (const [words, call] of Object.entries(wrong)) assert.throws(call, refusal(new RegExp(words)), words);
    assert.equal(space.bodies.length, 1);
    assert.equal(space.pointQueryNearest({ x: 0, y: 1e6 }, Infinity).shape, space.shapes[0]);
  },

  "refuses a groove without a length"() {
    const space = new Space(), at = (x) => ({ x, y: 0 }), body = boxAt(space, 0, 0);
    const make = (a, b) => new fm.GrooveJoint(space.staticBody, body, at(a), at(b), at(0)), groove = make(1, 2), refused = refusal(/groove of length 0/);
    assert.throws(() => make(1, 1), refused);
    for (const each of [groove, space.add(make(1, 2))]) {
      assert.throws(() => (each.grooveA = at(2)), refused);
      assert.throws(() => (each.grooveB = at(1)), refused);
      assert.deepEqual([each.grooveA, each.grooveB], [at(1), at(2)]);
      each.grooveB = at(3);
      assert.deepEqual(each.grooveB, at(3));
    }
    space.step(DT);
    assert.ok(Number.isFinite(body.position.x));
  },

  "refuses what was freed"() {
    const space = new Space(), body = boxAt(space, 0, 0), unread = space.add(new Body(1, 1)), saved = space.save();
    const key = Object.getOwnPropertySymbols(Space.prototype).find(({ description }) => description === "forkmunk.module");
    const { snapshots } = Space.prototype[key], { count } = snapshots;
    for (let i = 0; i < 2; ++i) {
      saved.free();
      assert.equal(snapshots.count, count - 1);
    }
    assert.throws(() => space.restore(saved), refusal(/snapshot was freed/));
    assert.throws(() => saved.sizeBytes, refusal(/snapshot was freed/));
    space.free();
    space.free();
    for (const use of [() => space.step(DT), () => space.hash(), () => space.fork(), () => new Space().firstDifference(space), () => body.position, () => unread.mass, () => space.bodies, () => space.gravity]) {
      assert.throws(use, refusal(/space was freed/));
    }
    if (Symbol.dispose) new Space()[Symbol.dispose]();
  },

  async "prints why the module aborts, and is then of no use"() {
    const own = await load(), lines = [], print = console.error;
    const key = Object.getOwnPropertySymbols(own.Space.prototype).find(({ description }) => description === "forkmunk.module");
    const { wasm, scratch } = own.Space.prototype[key];
    console.error = (line) => lines.push(line);
    try {
      wasm.HEAPU8.fill(0, scratch, scratch + 256);
      assert.throws(() => wasm._cpPolyShapeGetCount(scratch), /the module has failed/);
    } finally {
      console.error = print;
    }
    assert.equal(lines.length, 3, lines.join("\n"));
    assert.match(lines[0], /^Aborting due to Chipmunk error: Shape is not a poly shape/);
    assert.match(lines[1], /^\tFailed condition: shape->klass == /);
    assert.match(lines[2], /^\tSource:cpPolyShape\.c:\d+$/);
  },

  async "runs out of memory without harm"() {
    const own = await load();
    const full = new own.Space({ capacityBytes: 65536 });
    const empty = full.save();
    assert.throws(() => { for (;;) full.add(new own.Body(1, 1)); }, /outgrown its memory/);
    assert.throws(() => full.step(DT), /outgrown its memory/);
    assert.throws(() => full.save(), /outgrown its memory/);
    full.restore(empty);
    full.add(new own.Body(1, 1));
    full.step(DT);
    const spaces = [];
    assert.throws(() => { for (;;) spaces.push(new own.Space({ capacityBytes: 2 ** 29 })); }, /no memory/);
    assert.ok(spaces.length > 0);
    spaces.forEach((each) => each.free());
    new own.Space().step(DT);
  },
};

await run(tests);
