import { compile, instantiate } from "./load.mjs";
import { base64 } from "./wasm_base64.mjs";

let compiled;

export async function load({ wasm } = {}) {
  if (wasm !== undefined) return instantiate(await compile(wasm));
  compiled ??= compile(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
  return instantiate(await compiled);
}
export { ForkmunkError } from "./checks.mjs";
export { DesyncError, RollbackSession, SyncTest } from "./rollback.mjs";
