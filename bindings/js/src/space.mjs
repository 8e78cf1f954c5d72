// SPDX-License-Identifier: MIT
// Space and Snapshot. types.d.ts describes their methods.

import * as api from "../api.mjs";
import { described, ForkmunkError, optionsOf, refuse } from "./checks.mjs";
import { entryOf, handleOf, Kind, pointerOf, spaceOf } from "./objects.mjs";
import {
  $at, $checked, $checksSteps, $first, $follow, $handlers, $handles, $kind, $later, $lineage, $lists, $make, $numbered, $own, $registry, $require, $root,
  $thrown, $torn, $transforms, $world,
} from "./private.mjs";
import { TEXT_BYTES } from "./module.mjs";
import { defineProperties } from "./properties.mjs";
import { defineQueries } from "./queries.mjs";
import { newEntry, Registry } from "./registry.mjs";
import { copyOfUserData, readUserData, writeUserData } from "./user_data.mjs";

const CAPACITY_BYTES = 2 ** 24, CAPACITY_BYTES_MAX = 2 ** 30; // unused addresses take no memory
const KINDS = [, "Body", "Shape", "Constraint"], LISTS = [, "bodies", "shapes", "constraints"]; // by Kind
const DEFECTS = ["none", "pymunk", "stock"]; // forkmunk_defect_set

export function defineSnapshot(m) {
  const { wasm } = m;
  const hold = (snapshot, pointer) => {
    snapshot[$world] = pointer || m.fail("new Snapshot()");
    snapshot[$registry] = snapshot[$lineage] = null; // null if the state came as bytes
    m.snapshots.add(snapshot, pointer);
    return snapshot;
  };

  class Snapshot {
    constructor(...given) {
      if (given.length > 0) refuse("new Snapshot()", given[0], "nothing; Space.save() fills it, and Snapshot.fromBytes() reads one");
      hold(this, wasm._forkmunk_snapshot_new());
    }

    static fromBytes(bytes) {
      return hold(Object.create(Snapshot.prototype), m.objectOfBytes("Snapshot.fromBytes()", bytes, wasm._forkmunk_snapshot_read));
    }

    toBytes() {
      const pointer = this[$checked]("Snapshot.toBytes()");
      const write = (block, room) => wasm._forkmunk_snapshot_write(pointer, block, room);
      return m.written("Snapshot.toBytes()", 2 * this.sizeBytes + 65536, write);
    }

    get sizeBytes() {
      return wasm._forkmunk_snapshot_size_bytes(this[$checked]("Snapshot.sizeBytes"));
    }

    free() {
      if (this[$world] !== 0) m.snapshots.free(this, this[$world]);
      this[$world] = 0;
      this[$registry] = this[$lineage] = null;
    }

    [$checked](what) {
      if (this[$world] === 0) throw new ForkmunkError(`${what}: the snapshot was freed`);
      return this[$world];
    }
  }
  if (Symbol.dispose) Snapshot.prototype[Symbol.dispose] = Snapshot.prototype.free;
  return Snapshot;
}

