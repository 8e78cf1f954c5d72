import { compile, instantiate } from "./load.mjs";

let compiled;

export async function load({ wasm } = {}) {
  if (wasm !== undefined) return instantiate(await compile(wasm));
  compiled ??= compile(new URL("./forkmunk.wasm", import.meta.url)).catch((error) => {
    compiled = undefined; // the next call tries again
    throw error;
  });
  return instantiate(await compiled);
}
export { ForkmunkError } from "./checks.mjs";
export { DesyncError, RollbackSession, SyncTest } from "./rollback.mjs";
