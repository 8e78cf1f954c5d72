// SPDX-License-Identifier: MIT
// The entry "forkmunk": the WebAssembly module is in the script, so every bundler, test runner and page finds it.

import { loader } from "./load.mjs";
import { base64 } from "./wasm_base64.mjs";

/** A loop takes a tenth of the time of Uint8Array.from(). */
function decoded(encoded) {
  const text = atob(encoded), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export const load = loader(async (_recorder, precision) => decoded(precision === "single" ? (await import("./single_base64.mjs")).base64 : base64));
export { ForkmunkError } from "./checks.mjs";
export { debugDraw } from "./debug_draw.mjs";
export { DesyncError, RollbackSession, SyncTest } from "./rollback.mjs";
