// Accessors and methods of the classes, from the description of the API (api.mjs).

import { checks, ForkmunkError } from "./checks.mjs";

function reader(m, type, get) {
  const call = m.wasm[`_${get}`];
  switch (type) {
    case "Vector": return (pointer) => m.vectorOf(call, pointer);
    case "Filter": return (pointer) => m.filterOf(call, pointer);
    case "BoundingBox": return (pointer) => m.boxOf(call, pointer);
    case "boolean": return (pointer) => call(pointer) !== 0;
    default: return get.endsWith("CollisionType") ? (pointer) => call(pointer) >>> 0 : (pointer) => call(pointer);
  }
}

function writer(m, type, set) {
  const call = m.wasm[`_${set}`];
  switch (type) {
    case "Vector": return (pointer, value) => call(pointer, m.first(value));
    case "Filter": return (pointer, value) => call(pointer, m.putFilter(value));
    default: return (pointer, value) => call(pointer, value);
  }
}

const copyOf = (value) => (typeof value === "object" ? { ...value } : value);

/** `pointerOf(object)` is 0 for one that is in no space yet: its values are in `object._data`. */
export function defineProperties(m, type, className, properties, pointerOf, beforeChange) {
  for (const { name, type: valueType, get, set, check, initial } of properties) {
    const what = `${className}.${name}`;
    const read = reader(m, valueType, get), write = set && writer(m, valueType, set);
    Object.defineProperty(type.prototype, name, {
      configurable: true,
      enumerable: true,
      get() {
        const pointer = pointerOf(this, what);
        if (pointer !== 0) return read(pointer);
        const value = this._data[name] ?? initial;
        if (value === undefined) throw new ForkmunkError(`${what}: the object is in no space; add it to one first`);
        return copyOf(value);
      },
      set: set && function (value) {
        const good = checks[check](value, what);
        const pointer = pointerOf(this, what);
        beforeChange(this, what, pointer);
        if (pointer !== 0) write(pointer, good);
        else {
          delete this._data[name]; // it becomes the last, as Space.add() sets them in order
          this._data[name] = copyOf(good);
        }
      },
    });
  }
}

export function defineMethods(m, type, className, methods, pointerOf, beforeChange) {
  for (const { name, parameters, returns, call } of methods) {
    const what = `${className}.${name}()`, names = Object.keys(parameters);
    const run = m.wasm[`_${call}`];
    type.prototype[name] = function (one, other) {
      if (names.length > 0) checks.vector(one, `${what}: ${names[0]}`);
      if (names.length > 1) checks.vector(other, `${what}: ${names[1]}`);
      const pointer = pointerOf(this, what);
      if (pointer === 0) throw new ForkmunkError(`${what}: the object is in no space; add it to one first`);
      if (returns === "Vector") return m.vectorOf(run, pointer, m.first(one));
      beforeChange(this, what, pointer);
      const result = names.length === 0 ? run(pointer) : run(pointer, m.first(one), m.second(other));
      return returns === "boolean" ? result !== 0 : undefined;
    };
  }
}
