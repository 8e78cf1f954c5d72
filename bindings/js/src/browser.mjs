import { compile, instantiate, once } from "./load.mjs";

const compiled = once(() => compile(new URL("./forkmunk.wasm", import.meta.url)));

export async function load({ wasm } = {}) {
  return instantiate(await (wasm === undefined ? compiled() : compile(wasm)));
}
export { ForkmunkError } from "./checks.mjs";
export { DesyncError, RollbackSession, SyncTest } from "./rollback.mjs";
