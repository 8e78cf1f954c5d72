// SPDX-License-Identifier: MIT
// States of a space, in WebAssembly memory.

import { ForkmunkError, refuse } from "./checks.mjs";
import { $checked, $lineage, $registry, $world } from "./private.mjs";

export function defineSnapshot(m) {
  const { wasm } = m;
  const hold = (snapshot, pointer) => {
    if (pointer === 0) m.fail("new Snapshot()");
    snapshot[$world] = pointer;
    snapshot[$registry] = snapshot[$lineage] = null; // null if the state came as bytes
    m.snapshots.add(snapshot, pointer);
    return snapshot;
  };

  class Snapshot {
    constructor(...given) {
      if (given.length > 0) refuse("new Snapshot()", given[0], "nothing; Space.save() fills it, and Snapshot.fromBytes() reads one");
      hold(this, wasm._forkmunk_snapshot_new());
    }

    /** Reads the bytes that toBytes() returned, here or in another language. The bytes may come from anyone. */
    static fromBytes(bytes) {
      return hold(Object.create(Snapshot.prototype), m.objectOfBytes("Snapshot.fromBytes()", bytes, wasm._forkmunk_snapshot_read));
    }

    /** Its state as a Uint8Array, which every language, machine and later version of forkmunk reads. */
    toBytes() {
      const pointer = this[$checked]("Snapshot.toBytes()");
      const attempt = (room) => m.withBlock(room, (block) => {
        const size = m.read(null, "Snapshot.toBytes()", () => wasm._forkmunk_snapshot_write(pointer, block, room));
        return size === 0 ? m.fail("Snapshot.toBytes()") : size <= room ? wasm.HEAPU8.slice(block, block + size) : size;
      });
      const first = attempt(2 * this.sizeBytes + 65536);
      return typeof first === "number" ? attempt(first) : first;
    }

    get sizeBytes() {
      return wasm._forkmunk_snapshot_size_bytes(this[$checked]("Snapshot.sizeBytes"));
    }

    /** Gives the memory back now, and not some time after the last reference is gone. */
    free() {
      if (this[$world] === 0) return;
      m.snapshots.delete(this);
      wasm._forkmunk_snapshot_free(this[$world]);
      this[$world] = 0;
      this[$registry] = this[$lineage] = null;
    }

    [$checked](what) {
      if (this[$world] === 0) throw new ForkmunkError(`${what}: the snapshot was freed`);
      return this[$world];
    }
  }
  if (Symbol.dispose) Snapshot.prototype[Symbol.dispose] = Snapshot.prototype.free;
  return Snapshot;
}
