// SPDX-License-Identifier: MIT
// User data in the space's memory: a number as 8 bytes, a Uint8Array as its bytes, anything else as JSON.

import { refuse } from "./checks.mjs";
import { bytesOf, textOf } from "./module.mjs";
import { $world } from "./private.mjs";

const NUMBER = 0, JSON_TEXT = 1, BYTES = 3; // values of the first byte
// The first byte of a body's gravityScale and damping, which precede its user data (wasm/objects.cpp).
const MOTION = 2;
const MOTION_BYTES = 17, BODY = 1; // Kind.body
const COMMON = { gravityScale: 1, damping: 1 };

/** Returns a frozen copy of a value that JSON holds exactly, with `number` of each number. Refuses others by path. */
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
/** ASCII, with -0, for which JSON.stringify() writes 0. */
export function jsonOf(value) {
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return JSON.stringify(value).replace(/[^\0-\x7f]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
  if (Array.isArray(value)) return `[${value.map(jsonOf)}]`;
  return `{${Object.entries(value).map(([name, each]) => `${jsonOf(name)}:${jsonOf(each)}`)}}`;
}

export function copyOfUserData(value) {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  return value === undefined || typeof value === "number" ? value : plainCopy(value, "userData");
}

function blockAt({ wasm, scratch }, pointer, kind) {
  const size = wasm._fm_user_data(pointer, kind, scratch);
  return new DataView(wasm.HEAPU8.buffer, wasm.HEAPU32[scratch >> 2], size);
}
const hasMotion = (block, kind) => kind === BODY && block.byteLength > 0 && block.getUint8(0) === MOTION;

export function readUserData(m, pointer, kind) {
  const { wasm } = m, block = blockAt(m, pointer, kind), start = hasMotion(block, kind) ? MOTION_BYTES : 0;
  if (block.byteLength === start) return undefined;
  if (block.getUint8(start) === NUMBER) return block.getFloat64(start + 1, true);
  const rest = wasm.HEAPU8.subarray(block.byteOffset + start + 1, block.byteOffset + block.byteLength);
  if (block.getUint8(start) === BYTES) return rest.slice();
  return JSON.parse(textOf(rest), (_, value) => Object.freeze(value));
}
export function readMotion(m, pointer) {
  const block = blockAt(m, pointer, BODY);
  return hasMotion(block, BODY) ? { gravityScale: block.getFloat64(1, true), damping: block.getFloat64(9, true) } : COMMON;
}

function encoded(value, { gravityScale, damping }) {
  const start = gravityScale === 1 && damping === 1 ? 0 : MOTION_BYTES;
  const isBytes = value instanceof Uint8Array;
  const text = value === undefined || typeof value === "number" || isBytes ? "" : jsonOf(value);
  const size = value === undefined ? 0 : 1 + (isBytes ? value.length : text.length || 8);
  const bytes = new Uint8Array(start + size), view = new DataView(bytes.buffer);
  if (start > 0) {
    bytes[0] = MOTION;
    view.setFloat64(1, gravityScale, true);
    view.setFloat64(9, damping, true);
  }
  if (typeof value === "number") view.setFloat64(start + 1, value, true);
  else if (isBytes) bytes[start] = BYTES, bytes.set(value, start + 1);
  else if (value !== undefined) bytes[start] = JSON_TEXT, bytes.set(bytesOf(text), start + 1);
  return bytes;
}

/** @param value  of copyOfUserData() */
export function writeUserData(m, what, space, pointer, kind, value, motion = kind === BODY ? readMotion(m, pointer) : COMMON) {
  m.withBytes(encoded(value, motion), (block, size) => {
    m.check(what, m.run(space, what, () => m.wasm._fm_set_user_data(space[$world], pointer, kind, block, size)));
  });
}
