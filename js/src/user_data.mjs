// SPDX-License-Identifier: MIT
// User data in the space's memory: a number as its 8 bytes, anything else as JSON. So it travels with snapshots, forks
// and bytes, and counts in hashes.

import { refuse } from "./checks.mjs";
import { putText, textOf } from "./instance.mjs";

const NUMBER = 0, JSON_TEXT = 1; // the block's first byte

/**
 * Returns a deep, frozen copy of what JSON holds exactly, and refuses anything else with its path.
 * `number` maps each number.
 */
export function plainCopy(value, what, number = (x) => x, outer = []) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return number(value);
  if (typeof value !== "object") return refuse(what, value, "a finite number, a string, a boolean, null, or an array or plain object of these");
  if (outer.includes(value)) return refuse(what, value, "an object that is not inside of itself");
  const inner = [...outer, value];
  if (Array.isArray(value)) return Object.freeze(Array.from(value, (each, i) => plainCopy(each, `${what}[${i}]`, number, inner)));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) refuse(what, value, "an array or a plain object");
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plainCopy(each, `${what}.${name}`, number, inner)])));
}
/** JSON in ASCII, with -0, for which JSON.stringify() writes 0. */
function jsonOf(value) {
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return JSON.stringify(value).replace(/[^\0-\x7f]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
  if (Array.isArray(value)) return `[${value.map(jsonOf)}]`;
  return `{${Object.entries(value).map(([name, each]) => `${jsonOf(name)}:${jsonOf(each)}`)}}`;
}

/** What a space would keep of it. */
export const copyOfUserData = (value) => (value === undefined || typeof value === "number" ? value : plainCopy(value, "userData"));

export function readUserData({ wasm }, pointer, kind) {
  const block = wasm._fm_user_data(pointer, kind);
  if (block === 0) return undefined;
  const bytes = wasm.HEAPU8.subarray(block, block + wasm._fm_user_data_bytes(block));
  if (bytes[0] === NUMBER) return new DataView(bytes.buffer, block + 1, 8).getFloat64(0, true);
  return JSON.parse(textOf(bytes.subarray(1)), (_, value) => Object.freeze(value));
}

function encoded(value) {
  if (value === undefined) return new Uint8Array(0);
  const text = typeof value === "number" ? "" : jsonOf(copyOfUserData(value));
  const bytes = new Uint8Array(1 + (text.length || 8));
  if (text === "") new DataView(bytes.buffer).setFloat64(1, value, true);
  else bytes[0] = JSON_TEXT, putText(text, bytes, 1);
  return bytes;
}

export function writeUserData(m, what, world, pointer, kind, value) {
  const bytes = encoded(value);
  const block = m.allocate(Math.max(bytes.length, 1));
  try {
    m.wasm.HEAPU8.set(bytes, block);
    if (m.wasm._fm_set_user_data(world, pointer, kind, block, bytes.length) !== 0) m.fail(what);
  } finally {
    m.wasm._fm_release(block);
  }
}
