// SPDX-License-Identifier: MIT
// Random scenes through all of the package, with lines that scene_replay.cpp plays natively. Objects are numbered in
// order of creation; body 0 is the static one.

export const DT = 1 / 60;
const EVENTS = ["begin", "preSolve", "postSolve", "separate"];
const v = (x, y) => ({ x, y });

export class Scene {
  /** @param random returns numbers below 1 */
  constructor(fm, random, hasHandlers = true) {
    this.fm = fm;
    this.random = random;
    this.lines = [];
    this.space = new fm.Space();
    this.objects = { b: [this.space.staticBody], s: [], j: [] };
    this.removed = { b: new Set(), s: new Set(), j: new Set() };
    this.handlers = [];
    this.called = [];
    this.hasHandlers = hasHandlers;
    this.build();
  }

  real(low, high) {
    return low + (high - low) * this.random();
  }
  whole(low, high) {
    return Math.floor(this.real(low, high + 1));
  }
  chance(part) {
    return this.random() < part;
  }
  write(...words) {
    this.lines.push(words.flat(3).map((word) => (typeof word === "number" ? String(Object.is(word, -0) ? "-0" : word) : word)).join(" "));
  }
  present(kind) {
    return this.objects[kind].map((_, i) => i).filter((i) => !this.removed[kind].has(i));
  }
  pick(kind) {
    const all = this.present(kind);
    return all[this.whole(0, all.length - 1)];
  }

  set(kind, i, name, value) {
    const object = kind === "w" ? this.space : this.objects[kind][i];
    object[name] = value;
    this.write("set", kind, i, name, typeof value === "object" ? Object.values(value) : Number(value));
  }
  addTo(kind, object, ...words) {
    this.space.add(object);
    this.write(...words);
    return this.objects[kind].push(object) - 1;
  }

  body(type = this.chance(0.15) ? 1 : this.chance(0.05) ? 2 : 0) {
    const { Body } = this.fm, mass = this.real(0.5, 3), moment = this.chance(0.1) ? Infinity : this.real(20, 400);
    const i = this.addTo("b", type === 0 ? new Body(mass, moment) : type === 1 ? Body.kinematic() : Body.static(), "body", type, mass, moment);
    this.set("b", i, "position", v(this.real(-150, 150), this.real(5, 200)));
    if (this.chance(0.5)) this.set("b", i, "angle", this.real(-3, 3));
    if (type !== 2 && this.chance(0.5)) this.set("b", i, "velocity", v(this.real(-80, 80), this.real(-80, 80)));
    if (type === 1) this.set("b", i, "angularVelocity", this.real(-3, 3));
    if (type === 0 && this.chance(0.1)) this.set("b", i, "centerOfGravity", v(this.real(-2, 2), this.real(-2, 2)));
    for (let count = this.chance(0.2) ? 2 : 1; count > 0; --count) this.shape(i);
    return i;
  }

  shape(bodyIndex) {
    const { Circle, Segment, Poly } = this.fm, body = this.objects.b[bodyIndex];
    const radius = this.chance(0.5) ? 0 : this.real(0, 2);
    let i;
    switch (this.whole(0, 3)) {
      case 0: {
        const size = this.real(3, 12), offset = this.chance(0.3) ? v(this.real(-4, 4), this.real(-4, 4)) : v(0, 0);
        i = this.addTo("s", new Circle(body, size, offset), "circle", bodyIndex, size, offset.x, offset.y);
        break;
      }
      case 1: {
        const a = v(this.real(-20, 0), this.real(-5, 5)), b = v(this.real(2, 20), this.real(-5, 5));
        i = this.addTo("s", new Segment(body, a, b, radius + 1), "segment", bodyIndex, a.x, a.y, b.x, b.y, radius + 1);
        break;
      }
      case 2: {
        const width = this.real(5, 25), height = this.real(5, 25);
        i = this.addTo("s", Poly.box(body, width, height, radius), "box", bodyIndex, width, height, radius);
        break;
      }
      default: {
        const count = this.whole(3, 10);
        // Math.cos() differs between engines.
        const vertices = Array.from({ length: count }, (_, k) => v((k % 2 === 0 ? 12 : -12) + this.real(-4, 4), (k % 3 === 0 ? 12 : -12) + this.real(-9, 9)));
        i = this.addTo("s", new Poly(body, vertices, radius), "poly", bodyIndex, radius, count, vertices.map(({ x, y }) => [x, y]));
      }
    }
    this.set("s", i, "friction", this.real(0, 1.2));
    if (this.chance(0.5)) this.set("s", i, "elasticity", this.real(0, 0.8));
    if (this.chance(0.6)) this.set("s", i, "collisionType", this.whole(1, 4));
    if (this.chance(0.08)) this.set("s", i, "sensor", true);
    if (this.chance(0.1)) this.set("s", i, "surfaceVelocity", v(this.real(-50, 50), 0));
    if (this.chance(0.2)) this.set("s", i, "filter", { group: this.whole(0, 3), categories: this.whole(1, 7), mask: this.whole(3, 7) });
    return i;
  }

