// SPDX-License-Identifier: MIT
// Checks of arguments, because Chipmunk aborts on wrong ones. Each returns the value, or throws.

/** Names functions and classes by their keys, because minification takes their names. */
export function named(types) {
  for (const [name, type] of Object.entries(types)) {
    if (typeof type === "function") Object.defineProperty(type, "name", { value: name });
  }
  return types;
}

export class ForkmunkError extends Error {
  get name() {
    return this.constructor.name;
  }
}
named({ ForkmunkError });

export function described(value) {
  if (value === undefined || value === null) return String(value);
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 37)}...` : value);
  if (typeof value === "object") return value.constructor?.name ?? "an object";
  return typeof value === "function" ? "a function" : `${typeof value} ${String(value)}`;
}

export function refuse(what, value, expected) {
  const kind = typeof value === "number" || typeof value === "bigint" ? ForkmunkError : TypeError;
  throw new kind(`${what}: found ${described(value)}, expected ${expected}`);
}

export const isArrayBuffer = (value) => Object.prototype.toString.call(value) === "[object ArrayBuffer]"; // of any realm
export const isBytes = (value) => ArrayBuffer.isView(value) && value.BYTES_PER_ELEMENT === 1;
const isObject = (value) => typeof value === "object" && value !== null;
/** Returns the values of `known`, replaced by those of `given`, which has no other names. */
export function optionsOf(given, what, known) {
  const names = Object.keys(known), values = {};
  if (!isObject(given)) refuse(what, given, "an object");
  for (const name of Object.keys(given)) if (!names.includes(name)) refuse(what, name, `names among ${names.join(", ")}`);
  for (const name of names) ({ [name]: values[name] = known[name] } = given); // read once: a getter may return another value later
  return values;
}

const numeric = (isGood, expected) => (value, what) =>
  typeof value === "number" && isGood(value) ? value : refuse(what, value, expected);
const whole = (least, most) => numeric((x) => Number.isInteger(x) && x >= least && x <= most, `a whole number of ${least} to ${most}`);
const object = (expected) => (value, what) => (isObject(value) ? value : refuse(what, value, expected));
const isVector = object("a vector {x, y}"), isBox = object("a box {left, bottom, right, top}");
const ALL = 0xffffffff;
export const FILTER = { group: 0, categories: ALL, mask: ALL };

function checksUpTo(numberMax) {
  const isUsable = (x) => Math.abs(x) <= numberMax;
  const checks = {
    number: numeric(isUsable, `a finite number, at most ${numberMax} in size`),
    notNegative: numeric((x) => x >= 0 && isUsable(x), `a number of at least 0 and at most ${numberMax}`),
    notNegativeOrInfinite: numeric((x) => x === Infinity || (x >= 0 && isUsable(x)), `a number of at least 0 and at most ${numberMax}, or Infinity`),
    positive: numeric((x) => x > 0 && isUsable(x), `a number above 0 and at most ${numberMax}`),
    positiveOrInfinite: numeric((x) => x === Infinity || (x > 0 && isUsable(x)), `a number above 0 and at most ${numberMax}, or Infinity`),
    notZero: numeric((x) => isUsable(x) && x !== 0, `a number other than 0, at most ${numberMax} in size`),
    iterations: whole(1, 10_000),
    steps: whole(1, 1_000_000),
    word: whole(0, ALL),
    positiveWord: whole(1, ALL),
    integer: whole(-(2 ** 31), 2 ** 31 - 1),
    distance: whole(1, 64),
    // A small number cannot be an address, which a fork would change.
    small: whole(0, 0xffff),
    boolean: (value, what) => (typeof value === "boolean" ? value : refuse(what, value, "true or false")),
    run: (value, what) => (typeof value === "function" ? value : refuse(what, value, "a function")),
    options: object("an object"),
    numbers(value, what) {
      if (!isObject(value) || typeof value.length !== "number") refuse(what, value, "an array of numbers");
      const wrong = Array.prototype.findIndex.call(value, (each) => typeof each !== "number");
      return wrong < 0 ? Float64Array.from(value) : refuse(`${what}[${wrong}]`, value[wrong], "a number");
    },
    text: (value, what) => (typeof value === "string" && !value.includes("\0") ? value : refuse(what, value, "a string without the character 0")),
    /** Returns a frozen copy, so that `body.position.x += 1` throws. */
    vector(value, what) {
      const { x, y } = isVector(value, what);
      return Object.freeze({ x: checks.number(x, `${what}.x`), y: checks.number(y, `${what}.y`) });
    },
    box(value, what) {
      const sides = ["left", "bottom", "right", "top"].map((side) => checks.number(isBox(value, what)[side], `${what}.${side}`));
      const [left, bottom, right, top] = sides;
      return left <= right && bottom <= top ? sides : refuse(what, value, "left <= right and bottom <= top, also where y points down");
    },
    filter(value, what) {
      const { group, categories, mask } = optionsOf(value, what, FILTER);
      return Object.freeze({ group: checks.small(group, `${what}.group`), categories: checks.word(categories, `${what}.categories`), mask: checks.word(mask, `${what}.mask`) });
    },
  };
  return checks;
}

// Chipmunk multiplies three numbers without a check.
export const checks = checksUpTo(1e100), checksOfFloats = checksUpTo(1e12);
