import { compile, instantiate, once } from "./load.mjs";
import { base64 } from "./wasm_base64.mjs";

const compiled = once(() => compile(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))));

export async function load({ wasm } = {}) {
  return instantiate(await (wasm === undefined ? compiled() : compile(wasm)));
}
export { ForkmunkError } from "./checks.mjs";
export { DesyncError, RollbackSession, SyncTest } from "./rollback.mjs";
