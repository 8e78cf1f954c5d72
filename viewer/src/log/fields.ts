// Reading a log field by field. Whatever is wrong is told as the program tells it: where, what was found, what was
// expected.

import type { Point } from "./game";

/** A file that is no recording, in one line that can be shown. */
export class LogError extends Error {}

/** Larger numbers are in no game, and charts could not scale to them. */
const NUMBER_MAX = 1e7;
const SHOWN_LENGTH_MAX = 40;

/** A short text for an unexpected value. */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value);
  return text.length <= SHOWN_LENGTH_MAX ? text : text.slice(0, SHOWN_LENGTH_MAX) + "…";
}

export function fail(path: string, found: unknown, expected: string): never {
  throw new LogError(`${path}: found ${describe(found)}, expected ${expected}`);
}

export type Fields = Record<string, unknown>;

export function asObject(value: unknown, path: string, expected = "an object"): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) fail(path, value, expected);
  return value as Fields;
}

export function asList(value: unknown, path: string, expected = "a list"): unknown[] {
  if (!Array.isArray(value)) fail(path, value, expected);
  return value;
}

export function asNumber(value: unknown, path: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) fail(path, value, "a number");
  if (Math.abs(value) > NUMBER_MAX) fail(path, value, `a number between -${NUMBER_MAX} and ${NUMBER_MAX}`);
  return value;
}

export function asCount(value: unknown, path: string, max: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > max) {
    fail(path, value, `a whole number from 0 to ${max}`);
  }
  return value;
}

export function asPositive(value: unknown, path: string): number {
  const number = asNumber(value, path);
  if (number <= 0) fail(path, value, "a number above 0");
  return number;
}

/** From [x, y]. */
export function asPoint(value: unknown, path: string): Point {
  if (!Array.isArray(value) || value.length !== 2) fail(path, value, "a point [x, y]");
  return { x: asNumber(value[0], `${path}[0]`), y: asNumber(value[1], `${path}[1]`) };
}
