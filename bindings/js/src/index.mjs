// SPDX-License-Identifier: MIT
// The entry "forkmunk": the WebAssembly module is in the script, so every bundler, test runner and page finds it.

import { loader } from "./load.mjs";
import { bytesOf } from "./module.mjs";
import { base64 } from "./wasm_base64.mjs";

// Rollup and Vite refuse a literal import() where they write one file.
const single = () =>
  import.meta.url === undefined ? "./single_base64.mjs" : new URL("./single_base64.mjs", import.meta.url); // index.cjs has none
export const load = loader(async (_recorder, precision) => bytesOf(atob(precision === "single" ? (await import(/* webpackIgnore: true */ /* @vite-ignore */ single())).base64 : base64)));
export { ForkmunkError } from "./checks.mjs";
export { debugDraw } from "./debug_draw.mjs";
export { DesyncError, RollbackSession, SyncTest } from "./rollback.mjs";
