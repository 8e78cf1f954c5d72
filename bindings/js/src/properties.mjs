// SPDX-License-Identifier: MIT
import { ForkmunkError } from "./checks.mjs";
import { $own } from "./private.mjs";

export const setterOf = (getter) => getter.replace("Get", "Set");

function reader(m, type, get) {
  const call = m.wasm[`_${get}`];
  switch (type) {
    case "Vector": return (pointer) => m.vectorOf(call, pointer);
    case "Filter": return (pointer) => m.filterOf(call, pointer);
    case "BoundingBox": return (pointer) => m.boxOf(call, pointer);
    case "boolean": return (pointer) => call(pointer) !== 0;
    default: return get.endsWith("CollisionType") ? (pointer) => call(pointer) >>> 0 : call;
  }
}

function writer(m, type, set) {
  const call = m.wasm[`_${set}`];
  switch (type) {
    case "Vector": return (pointer, value) => call(pointer, m.argument(0, value));
    case "Filter": return (pointer, value) => call(pointer, m.putFilter(value));
    default: return call;
  }
}

const REPLACED = { mass: "density", density: "mass" }; // of a shape, which has the last one
const NO_SPACE = "the object is in no space; add it to one first";

/** Returns accessors by name. `pointerOf(object)` is 0 for plain data. `changing(object, what, run)` runs a change. */
export function defineProperties(m, type, className, properties, pointerOf, changing) {
  const accessors = {};
  for (const { name, type: valueType, get, check, initial } of properties) {
    const what = `${className}.${name}`, set = check && setterOf(get);
    Object.freeze(initial);
    const read = reader(m, valueType, get), write = set && writer(m, valueType, set);
    const accessor = accessors[name] = {
      get() {
        const pointer = pointerOf(this, what);
        if (pointer !== 0) return read(pointer);
        const value = this[$own].data[name] ?? initial;
        if (value === undefined) throw new ForkmunkError(`${what}: ${NO_SPACE}`);
        return value;
      },
      set: set && function (value) {
        const good = m.checks[check](value, what);
        const pointer = pointerOf(this, what);
        if (pointer !== 0) return changing(this, what, () => write(pointer, good));
        const { data } = this[$own];
        delete data[REPLACED[name]];
        delete data[name]; // deleted first, so that it becomes the last: Space.add() sets values in order
        data[name] = good;
      },
    };
    Object.defineProperty(type.prototype, name, { configurable: true, enumerable: true, ...accessor });
  }
  return accessors;
}

export function defineMethods(m, type, className, methods, pointerOf, changing) {
  for (const { name, parameters, returns, call } of methods) {
    const what = `${className}.${name}()`, names = Object.keys(parameters);
    const run = m.wasm[`_${call}`];
    type.prototype[name] = function (...given) {
      const [one, other] = names.map((each, i) => m.checks.vector(given[i], `${what}: ${each}`));
      const pointer = pointerOf(this, what);
      if (pointer === 0) throw new ForkmunkError(`${what}: ${NO_SPACE}`);
      if (returns === "Vector") return m.vectorOf(run, pointer, m.argument(0, one));
      const result = changing(this, what, () => (names.length === 0 ? run(pointer) : run(pointer, m.argument(0, one), m.argument(1, other))));
      return returns === "boolean" ? result !== 0 : undefined;
    };
  }
}
