// Space: a scene that is saved, restored and forked.

import * as api from "./api.mjs";
import { checks, described, ForkmunkError, refuse } from "./checks.mjs";
import { Kind, pointerOf } from "./objects.mjs";
import { defineProperties } from "./properties.mjs";
import { defineQueries } from "./queries.mjs";
import { Registry } from "./registry.mjs";
import { readUserData, writeUserData } from "./user_data.mjs";

const CAPACITY_BYTES = 2 ** 24; // addresses: what is not used takes no memory
const CAPACITY_BYTES_MAX = 2 ** 30;
const TEXT_BYTES = 1024;

export function defineSpace(m, objects, Snapshot, collisions) {
  const { wasm } = m;

  class Space {
    constructor(options = {}) {
      const { capacityBytes = CAPACITY_BYTES } = checks.options(options, "new Space(): options");
      if (checks.word(capacityBytes, "new Space(): capacityBytes") > CAPACITY_BYTES_MAX) refuse("new Space(): capacityBytes", capacityBytes, `at most ${CAPACITY_BYTES_MAX}`);
      const world = wasm._forkmunk_space_new(capacityBytes, capacityBytes);
      if (world === 0) m.failC("new Space()");
      this._begin(world);
      this._setRegistry(new Registry());
    }
    _begin(world) {
      this._world = world;
      this._root = wasm._forkmunk_space_space(world);
      this._registry = null;
      this._handlers = [];
      this._later = [];
      this._thrown = null;
      this._transforms = null;
      m.freeSpace.register(this, world, this);
    }
    static _of(world) {
      const space = Object.create(Space.prototype);
      space._begin(world);
      return space;
    }

    /** A new Space of what toBytes() of one returned. Callbacks are to be set again, in the same order. */
    static fromBytes(bytes) {
      const snapshot = Snapshot.fromBytes(bytes);
      try {
        const space = new Space({ capacityBytes: Math.max(CAPACITY_BYTES, 2 * snapshot.sizeBytes) });
        space.restore(snapshot);
        return space;
      } finally {
        snapshot.free();
      }
    }

    /** Gives the memory back. */
    free() {
      if (this._registry === null) return;
      this._require("free()");
      if (wasm._forkmunk_space_free(this._world) !== 0) m.failC("Space.free()");
      m.freeSpace.unregister(this);
      this._world = this._root = 0;
      this._registry = null;
    }

    get staticBody() {
      this._checked("Space.staticBody");
      return this._at(wasm._cpSpaceGetStaticBody(this._root));
    }
    /** Bodies, shapes and constraints, each in order of addition. */
    get bodies() {
      return this._checked("Space.bodies").list(Kind.body);
    }
    get shapes() {
      return this._checked("Space.shapes").list(Kind.shape);
    }
    get constraints() {
      return this._checked("Space.constraints").list(Kind.constraint);
    }
    get userData() {
      this._checked("Space.userData");
      return readUserData(m, this._root, Kind.space);
    }
    set userData(value) {
      this._checked("Space.userData");
      writeUserData(m, this, this._root, Kind.space, value);
    }
    get liveBytes() {
      this._checked("Space.liveBytes");
      return wasm._forkmunk_space_live_bytes(this._world);
    }

    add(...given) {
      this._require("add()");
      const added = given.flat();
      const arriving = new Set(added);
      if (arriving.size < added.length) throw new ForkmunkError("Space.add(): an object is given twice; add each once");
      for (const object of added) this._checkArrival(object, arriving);
      const done = [];
      try {
        for (const object of added.sort((a, b) => a._rank - b._rank)) {
          this._addOne(object);
          done.push(object);
          object._apply(object._late());
          if (object._data.userData !== undefined) object.userData = object._data.userData;
        }
        this._checkMasses(done);
      } catch (error) {
        // A space that outgrew its memory only takes a restore.
        if (wasm._fm_is_usable(this._world) !== 0) for (const object of done.reverse()) this._removeOne(object, object._data);
        throw error;
      }
      for (const object of done) object._data = {};
      return given.length === 1 ? given[0] : given;
    }
    _checkArrival(object, arriving) {
      if (!(object instanceof objects.SpaceObject)) refuse("Space.add()", object, "bodies, shapes and constraints of the same load()");
      const name = described(object);
      if (object.space !== null) throw new ForkmunkError(`Space.add(): ${name} is in a space already; remove it there first`);
      if (object._space !== null && object._space !== this) throw new ForkmunkError(`Space.add(): ${name} belongs to another space; make a new one`);
      if (!object._isPlain) throw new ForkmunkError(`Space.add(): ${name} is gone: a restore went back to before it was added; make a new one`);
      for (const body of object._needed()) {
        if (!arriving.has(body) && body.space !== this) throw new ForkmunkError(`Space.add(): ${name} is on a body that is not in the space; add the body before it, or with it`);
      }
    }
    _addOne(object) {
      const pointer = object._make(this, ...object._needed().map((body) => pointerOf(body, "Space.add()")));
      if (pointer === 0) m.fail("Space.add()");
      object._space = this;
      object._isPlain = false;
      this._writable().pointers.set(object, pointer);
    }
    _checkMasses(added) {
      const bodies = new Set(added.flatMap((object) => (object._rank === 0 ? [object] : object._rank === 1 ? [object.body] : [])));
      for (const body of bodies) {
        if (body.type !== "dynamic" || (body.mass > 0 && body.moment > 0)) continue;
        throw new ForkmunkError(`Space.add(): the body has mass ${body.mass} and moment ${body.moment}; give it both, or shapes with mass or density that are added with it`);
      }
    }

    remove(...given) {
      this._require("remove()");
      const removed = given.flat();
      const leaving = new Set();
      for (const object of removed) {
        if (!(object instanceof objects.SpaceObject)) refuse("Space.remove()", object, "bodies, shapes and constraints of this space");
        if (object.space !== this) throw new ForkmunkError(`Space.remove(): ${described(object)} is not in this space`);
        if (object._isStaticBody) throw new ForkmunkError("Space.remove(): found the space's static body, expected another object");
        leaving.add(pointerOf(object, "Space.remove()"));
      }
      for (const object of removed) {
        if (object._rank !== 0) continue;
        const count = wasm._fm_attached(pointerOf(object, "Space.remove()")), at = wasm._fm_list() >> 2;
        if (wasm.HEAPU32.subarray(at, at + count).every((pointer) => leaving.has(pointer))) continue;
        throw new ForkmunkError("Space.remove(): shapes or joints are attached to the body; remove them before it, or with it");
      }
      try {
        for (const object of new Set(removed.sort((a, b) => b._rank - a._rank))) this._removeOne(object, object._takeBack());
      } catch (error) {
        this._thrown = { error };
      }
      this._finish();
    }
    _removeOne(object, data) {
      const pointer = pointerOf(object, "Space.remove()");
      if (this._calling(() => wasm._fm_remove(this._world, pointer, object._kind)) !== 0) m.fail("Space.remove()");
      this._writable().pointers.delete(object);
      object._isPlain = true;
      object._data = data;
    }

    /** dt in seconds. */
    step(dt) {
      this._require("step()");
      checks.notNegative(dt, "Space.step(): dt");
      const outer = m.current;
      m.current = this;
      const result = wasm._fm_step(this._world, dt);
      m.current = outer;
      if (result !== 0) {
        // The space only takes a restore: what callbacks left for afterwards is dropped.
        this._thrown = null;
        this._later.length = 0;
        m.fail("Space.step()");
      }
      this._finish();
    }
    /** After a step or removal: runs the functions of afterStep(), and throws the first error, a callback's or theirs. */
    _finish() {
      let thrown = this._thrown;
      this._thrown = null;
      while (this._later.length > 0) {
        try {
          this._later.shift()();
        } catch (error) {
          thrown ??= { error };
        }
      }
      if (thrown !== null) throw thrown.error;
    }
    /** Calls `run` when the step or removal that is under way is over, also if a callback throws; outside of one at once. */
    afterStep(run) {
      if (typeof run !== "function") refuse("Space.afterStep()", run, "a function");
      if (m.current === this) this._later.push(run);
      else run();
    }
    /** Functions for the collisions of two types; with one type of it and all others; with none of all. */
    onCollision(...given) {
      this._require("onCollision()");
      if (given.length < 1 || given.length > 3) refuse("Space.onCollision()", given.length, "up to two collision types, and an object of functions");
      collisions.onCollision(this, given.slice(0, -1), given.at(-1));
    }

    /** Copies the state: one memcpy. Into a snapshot that exists no memory is taken, once it is large enough. */
    save(into = new Snapshot()) {
      this._require("save()");
      if (!(into instanceof Snapshot)) refuse("Space.save()", into, "a Snapshot of the same load()");
      if (wasm._forkmunk_space_save_into(this._world, into._checked("Space.save()")) !== 0) m.failC("Space.save()");
      this._registry.isShared = true;
      into._registry = this._registry;
      into._space = this;
      into._root = this._root;
      return into;
    }
    /** Goes back to a state, of this space or another. Handles of what it has are good again. */
    restore(snapshot) {
      this._require("restore()");
      if (!(snapshot instanceof Snapshot)) refuse("Space.restore()", snapshot, "a Snapshot of the same load()");
      if (wasm._forkmunk_space_restore(this._world, snapshot._checked("Space.restore()")) !== 0) m.failC("Space.restore()");
      this._root = wasm._forkmunk_space_space(this._world);
      if (snapshot._space === this) this._registry = snapshot._registry;
      else this._setRegistry(this._registry, snapshot._order());
    }
    /** An independent twin in memory of its own, with the same callbacks. */
    fork() {
      this._require("fork()");
      const world = wasm._forkmunk_space_fork(this._world);
      if (world === 0) m.failC("Space.fork()");
      const twin = Space._of(world);
      twin._handlers = this._handlers.map((functions) => ({ ...functions }));
      twin._setRegistry(new Registry(), this._registry.offsets(this._root));
      return twin;
    }
    /** What an object of the space that this one was forked or restored from is here. */
    twinOf(object) {
      this._checked("Space.twinOf()");
      if (!(object instanceof objects.SpaceObject) || object.space === null) refuse("Space.twinOf()", object, "an object in a space");
      const twin = this._registry.at(pointerOf(object, "Space.twinOf()") - object._space._root + this._root);
      if (twin?.constructor !== object.constructor) throw new ForkmunkError(`Space.twinOf(): this space has no twin of ${described(object)}`);
      return twin;
    }
    /** A hash of all that decides the future, as a BigInt: equal in forks, on other machines and natively. */
    hash() {
      this._checked("Space.hash()");
      return BigInt.asUintN(64, wasm._forkmunk_space_hash(this._world));
    }
    /** The first field in which the two differ, with both values; null if they do not. */
    firstDifference(other) {
      this._checked("Space.firstDifference()");
      if (!(other instanceof Space)) refuse("Space.firstDifference()", other, "a Space of the same load()");
      other._checked("Space.firstDifference()");
      const block = m.allocate(TEXT_BYTES);
      try {
        const found = wasm._forkmunk_space_first_difference(this._world, other._world, block, TEXT_BYTES);
        if (found < 0) m.failC("Space.firstDifference()");
        return found === 0 ? null : wasm.UTF8ToString(block);
      } finally {
        wasm._fm_release(block);
      }
    }
    /** The state for another machine that runs this package. */
    toBytes() {
      const snapshot = this.save();
      try {
        return snapshot.toBytes();
      } finally {
        snapshot.free();
      }
    }

    /** x, y and angle of each of `bodies`, as a view of WebAssembly memory: good until the next read of it. */
    get transforms() {
      const { bodies } = this;
      let views = this._transforms;
      if (views === null || views.bodies !== bodies || views.array.buffer !== wasm.HEAPF64.buffer) {
        views = this._transforms = this._makeViews(bodies);
      }
      wasm._fm_transforms(views.pointers, bodies.length, views.out);
      return views.array;
    }
    _makeViews(bodies) {
      const count = bodies.length;
      if (this._transforms === null || this._transforms.bodies.length !== count) {
        if (this._transforms !== null) m.freeBlock.unregister(this._transforms), wasm._fm_release(this._transforms.out);
        const out = m.allocate(Math.max(28 * count, 1));
        this._transforms = { out, pointers: out + 24 * count };
        m.freeBlock.register(this._transforms, out, this._transforms);
      }
      const views = this._transforms;
      views.bodies = bodies;
      bodies.forEach((body, i) => (wasm.HEAPU32[(views.pointers >> 2) + i] = pointerOf(body, "Space.transforms")));
      views.array = new Float64Array(wasm.HEAPF64.buffer, views.out, 3 * count);
      return views;
    }

    // Of this package only.
    _checked(what) {
      if (this._registry === null) throw new ForkmunkError(`${what}: the space was freed`);
      return this._registry;
    }
    _require(what) {
      this._checked(`Space.${what}`);
      if (m.current === this) throw new ForkmunkError(`Space.${what} was called in a callback; use space.afterStep()`);
    }
    _at(pointer) {
      return this._registry.at(pointer);
    }
    _writable() {
      const registry = new Registry(this._registry.isShared ? new Map(this._registry.pointers) : this._registry.pointers);
      return (this._registry = registry);
    }
    /**
     * Lists what is in the space; handles of `before` stay where the addresses and classes are the same. `order`: offsets of
     * objects in order of addition, which Chipmunk's own lists do not keep; not trusted.
     */
    _setRegistry(before, order = []) {
      const pointers = new Map();
      const enter = (pointer, kind) => {
        const known = before.at(pointer);
        const made = objects.handleFor(this, pointer, kind);
        const handle = known !== undefined && known.constructor === made.constructor ? known : made;
        pointers.set(handle, pointer);
        return handle;
      };
      enter(wasm._cpSpaceGetStaticBody(this._root), Kind.body)._isStaticBody = true;
      for (const kind of [Kind.body, Kind.shape, Kind.constraint]) {
        const count = this._calling(() => wasm._fm_objects(this._world, kind));
        const at = wasm._fm_list() >> 2;
        for (const pointer of wasm.HEAPU32.slice(at, at + count)) enter(pointer, kind);
      }
      const handles = new Map([...pointers].map(([handle, pointer]) => [pointer - this._root, handle]));
      const ordered = new Map();
      for (const offset of [...order, ...handles.keys()]) {
        if (handles.has(offset)) ordered.set(handles.get(offset), offset + this._root);
      }
      this._registry = new Registry(ordered);
    }
    /** Runs what may call back. */
    _calling(run) {
      const outer = m.current;
      m.current = this;
      try {
        return run();
      } finally {
        m.current = outer;
      }
    }
  }
  Object.defineProperty(Space, "name", { value: "Space" });
  if (Symbol.dispose) Space.prototype[Symbol.dispose] = Space.prototype.free;
  const rootOf = (space, what) => {
    space._checked(what);
    return space._root;
  };
  defineProperties(m, Space, "Space", api.space, rootOf, (space, what) => {
    if (m.inCollision && wasm._fm_has_sleepers(space._root) !== 0) throw new ForkmunkError(`${what}: cannot be set in begin or preSolve while a body sleeps`);
  });
  const { get, set } = Object.getOwnPropertyDescriptor(Space.prototype, "sleepTimeThreshold");
  Object.defineProperty(Space.prototype, "sleepTimeThreshold", {
    configurable: true,
    enumerable: true,
    get,
    // Chipmunk adds a sleeper's contacts again in each step where nothing may fall asleep, and later follows them in a circle.
    set(value) {
      this._checked("Space.sleepTimeThreshold");
      if (value === Infinity && wasm._fm_has_sleepers(this._root) !== 0) {
        this._require("sleepTimeThreshold = Infinity");
        wasm._fm_wake_all(this._world);
      }
      set.call(this, value);
    },
  });
  defineQueries(m, Space, objects);
  return Space;
}
