// User data in the space's memory: a number as its 8 bytes, anything else as JSON. So it travels with snapshots, forks
// and bytes, and counts in hashes.

import { refuse } from "./checks.mjs";

const NUMBER = 0, JSON_TEXT = 1; // the block's first byte
const encoder = new TextEncoder(), decoder = new TextDecoder();

export function readUserData({ wasm }, pointer, kind) {
  const block = wasm._fm_user_data(pointer, kind);
  if (block === 0) return undefined;
  const bytes = wasm.HEAPU8.subarray(block, block + wasm._fm_user_data_bytes(block));
  if (bytes[0] === NUMBER) return new DataView(bytes.buffer, block + 1, 8).getFloat64(0, true);
  return JSON.parse(decoder.decode(bytes.slice(1)));
}

function textOf(value) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch {
    // A BigInt, or an object inside of itself.
  }
  return text ?? refuse("userData", value, "a number or what JSON can hold");
}

/** What a space would keep of it. */
export function copyOfUserData(value) {
  return value === undefined || typeof value === "number" ? value : JSON.parse(textOf(value));
}

function encoded(value) {
  if (value === undefined) return new Uint8Array(0);
  if (typeof value === "number") {
    const bytes = new Uint8Array(9);
    new DataView(bytes.buffer).setFloat64(1, value, true);
    return bytes;
  }
  const json = encoder.encode(textOf(value));
  const bytes = new Uint8Array(1 + json.length);
  bytes[0] = JSON_TEXT;
  bytes.set(json, 1);
  return bytes;
}

export function writeUserData(m, space, pointer, kind, value) {
  const bytes = encoded(value);
  const block = m.allocate(Math.max(bytes.length, 1));
  try {
    m.wasm.HEAPU8.set(bytes, block);
    if (m.wasm._fm_set_user_data(space._world, pointer, kind, block, bytes.length) !== 0) m.fail("userData");
  } finally {
    m.wasm._fm_release(block);
  }
}
