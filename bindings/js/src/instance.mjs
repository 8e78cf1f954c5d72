// An instance of the WebAssembly module: its functions by `_name`, and views of its memory.

import { ForkmunkError } from "./checks.mjs";

export async function instanceOf(compiled) {
  let exported;
  const wasm = {
    UTF8ToString(text) {
      return decoder.decode(this.HEAPU8.subarray(text, this.HEAPU8.indexOf(0, text)));
    },
  };
  const view = () => {
    const { buffer } = exported.memory;
    Object.assign(wasm, { HEAPU8: new Uint8Array(buffer), HEAP32: new Int32Array(buffer), HEAPU32: new Uint32Array(buffer), HEAPF64: new Float64Array(buffer) });
  };
  ({ exports: exported } = await WebAssembly.instantiate(compiled, {
    env: {
      fm_call: (handler, event, arbiter) => wasm.onCollision(handler, event, arbiter),
      forkmunk_number_text(number, text) {
        const digits = encoder.encode(Object.is(number, -0) ? "-0" : String(number));
        wasm.HEAPU8.set(digits, text);
        wasm.HEAPU8[text + digits.length] = 0;
      },
      emscripten_notify_memory_growth: view,
    },
    wasi_snapshot_preview1: {
      proc_exit() {
        throw new ForkmunkError("the module has failed, and cannot be used any more");
      },
    },
  }));
  // As a prototype: engines find its many properties faster.
  Object.setPrototypeOf(wasm, Object.fromEntries(Object.entries(exported).map(([name, run]) => [`_${name}`, run])));
  view();
  exported._initialize();
  return wasm;
}

const decoder = new TextDecoder(), encoder = new TextEncoder();
