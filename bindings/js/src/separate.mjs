// SPDX-License-Identifier: MIT
// The entry "forkmunk/separate", which reads the module from its folder. forkmunk_single.wasm has the recorder.

import { loader } from "./load.mjs";

export const load = loader((recorder, precision) => {
  if (precision === "single") return new URL("./forkmunk_single.wasm", import.meta.url);
  return recorder ? new URL("./forkmunk_recorder.wasm", import.meta.url) : new URL("./forkmunk.wasm", import.meta.url);
});
export { ForkmunkError } from "./checks.mjs";
export { debugDraw } from "./debug_draw.mjs";
export { DesyncError, RollbackSession, SyncTest } from "./rollback.mjs";
