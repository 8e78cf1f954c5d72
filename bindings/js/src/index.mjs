// SPDX-License-Identifier: MIT
// The entry "forkmunk": the WebAssembly module is in the script, so every bundler, test runner and page finds it.

import { loader } from "./load.mjs";
import { bytesOf } from "./module.mjs";
import { base64 } from "./wasm_base64.mjs";

// A literal import() would be a second chunk, which Rollup and Vite refuse where they write a single file.
const single = () =>
  import.meta.url === undefined ? "./single_base64.mjs" : new URL("./single_base64.mjs", import.meta.url); // index.cjs has none
const imported = (file) => import(/* webpackIgnore: true */ /* @vite-ignore */ file);
export const load = loader(async (_recorder, precision) => bytesOf(atob(precision === "single" ? (await imported(single())).base64 : base64)));
export { ForkmunkError } from "./checks.mjs";
export { debugDraw } from "./debug_draw.mjs";
export { DesyncError, RollbackSession, SyncTest } from "./rollback.mjs";
