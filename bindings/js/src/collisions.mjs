// SPDX-License-Identifier: MIT
// Collision callbacks. A handler's number travels in the space's memory; its functions are kept here, for each space.

import * as api from "../api.mjs";
import { checks, ForkmunkError, refuse } from "./checks.mjs";
import { EVENTS } from "./module.mjs";
import { $at, $handlers, $own, $require, $root, $thrown } from "./private.mjs";
import { defineMethods, defineProperties } from "./properties.mjs";

export function defineCollisions(m, { linksOf }) {
  const { wasm } = m;

  class Arbiter {
    constructor() {
      Object.defineProperty(this, $own, { value: { pointer: 0, space: null } });
    }
    get shapes() {
      const at = m.scratch >> 2;
      wasm._cpArbiterGetShapes(pointerOf(this, "Arbiter.shapes"), m.scratch, m.scratch + 4);
      return [this[$own].space[$at](wasm.HEAPU32[at]), this[$own].space[$at](wasm.HEAPU32[at + 1])];
    }
    get bodies() {
      return this.shapes.map((shape) => linksOf(shape, "Arbiter.bodies")[0]);
    }
    get points() {
      const call = wasm._cpArbiterGetContactPointSet;
      call(m.scratch, pointerOf(this, "Arbiter.points"));
      return pointsAt(m, (m.scratch >> wasm.numberShift) + 3, wasm.HEAP32[m.scratch >> 2]);
    }
  }
  const pointerOf = (arbiter, what) => {
    if (arbiter[$own].pointer === 0) throw new ForkmunkError(`${what}: the callback is over; an arbiter is valid in its callback only`);
    return arbiter[$own].pointer;
  };
  const changing = (_arbiter, _what, run) => run();
  defineProperties(m, Arbiter, "Arbiter", api.arbiter.properties, pointerOf, changing);
  defineMethods(m, Arbiter, "Arbiter", api.arbiter.methods, pointerOf, changing);

  const arbiter = new Arbiter(); // one for all callbacks, which do not nest within a space
  wasm.onCollision = (number, name, pointer) => {
    const space = m.busy.at(-1);
    const run = space?.[$handlers][number - 1]?.[name];
    if (run === undefined || space[$thrown] !== null) return 1;
    const before = [arbiter[$own].pointer, arbiter[$own].space];
    [arbiter[$own].pointer, arbiter[$own].space] = [pointer, space];
    try {
      return run(arbiter, space) === false ? 0 : 1;
    } catch (error) {
      space[$thrown] = { error };
      return 1;
    } finally {
      [arbiter[$own].pointer, arbiter[$own].space] = before;
    }
  };

  function onCollision(space, types, functions) {
    const what = "Space.onCollision()";
    types.forEach((type, i) => checks.small(type, `${what}: type ${i + 1}`));
    if (typeof functions !== "object" || functions === null) refuse(what, functions, `an object with ${EVENTS.join(", ")}`);
    const own = { ...functions };
    for (const [name, run] of Object.entries(own)) {
      if (!EVENTS.includes(name)) refuse(`${what}: event`, name, `one of ${EVENTS.join(", ")}`);
      checks.run(run, `${what}: ${name}`);
    }
    space[$require](what);
    const adders = [wasm._cpSpaceAddDefaultCollisionHandler, wasm._cpSpaceAddWildcardHandler, wasm._cpSpaceAddCollisionHandler];
    const add = () => adders[types.length](space[$root], ...types);
    const at = m.run(space, what, () => m.inside(space, what, add)) >> 2;
    // A cpCollisionHandler has two types, the functions in the order of EVENTS, and the number.
    for (const name of Object.keys(own)) wasm.HEAPU32[at + 2 + EVENTS.indexOf(name)] = m.functions[name];
    const number = (wasm.HEAPU32[at + 6] ||= space[$handlers].length + 1);
    space[$handlers][number - 1] = { ...space[$handlers][number - 1], ...own };
  }

  return { Arbiter, onCollision };
}

/** Returns contact points from index `at` of the memory's numbers on. */
export const pointsAt = (m, at, count) => new Array(count).fill().map((_, i) =>
  ({ pointA: m.vectorAt(at + 5 * i), pointB: m.vectorAt(at + 5 * i + 2), distance: m.wasm.NUMBERS[at + 5 * i + 4] }));
