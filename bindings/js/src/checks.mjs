// SPDX-License-Identifier: MIT
// Checks of arguments, because Chipmunk aborts on wrong ones. Each returns the value, or throws.

/** The error for wrong arguments, objects that are gone, and full memory. */
export class ForkmunkError extends Error {
  get name() {
    return "ForkmunkError";
  }
}

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

const isObject = (value) => typeof value === "object" && value !== null;
/** Returns the values of `known`, replaced by those that `given` has. Refuses names that are not known. */
export function optionsOf(given, what, known) {
  const names = Object.keys(known), values = {};
  if (!isObject(given)) refuse(what, given, "an object");
  for (const name of Object.keys(given)) if (!names.includes(name)) refuse(what, name, `names among ${names.join(", ")}`);
  for (const name of names) ({ [name]: values[name] = known[name] } = given); // read once: a getter may return another value later
  return values;
}

const numeric = (isGood, expected) => (value, what) =>
  typeof value === "number" && isGood(value) ? value : refuse(what, value, expected);
const object = (expected) => (value, what) => (isObject(value) ? value : refuse(what, value, expected));
const isVector = object("a vector {x, y}");
/** The filter of shapes that collide with all others. */
export const FILTER = { group: 0, categories: 0xffffffff, mask: 0xffffffff };

function checksUpTo(numberMax) {
  const isUsable = (x) => Math.abs(x) <= numberMax;
  const checks = {
    number: numeric(isUsable, `a finite number, at most ${numberMax} in size`),
    notNegative: numeric((x) => x >= 0 && isUsable(x), `a number of at least 0 and at most ${numberMax}`),
    notNegativeOrInfinite: numeric((x) => x === Infinity || (x >= 0 && isUsable(x)), `a number of at least 0 and at most ${numberMax}, or Infinity`),
    positive: numeric((x) => x > 0 && isUsable(x), `a number above 0 and at most ${numberMax}`),
    positiveOrInfinite: numeric((x) => x === Infinity || (x > 0 && isUsable(x)), `a number above 0 and at most ${numberMax}, or Infinity`),
    notZero: numeric((x) => isUsable(x) && x !== 0, `a number other than 0, at most ${numberMax} in size`),
    iterations: numeric((x) => Number.isInteger(x) && x >= 1 && x <= 10_000, "a whole number of 1 to 10000"),
    steps: numeric((x) => Number.isInteger(x) && x >= 1 && x <= 1_000_000, "a whole number of 1 to 1000000"),
    word: numeric((x) => Number.isInteger(x) && x >= 0 && x <= 0xffffffff, "a whole number of 0 to 4294967295"),
    // A small number cannot be an address, which a fork would change.
    small: numeric((x) => Number.isInteger(x) && x >= 0 && x <= 0xffff, "a whole number of 0 to 65535"),
    boolean: (value, what) => (typeof value === "boolean" ? value : refuse(what, value, "true or false")),
    run: (value, what) => (typeof value === "function" ? value : refuse(what, value, "a function")),
    options: object("an object"),
    text: (value, what) => (typeof value === "string" ? value : refuse(what, value, "a string")),
    /** Returns a frozen copy, so that `body.position.x += 1` throws in strict code. */
    vector(value, what) {
      const { x, y } = isVector(value, what);
      return Object.freeze({ x: checks.number(x, `${what}.x`), y: checks.number(y, `${what}.y`) });
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