export function defineSpace(m, objects, Snapshot, collisions) {
  const { wasm, checks } = m;

  function begin(space, world, lineage, checksSteps = false) {
    space[$world] = world;
    space[$root] = wasm._forkmunk_space_space(world);
    space[$registry] = new Registry();
    space[$handles] = new WeakMap();
    space[$lists] = new WeakMap();
    space[$lineage] = lineage;
    space[$checksSteps] = checksSteps;
    space[$handlers] = [];
    space[$later] = [];
    space[$thrown] = space[$torn] = space[$transforms] = null;
    m.spaces.add(space, world);
    return space;
  }
  const staticOf = (space) => wasm._cpSpaceGetStaticBody(space[$root]);
  /** Numbers objects in order of creation, and first the static body, which has no number. */
  const numberOf = (space, pointer) => (pointer === staticOf(space) ? -1 : wasm._fm_number(pointer) >>> 0);
  /** Returns the entries by number, none without a usable space. */
  function numbered(space, isWanted = () => true) {
    const entries = space?.[$torn] === null ? space[$registry]?.entries() ?? [] : [];
    return new Map(entries.filter(isWanted).map((entry) => [numberOf(space, space[$root] + space[$registry].offsetOf(entry)), entry]));
  }
  /** An object with the number and class of an entry of `before` is that object. */
  function findObjects(space, before) {
    const root = space[$root];
    let registry = new Registry();
    const enter = (pointer, kind) => {
      const base = objects.baseAt(pointer, kind), known = before.get(numberOf(space, pointer));
      registry = registry.with(pointer - root, known?.base === base ? known : newEntry(kind, base, base.prototype));
    };
    enter(staticOf(space), Kind.body);
    const bodies = m.listedBy(({ object }) => wasm._cpSpaceEachBody(root, object, 0));
    for (const body of bodies) enter(body, Kind.body);
    for (const shape of m.listedBy(({ object }) => wasm._cpSpaceEachShape(root, object, 0))) enter(shape, Kind.shape);
    const joints = m.listedBy(({ object, attached }) => {
      wasm._cpSpaceEachConstraint(root, object, 0);
      for (const body of bodies) wasm._cpBodyEachConstraint(body, attached, 0); // only these have the joints of sleepers
    });
    for (const joint of joints) enter(joint, Kind.constraint);
    space[$registry] = registry;
  }
  /** Returns objects in order of addition, in the same array while the registry stays. */
  function listOf(space, kind, what) {
    const { listed } = space[$checked](what);
    if (listed[kind] === undefined) {
      const entries = [...numbered(space, (entry) => entry.kind === kind)].sort(([a], [b]) => a - b);
      if (kind === Kind.body) entries.shift(); // the static body
      listed[kind] = entries.map(([, entry]) => entry);
    }
    let list = space[$lists].get(listed[kind]);
    if (list === undefined) space[$lists].set(listed[kind], list = Object.freeze(listed[kind].map((entry) => handleOf(space, entry))));
    return list;
  }

  function checkArrival(space, object, arriving) {
    if (!(object instanceof objects.SpaceObject)) refuse("Space.add()", object, "bodies, shapes and constraints of the same load()");
    const name = described(object);
    if (spaceOf(object) !== null) throw new ForkmunkError(`Space.add(): ${name} is in a space already; remove it there first`);
    if (object[$own].space !== null && object[$own].space !== space) throw new ForkmunkError(`Space.add(): ${name} belongs to another space; make a new one`);
    if (!object[$own].isPlain) throw new ForkmunkError(`Space.add(): ${name} is gone: a restore went back to before it was added; make a new one`);
    for (const body of object[$own].links) {
      if (!arriving.has(body) && spaceOf(body) !== space) throw new ForkmunkError(`Space.add(): ${name} is on a body that is not in the space; add the body before it, or with it`);
    }
    if (object[$kind] === Kind.constraint) objects.checkEnds(...object[$own].links, "Space.add()");
  }
  /** A dynamic body needs mass and moment, or a shape with mass. */
  function checkMasses(added) {
    const hasMass = ({ [$own]: { data: { mass = 0, density = 0, radius, vertices } } }) => mass > 0 || (density > 0 && (radius > 0 || vertices !== undefined));
    const bodies = new Set(added.filter(hasMass).map((shape) => shape[$own].links[0]));
    for (const body of added) {
      const what = "Space.add()", { mass = 0, moment = 0 } = body[$own].data;
      if (body[$kind] !== Kind.body || bodies.has(body) || (mass > 0 && moment > 0) || objects.typeOf(body, what) !== 0) continue;
      throw new ForkmunkError(`${what}: the body has mass ${mass} and moment ${moment}; give it both, or shapes with mass or density that are added with it`);
    }
  }
  function addOne(space, object) {
    const what = "Space.add()", bodies = object[$own].links.map((body) => pointerOf(body, what));
    const pointer = m.inside(space, what, () => wasm[`_cpSpaceAdd${KINDS[object[$kind]]}`](space[$root], object[$make](...bodies)));
    if (wasm._forkmunk_space_is_overflowed(space[$world]) !== 0) throw new ForkmunkError(`${what}: the space has outgrown its memory; restore a snapshot, or make it with a larger capacityBytes`);
    const entry = entryOf(object);
    Object.assign(object[$own], { space, isPlain: false });
    space[$handles].set(entry, object);
    space[$registry] = space[$registry].with(pointer - space[$root], entry);
  }
  function removeOne(space, object) {
    const what = "Space.remove()", pointer = pointerOf(object, what), kind = KINDS[object[$kind]], plain = objects.takeBack(object, what);
    m.check(what, wasm._fm_set_user_data(space[$world], pointer, object[$kind], 0, 0));
    m.runWithCallbacks(space, what, () => m.inside(space, what, () => {
      wasm[`_cpSpaceRemove${kind}`](space[$root], pointer);
      wasm[`_cp${kind}Free`](pointer);
    }));
    space[$registry] = space[$registry].without(pointer - space[$root]);
    Object.assign(object[$own], { seen: null, isPlain: true, ...plain });
  }
  /** Runs the functions of afterStep(), and throws the first error. */
  function finish(space) {
    let thrown = space[$thrown];
    const later = space[$later];
    [space[$thrown], space[$later]] = [null, []];
    for (const run of later) {
      try {
        run();
      } catch (error) {
        thrown ??= { error };
      }
    }
    if (thrown !== null) throw thrown.error;
  }
  /** Throws the error of a failed step, with the `object` of a checked one. */
  function failStep(space) {
    const what = "Space.step()", pointer = wasm._forkmunk_last_error_object();
    if (pointer === 0) m.fail(what);
    const object = space[$at](pointer), list = LISTS[object[$kind]];
    const problem = wasm.textAt(wasm._forkmunk_last_error()).replace(/^.*: its /, object[$kind] === Kind.shape ? "a contact's " : "its ");
    throw Object.assign(new ForkmunkError(`${what}: ${list}[${space[list].indexOf(object)}]: ${problem}`), { object });
  }
  function viewsOf(space, bodies) {
    const before = space[$transforms], count = bodies.length;
    if (before?.bodies === bodies && before.array.buffer === wasm.HEAPF64.buffer) return before;
    const out = m.allocate(Math.max(28 * count, 1)), pointers = out + 24 * count;
    if (before !== null) m.blocks.free(before, before.out);
    const views = { bodies, pointers, out, array: new Float64Array(wasm.HEAPF64.buffer, out, 3 * count) };
    m.blocks.add(views, out);
    bodies.forEach((body, i) => (wasm.HEAPU32[(pointers >> 2) + i] = pointerOf(body, "Space.transforms")));
    return (space[$transforms] = views);
  }

  class Space {
    constructor(options = {}) {
      const { capacityBytes, defects, checked } = optionsOf(options, "new Space(): options", { capacityBytes: CAPACITY_BYTES, defects: "none", checked: false });
      if (!DEFECTS.includes(defects)) refuse("new Space(): defects", defects, `one of ${DEFECTS.join(", ")}`);
      if (checks.word(capacityBytes, "new Space(): capacityBytes") > CAPACITY_BYTES_MAX) refuse("new Space(): capacityBytes", capacityBytes, `at most ${CAPACITY_BYTES_MAX}`);
      const world = wasm._forkmunk_space_new(capacityBytes, capacityBytes) || m.fail("new Space()");
      if (defects !== "none") m.check("new Space()", wasm._forkmunk_space_set_defects(world, DEFECTS.indexOf(defects)));
      findObjects(begin(this, world, {}, checks.boolean(checked, "new Space(): checked")), new Map());
    }

    static [$at](world, { prototype = Space.prototype, registry = null, lineage, checksSteps, origin } = {}) {
      const space = begin(Object.create(prototype), world, lineage ?? {}, checksSteps);
      if (registry === null) findObjects(space, numbered(origin));
      else space[$registry] = registry;
      return space;
    }

    static fromBytes(bytes) {
      return Space[$at](m.objectOfBytes("Space.fromBytes()", bytes, wasm._fm_space_read));
    }

    free() {
      if (this[$registry] === null) return;
      this[$require]("Space.free()", true);
      m.check("Space.free()", m.spaces.free(this, this[$world]));
      if (this[$transforms] !== null) m.blocks.free(this[$transforms], this[$transforms].out);
      this[$registry] = null;
    }

    get defects() {
      this[$checked]("Space.defects");
      return DEFECTS[wasm._forkmunk_space_defects(this[$world])];
    }
    get checked() {
      return this[$checksSteps];
    }
    set checked(value) {
      this[$checksSteps] = checks.boolean(value, "Space.checked");
    }
    get staticBody() {
      this[$checked]("Space.staticBody");
      return this[$at](staticOf(this));
    }
    get userData() {
      this[$checked]("Space.userData");
      return readUserData(m, this[$root], Kind.space);
    }
    set userData(value) {
      const copy = copyOfUserData(value);
      this[$checked]("Space.userData");
      writeUserData(m, "Space.userData", this, this[$root], Kind.space, copy);
    }
    get liveBytes() {
      this[$checked]("Space.liveBytes");
      return wasm._forkmunk_space_live_bytes(this[$world]);
    }

    add(...given) {
      const added = given.flat();
      this[$require]("Space.add()");
      const arriving = new Set(added);
      if (arriving.size < added.length) throw new ForkmunkError("Space.add(): an object is given twice; add each once");
      for (const object of added) checkArrival(this, object, arriving);
      checkMasses(added);
      try {
        m.run(this, "Space.add()", () => {
          for (const object of added.sort((a, b) => a[$kind] - b[$kind])) {
            addOne(this, object);
            objects.applyRest(object);
            Object.assign(object[$own], { data: {}, links: [] });
          }
        });
      } catch (error) { // there is no memory
        this[$torn] ??= error.message;
        throw error;
      }
      return given.length === 1 ? given[0] : given;
    }

    createBody(options = {}) {
      const what = "Space.createBody()";
      const { type = "dynamic", mass, moment, shapes = [], ...values } = checks.options(options, `${what}: options`);
      if (!Array.isArray(shapes)) refuse(`${what}: shapes`, shapes, "an array of objects");
      if (mass !== undefined) checks.positive(mass, `${what}: mass`);
      const isShared = moment === undefined && shapes.length > 0; // the shapes have the mass
      const bare = isShared ? new objects.Body() : new objects.Body(mass, moment);
      const body = objects.assign(bare, what, { type, ...values });
      const haveOwn = shapes.some((each) => (each?.mass ?? each?.density) !== undefined);
      const isGivenTwice = isShared && haveOwn && type === "dynamic" && mass !== undefined;
      if (isGivenTwice) refuse(`${what}: mass`, mass, "nothing beside shapes with mass or density");
      const hasMass = type !== "dynamic" || !isShared || haveOwn;
      const common = hasMass ? {} : mass === undefined ? { density: 1 } : { mass: mass / shapes.length };
      const made = shapes.map((each, i) => {
        const { radius, offset, a, b, width, height, vertices, ...rest } = checks.options(each, `${what}: shapes[${i}]`);
        if ((vertices ?? width ?? a ?? radius) === undefined) refuse(`${what}: shapes[${i}]`, each, "radius, a and b, width and height, or vertices");
        const [shape, ...used] = vertices !== undefined ? [new objects.Poly(body, vertices, radius), "vertices"]
          : width !== undefined ? [objects.Poly.box(body, width, height, radius), "width", "height"]
          : a !== undefined ? [new objects.Segment(body, a, b, radius), "a", "b"] : [new objects.Circle(body, radius, offset), "offset"];
        for (const [name, part] of Object.entries({ offset, a, b, width, height, vertices })) if (part !== undefined && !used.includes(name)) refuse(`${what}: shapes[${i}]`, name, `radius, ${used.join(", ")} alone`);
        return objects.assign(shape, `${what}: shapes[${i}]`, { ...common, ...rest });
      });
      Space.prototype.add.call(this, body, ...made);
      return body;
    }

    remove(...given) {
      const what = "Space.remove()";
      const removed = given.flat();
      this[$require]("Space.remove()");
      const leaving = new Set();
      for (const object of removed) {
        if (!(object instanceof objects.SpaceObject)) refuse(what, object, "bodies, shapes and constraints of this space");
        if (spaceOf(object) !== this) throw new ForkmunkError(`${what}: ${described(object)} is not in this space`);
        const pointer = pointerOf(object, what);
        if (pointer === staticOf(this)) throw new ForkmunkError(`${what}: found the space's static body, expected another object`);
        leaving.add(pointer);
      }
      for (const object of removed) {
        if (object[$kind] !== Kind.body) continue;
        const body = pointerOf(object, what), parts = m.listedBy(({ attached }) => {
          wasm._cpBodyEachShape(body, attached, 0);
          wasm._cpBodyEachConstraint(body, attached, 0);
        });
        if ([...parts].every((each) => leaving.has(each))) continue;
        throw new ForkmunkError(`${what}: shapes or joints are attached to the body; remove them before it, or with it`);
      }
      try {
        m.run(this, what, () => {
          for (const object of new Set(removed.sort((a, b) => b[$kind] - a[$kind]))) removeOne(this, object);
        });
      } catch (error) {
        this[$thrown] = { error };
      }
      finish(this);
    }

    step(dt) {
      this[$require]("Space.step()");
      checks.notNegative(dt, "Space.step(): dt");
      let result = 1;
      try {
        result = m.runWithCallbacks(this, "Space.step()", () => wasm._fm_step(this[$world], dt, this[$checksSteps]));
      } finally {
        // After a failed step the space has its old state, or allows restore() only.
        if (result !== 0) this[$thrown] = null, this[$later].length = 0;
      }
      if (result !== 0) failStep(this);
      finish(this);
    }
    afterStep(run) {
      checks.run(run, "Space.afterStep()");
      if (m.busy.includes(this)) this[$later].push(run);
      else run();
    }
    onCollision(...given) {
      if (given.length < 1 || given.length > 3) refuse("Space.onCollision()", given.length, "up to two collision types, and an object of functions");
      collisions.onCollision(this, given.slice(0, -1), given.at(-1));
    }

    save(into = new Snapshot()) {
      this[$require]("Space.save()");
      if (!(into instanceof Snapshot)) refuse("Space.save()", into, "a Snapshot of the same load()");
      const snapshot = into[$checked]("Space.save()");
      into[$world] = 0; // stays 0 if the copy is cut off
      const result = m.read(this, "Space.save()", () => wasm._forkmunk_space_save_into(this[$world], snapshot));
      into[$world] = snapshot;
      m.check("Space.save()", result);
      into[$registry] = this[$registry];
      this[$registry].isShared = true;
      into[$lineage] = this[$lineage];
      return into;
    }
    restore(snapshot) {
      this[$require]("Space.restore()", true);
      if (!(snapshot instanceof Snapshot)) refuse("Space.restore()", snapshot, "a Snapshot of the same load()");
      const state = snapshot[$checked]("Space.restore()");
      this[$follow](() => {
        m.check("Space.restore()", m.run(this, "Space.restore()", () => wasm._forkmunk_space_restore(this[$world], state)));
      }, snapshot[$lineage] === this[$lineage] ? snapshot[$registry] : undefined, snapshot[$first]);
    }
    fork() {
      this[$require]("Space.fork()");
      const world = m.read(this, "Space.fork()", () => wasm._forkmunk_space_fork(this[$world])) || m.fail("Space.fork()");
      this[$registry].isShared = true;
      const twin = Space[$at](world, { prototype: Object.getPrototypeOf(this), registry: this[$registry], lineage: this[$lineage], checksSteps: this[$checksSteps] });
      twin[$handlers] = this[$handlers].map((functions) => ({ ...functions }));
      return twin;
    }
    twinOf(object) {
      const what = "Space.twinOf()";
      this[$checked](what);
      if (!(object instanceof objects.SpaceObject) || spaceOf(object) === null) refuse(what, object, "an object in a space of the same load()");
      const entry = entryOf(object), theirs = object[$own].space, pointer = pointerOf(object, what);
      const isRelated = theirs[$lineage] === this[$lineage];
      // A space that was read has the same numbers, and other addresses.
      const here = isRelated ? this[$registry].at(pointer - theirs[$root]) : numbered(this).get(numberOf(theirs, pointer));
      const isTwin = isRelated ? here === entry : here?.base === entry.base;
      if (!isTwin) throw new ForkmunkError(`${what}: this space has no twin of ${described(object)}`);
      return handleOf(this, here);
    }
    hash() {
      this[$checked]("Space.hash()");
      const hash = BigInt.asUintN(64, m.read(this, "Space.hash()", () => wasm._forkmunk_space_hash(this[$world])));
      if (hash === 0n && wasm._forkmunk_space_is_overflowed(this[$world]) !== 0) m.fail("Space.hash()");
      return hash;
    }
    firstDifference(other) {
      this[$checked]("Space.firstDifference()");
      if (!(other instanceof Space)) refuse("Space.firstDifference()", other, "a Space of the same load()");
      other[$checked]("Space.firstDifference()");
      return m.withBlock(TEXT_BYTES, (block) => {
        const found = m.read(this, "Space.firstDifference()", () => wasm._forkmunk_space_first_difference(this[$world], other[$world], block, TEXT_BYTES));
        return found < 0 ? m.fail("Space.firstDifference()") : found === 0 ? null : wasm.textAt(block);
      });
    }
    toBytes() {
      this[$require]("Space.toBytes()");
      const write = (block, room) => wasm._forkmunk_space_write(this[$world], block, room);
      return m.written("Space.toBytes()", 2 * this.liveBytes + 65536, write);
    }

    get transforms() {
      const bodies = listOf(this, Kind.body, "Space.transforms"), { pointers, out, array } = viewsOf(this, bodies);
      wasm._fm_transforms(pointers, bodies.length, out);
      return array;
    }

    /** @param isRestorer  for calls that a half changed space allows */
    [$checked](what, isRestorer = false) {
      if (this[$registry] === null) throw new ForkmunkError(`${what}: the space was freed`);
      if (this[$torn] !== null && !isRestorer) throw new ForkmunkError(`${what}: ${this[$torn]}`);
      return this[$registry];
    }
    [$require](what, isRestorer) {
      this[$checked](what, isRestorer);
      if (m.busy.includes(this)) throw new ForkmunkError(`${what} was called in a callback; use space.afterStep()`);
    }
    /** Without a registry of the state, finds objects by their numbers. */
    [$follow](restore, registry, first = []) {
      const before = registry === undefined ? new Map([...first, ...numbered(this)]) : null;
      restore();
      this[$root] = wasm._forkmunk_space_space(this[$world]);
      // In bytes of other programs, the first space may have been freed.
      this[$torn] = this[$root] === 0 ? "the state has no space any more; restore() another snapshot, or free() it" : null;
      if (this[$torn] !== null) throw new ForkmunkError(`Space.restore(): ${this[$torn]}`);
      if (registry !== undefined) this[$registry] = registry;
      else findObjects(this, before);
    }
    [$numbered]() {
      return numbered(this);
    }
    [$at](pointer) {
      return handleOf(this, this[$registry].at(pointer - this[$root]));
    }
  }
  if (Symbol.dispose) Space.prototype[Symbol.dispose] = Space.prototype.free;
  LISTS.forEach((name, kind) => Object.defineProperty(Space.prototype, name, { configurable: true, get() {
    return listOf(this, kind, `Space.${name}`);
  } }));
  const rootOf = (space, what) => (space[$checked](what), space[$root]);
  defineProperties(m, Space, "Space", api.space, rootOf, m.run.bind(m));
  defineQueries(m, Space, objects);
  return Space;
}