  joint() {
    const a = this.pick("b"), b = this.pick("b");
    const [one, other] = [this.objects.b[a], this.objects.b[b]];
    if (a === b || (one.type !== "dynamic" && other.type !== "dynamic")) return;
    const p = v(this.real(-8, 8), this.real(-8, 8)), q = v(this.real(-8, 8), this.real(-8, 8)), low = this.real(-2, 0.5), high = low + this.real(0, 2);
    const kinds = [
      ["PinJoint", 0, p, q], ["SlideJoint", 1, p, q, 5, this.real(5, 60)], ["PivotJoint", 3, p, q],
      ["GrooveJoint", 4, p, v(p.x + 10, p.y + 3), q], ["DampedSpring", 5, p, q, this.real(5, 40), this.real(10, 200), this.real(0, 5)],
      ["DampedRotarySpring", 6, low, this.real(100, 3000), this.real(0, 50)], ["RotaryLimitJoint", 7, low, high],
      ["RatchetJoint", 8, low, this.real(0.1, 1)], ["GearJoint", 9, low, this.real(0.5, 2)], ["SimpleMotor", 10, this.real(-4, 4)],
    ];
    // A joint of angles between bodies that never turn would go to NaN.
    const count = one.moment === Infinity && other.moment === Infinity ? 5 : kinds.length;
    const [name, kind, ...given] = kinds[this.whole(0, count - 1)];
    const numbers = given.flatMap((each) => (typeof each === "object" ? [each.x, each.y] : [each]));
    const i = this.addTo("j", new this.fm[name](one, other, ...given), "joint", kind, a, b, numbers.length, numbers);
    if (this.chance(0.3)) this.set("j", i, "maxForce", this.real(1e3, 1e5));
    if (this.chance(0.2)) this.set("j", i, "collideBodies", false);
  }

  build() {
    const { space } = this;
    this.set("w", 0, "gravity", v(this.real(-30, 30), this.real(-400, -100)));
    this.set("w", 0, "iterations", this.whole(3, 15));
    if (this.chance(0.5)) this.set("w", 0, "damping", this.real(0.8, 1));
    if (this.chance(0.6)) this.set("w", 0, "sleepTimeThreshold", this.real(0.1, 0.6));
    if (this.chance(0.3)) this.set("w", 0, "collisionPersistence", this.whole(1, 5));
    if (this.chance(0.3)) this.set("w", 0, "collisionSlop", this.real(0, 0.5));
    for (const [ax, ay, bx, by] of [[-200, 0, 200, 0], [-200, 0, -200, 300], [200, 0, 200, 300]]) {
      const floor = this.addTo("s", new this.fm.Segment(space.staticBody, v(ax, ay), v(bx, by), 2), "segment", 0, ax, ay, bx, by, 2);
      this.set("s", floor, "friction", 0.9);
    }
    for (let count = this.whole(8, 40); count > 0; --count) this.body();
    for (let count = this.whole(0, 12); count > 0; --count) this.joint();
    for (let count = this.hasHandlers ? this.whole(0, 3) : 0; count > 0; --count) this.handler();
  }

