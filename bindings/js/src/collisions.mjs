// Collision callbacks. A handler's number is in the space's memory and travels with its states; the functions are the
// space's here, by that number.

import * as api from "./api.mjs";
import { checks, ForkmunkError, refuse } from "./checks.mjs";
import { defineMethods, defineProperties } from "./properties.mjs";

const EVENTS = ["begin", "preSolve", "postSolve", "separate"];

export function defineCollisions(m) {
  const { wasm } = m;

  /** What two shapes have to do with each other: only during a callback. */
  class Arbiter {
    constructor() {
      this._pointer = 0;
      this._space = null;
    }
    get shapes() {
      wasm._fm_arbiter_shapes(pointerOf(this, "Arbiter.shapes"));
      const at = wasm._fm_list() >> 2;
      return [this._space._at(wasm.HEAPU32[at]), this._space._at(wasm.HEAPU32[at + 1])];
    }
    get bodies() {
      return this.shapes.map((shape) => shape.body);
    }
    /** Up to two: points on both shapes, and their distance, negative if they overlap. */
    get points() {
      const call = wasm._cpArbiterGetContactPointSet;
      call(m.scratch, pointerOf(this, "Arbiter.points"));
      const f = wasm.HEAPF64, at = (m.scratch >> 3) + 3;
      return Array.from({ length: wasm.HEAP32[m.scratch >> 2] }, (_, i) => pointAt(f, at + 5 * i));
    }
  }
  const pointerOf = (arbiter, what) => {
    if (arbiter._pointer === 0) throw new ForkmunkError(`${what}: the callback is over; an arbiter is good in it only`);
    return arbiter._pointer;
  };
  defineProperties(m, Arbiter, "Arbiter", api.arbiter.properties, pointerOf, () => {});
  defineMethods(m, Arbiter, "Arbiter", api.arbiter.methods, pointerOf, () => {});

  const arbiter = new Arbiter(); // one for all callbacks, which do not nest within a space
  wasm.onCollision = (number, event, pointer) => {
    const space = m.current;
    const run = space?._handlers[number - 1]?.[EVENTS[event]];
    if (run === undefined || space._thrown !== null) return 1;
    const before = [arbiter._pointer, arbiter._space, m.inCollision];
    [arbiter._pointer, arbiter._space, m.inCollision] = [pointer, space, event < 2];
    try {
      return run(arbiter, space) === false ? 0 : 1;
    } catch (error) {
      space._thrown = { error };
      return 1;
    } finally {
      [arbiter._pointer, arbiter._space, m.inCollision] = before;
    }
  };

  /** Space.onCollision(). */
  function onCollision(space, types, functions) {
    const what = "Space.onCollision()";
    types.forEach((type, i) => checks.small(type, `${what}: type ${i + 1}`));
    if (typeof functions !== "object" || functions === null) refuse(what, functions, `an object with ${EVENTS.join(", ")}`);
    let events = 0;
    for (const [name, run] of Object.entries(functions)) {
      if (!EVENTS.includes(name)) refuse(`${what}: event`, name, `one of ${EVENTS.join(", ")}`);
      if (typeof run !== "function") refuse(`${what}: ${name}`, run, "a function");
      events |= 1 << EVENTS.indexOf(name);
    }
    const [a = 0, b = 0] = types;
    const number = wasm._fm_handler(space._world, types.length, a, b, space._handlers.length + 1, events);
    if (number === 0) m.failC(what);
    while (space._handlers.length < number) space._handlers.push({});
    space._handlers[number - 1] = { ...space._handlers[number - 1], ...functions };
  }

  return { Arbiter, onCollision };
}

export const pointAt = (f, at) => ({ pointA: { x: f[at], y: f[at + 1] }, pointB: { x: f[at + 2], y: f[at + 3] }, distance: f[at + 4] });
