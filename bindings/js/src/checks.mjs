// Checks of arguments: Chipmunk aborts on wrong ones. Each returns the value, or throws.

/** What this package throws for wrong arguments, objects that are gone, and full memory. */
export class ForkmunkError extends Error {
  get name() {
    return "ForkmunkError";
  }
}

/** A value in an error's words. */
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

const numeric = (isGood, expected) => (value, what) =>
  typeof value === "number" && isGood(value) ? value : refuse(what, value, expected);

export const checks = {
  number: numeric(Number.isFinite, "a finite number"),
  notNegative: numeric((x) => x >= 0 && x < Infinity, "a number of at least 0"),
  notNegativeOrInfinite: numeric((x) => x >= 0, "a number of at least 0, or Infinity"),
  positive: numeric((x) => x > 0 && x < Infinity, "a number above 0"),
  positiveOrInfinite: numeric((x) => x > 0, "a number above 0, or Infinity"),
  notZero: numeric((x) => Number.isFinite(x) && x !== 0, "a number other than 0"),
  count: numeric((x) => Number.isInteger(x) && x >= 1 && x <= 0x7fffffff, "a whole number of at least 1"),
  word: numeric((x) => Number.isInteger(x) && x >= 0 && x <= 0xffffffff, "a whole number of 0 to 4294967295"),
  // A number that can be no address: a fork would change it.
  small: numeric((x) => Number.isInteger(x) && x >= 0 && x <= 0xffff, "a whole number of 0 to 65535"),
  boolean: (value, what) => (typeof value === "boolean" ? value : refuse(what, value, "true or false")),
  /** An object with options. */
  options: (value, what) => (typeof value === "object" && value !== null ? value : refuse(what, value, "an object")),
  vector(value, what) {
    if (typeof value !== "object" || value === null) refuse(what, value, "a vector {x, y}");
    if (!Number.isFinite(value.x) || !Number.isFinite(value.y)) refuse(`${what}.${Number.isFinite(value.x) ? "y" : "x"}`, Number.isFinite(value.x) ? value.y : value.x, "a finite number");
    return value;
  },
  filter(value, what) {
    if (typeof value !== "object" || value === null) refuse(what, value, "a filter {group, categories, mask}");
    const { group = 0, categories = 0xffffffff, mask = 0xffffffff } = value;
    return { group: checks.small(group, `${what}.group`), categories: checks.word(categories, `${what}.categories`), mask: checks.word(mask, `${what}.mask`) };
  },
};