  handler() {
    const types = Array.from({ length: this.whole(0, 2) }, () => this.whole(1, 4));
    const names = EVENTS.filter(() => this.chance(0.6));
    this.handlers.push({ types, names });
    this.attach(this.space, types, names);
    this.write("handler", types.length, types[0] ?? 0, types[1] ?? 0, names.reduce((sum, name) => sum + (1 << EVENTS.indexOf(name)), 0));
  }
  attach(space, types, names) {
    space.onCollision(...types, Object.fromEntries(names.map((name) => [name, (arbiter) => this.onCall(name, arbiter)])));
  }
  /** Depends on the shapes alone. */
  onCall(name, arbiter) {
    const [a, b] = arbiter.shapes.map((shape) => this.objects.s.indexOf(shape));
    const event = EVENTS.indexOf(name), isGood = event > 1 || (a * 7 + b * 13 + event) % 5 !== 0;
    this.called.push([event, a, b, Number(isGood)]);
    return isGood;
  }

  remove(kind, i) {
    this.space.remove(this.objects[kind][i]);
    this.removed[kind].add(i);
    this.write("remove", kind, i, this.called.length, this.called);
    this.called = [];
  }
  removeBody(i) {
    const body = this.objects.b[i];
    for (const j of this.present("j")) if (this.objects.j[j].a === body || this.objects.j[j].b === body) this.remove("j", j);
    for (const s of this.present("s")) if (this.objects.s[s].body === body) this.remove("s", s);
    this.remove("b", i);
  }

  act() {
    const i = this.pick("b"), body = this.objects.b[i], kind = this.whole(0, 9);
    if (kind < 4 && i !== 0 && body.type === "dynamic") {
      const name = ["applyImpulseAtLocalPoint", "applyImpulseAtWorldPoint", "applyForceAtLocalPoint", "applyForceAtWorldPoint"][kind];
      const amount = v(this.real(-90, 90), this.real(-90, 200)), at = v(this.real(-5, 5), this.real(-5, 5));
      body[name](amount, at);
      this.write("call", i, kind, amount.x, amount.y, at.x, at.y);
    } else if (kind === 4 && i !== 0) this.removeBody(i);
    else if (kind === 5) this.body();
    else if (kind === 6) this.joint();
    else if (kind === 7 && this.present("j").length > 0) this.remove("j", this.pick("j"));
    else if (kind === 8 && i !== 0 && body.type === "kinematic") this.set("b", i, "velocity", v(this.real(-40, 40), this.real(-40, 40)));
    else if (kind === 9) this.set("w", 0, "gravity", v(this.real(-100, 100), this.real(-400, 50)));
  }

  step() {
    const separated = [];
    this.called = [];
    this.space.step(DT);
    for (const [event, a] of this.called) if (event === 3) separated.push(a);
    this.write("step", this.called.length, this.called);
    this.called = [];
    if (this.chance(0.15)) this.act();
    if (separated.length > 0 && this.chance(0.2)) this.body();
    const begun = separated.find((s) => !this.removed.s.has(s) && this.objects.s[s].body !== this.space.staticBody);
    if (begun !== undefined && this.chance(0.2)) this.removeBody(this.objects.b.indexOf(this.objects.s[begun].body));
  }

  rewind(steps) {
    const saved = this.space.save();
    for (let i = 0; i < steps; ++i) this.space.step(DT);
    this.space.restore(saved);
    saved.free();
    this.called = [];
  }
  /** Goes on in a fork or a read space. */
  move(next) {
    for (const kind of ["b", "s", "j"]) {
      for (const i of this.present(kind)) this.objects[kind][i] = next.twinOf(this.objects[kind][i]);
    }
    this.space.free();
    this.space = next;
  }
  travel() {
    const next = this.fm.Space.fromBytes(this.space.toBytes());
    for (const { types, names } of this.handlers) this.attach(next, types, names);
    this.move(next);
  }
}

/** Returns {hashes, lines}, which `way` ("plain", "rewind", "fork" or "bytes") must not change. */
export function play(fm, random, way, steps = 600) {
  const scene = new Scene(fm, random), hashes = [];
  for (let i = 0; i < steps; ++i) {
    scene.step();
    if (way === "rewind" && i % 40 === 20) scene.rewind(7);
    if (way === "fork" && i % 60 === 30) scene.move(scene.space.fork());
    if (way === "bytes" && i % 120 === 60) scene.travel();
    if (i % 60 === 59) {
      hashes.push(scene.space.hash().toString(16));
      scene.write("hash", hashes.at(-1));
    }
  }
  scene.space.free();
  return { hashes, lines: scene.lines };
}
