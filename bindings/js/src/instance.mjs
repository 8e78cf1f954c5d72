// SPDX-License-Identifier: MIT
// An instance of the WebAssembly module: its functions by `_name`, and views of its memory.

import { ForkmunkError } from "./checks.mjs";

/** Decodes ASCII without TextDecoder, which some test environments lack. */
export function textOf(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
export function putText(text, bytes, at) {
  for (let i = 0; i < text.length; ++i) bytes[at + i] = text.charCodeAt(i);
}

export async function instanceOf(compiled) {
  let exported, line = "";
  const wasm = { textAt: (pointer) => textOf(wasm.HEAPU8.subarray(pointer, wasm.HEAPU8.indexOf(0, pointer))) };
  const view = () => {
    const { buffer } = exported.memory;
    Object.assign(wasm, { HEAPU8: new Uint8Array(buffer), HEAP32: new Int32Array(buffer), HEAPU32: new Uint32Array(buffer), HEAPF64: new Float64Array(buffer) });
    wasm.NUMBERS = wasm.isSingle ? new Float32Array(buffer) : wasm.HEAPF64;
  };
  const imports = {
    env: {
      fm_call: (handler, event, arbiter) => wasm.onCollision(handler, event, arbiter),
      fm_session_call: (...given) => wasm.onSession(...given),
      forkmunk_number_text: (number, text) => putText(`${Object.is(number, -0) ? "-0" : number}\0`, wasm.HEAPU8, text),
      emscripten_notify_memory_growth: view,
      /** Prints the reason of an abort. */
      fm_put(character) {
        if (character !== 10) line += String.fromCharCode(character);
        else console.error(line), (line = "");
      },
    },
    wasi_snapshot_preview1: {
      proc_exit() {
        throw new ForkmunkError("the module has failed, and cannot be used any more");
      },
    },
  };
  try {
    ({ exports: exported } = await WebAssembly.instantiate(compiled, imports));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ForkmunkError("load(): there are no addresses for another instance; call load() once, and share what it returns", { cause: error });
  }
  // The module of single precision has names of its own for the same functions. NUMBERS are Chipmunk's, 1 << numberShift bytes each.
  wasm.isSingle = "forkmunk_single_space_new" in exported;
  wasm.numberShift = wasm.isSingle ? 2 : 3;
  const plainName = (name) => name.replace(/^forkmunk_single_(cp)?/, (_, chipmunk) => chipmunk ?? "forkmunk_");
  // The exports become a prototype, because engines then find the many properties faster.
  Object.setPrototypeOf(wasm, Object.fromEntries(Object.entries(exported).map(([name, run]) => [`_${plainName(name)}`, run])));
  view();
  exported._initialize();
  return wasm;
}
