// SPDX-License-Identifier: MIT
// The entry "forkmunk": the WebAssembly module is in the script, so every bundler, test runner and page finds it.

import { loader } from "./load.mjs";
import { bytesOf } from "./module.mjs";
import { base64 } from "./wasm_base64.mjs";

export const load = loader(async (_recorder, precision) => bytesOf(atob(precision === "single" ? (await import("./single_base64.mjs")).base64 : base64)));
export { ForkmunkError } from "./checks.mjs";
export { debugDraw } from "./debug_draw.mjs";
export { DesyncError, RollbackSession, SyncTest } from "./rollback.mjs";
