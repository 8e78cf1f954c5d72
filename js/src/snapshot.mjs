// States of a space, in WebAssembly memory.

import { ForkmunkError, refuse } from "./checks.mjs";

export function defineSnapshot(m) {
  const { wasm } = m;

  class Snapshot {
    constructor(pointer) {
      this._pointer = typeof pointer === "number" ? pointer : wasm._forkmunk_snapshot_new();
      if (this._pointer === 0) m.fail("new Snapshot()");
      this._registry = null; // of the state; null: it came as bytes
      this._space = null;
      m.freeSnapshot.register(this, this._pointer, this);
    }

    /** What toBytes() returned. */
    static fromBytes(bytes) {
      if (!(bytes instanceof Uint8Array)) refuse("Snapshot.fromBytes()", bytes, "a Uint8Array");
      const block = m.allocate(Math.max(bytes.length, 1));
      try {
        wasm.HEAPU8.set(bytes, block);
        const pointer = wasm._forkmunk_snapshot_read(block, bytes.length);
        if (pointer === 0) m.failC("Snapshot.fromBytes()");
        return new Snapshot(pointer);
      } finally {
        wasm._fm_release(block);
      }
    }

    /** Its state for another machine that runs this package, as a Uint8Array. */
    toBytes() {
      const pointer = this._checked("Snapshot.toBytes()");
      let room = 2 * this.sizeBytes + 65536;
      for (;;) {
        const block = m.allocate(room);
        try {
          const size = wasm._forkmunk_snapshot_write(pointer, block, room);
          if (size === 0) m.failC("Snapshot.toBytes()");
          if (size <= room) return wasm.HEAPU8.slice(block, block + size);
          room = size;
        } finally {
          wasm._fm_release(block);
        }
      }
    }

    get sizeBytes() {
      return wasm._forkmunk_snapshot_size_bytes(this._checked("Snapshot.sizeBytes"));
    }

    /** Gives the memory back now, and not some time after the last reference is gone. */
    free() {
      if (this._pointer === 0) return;
      m.freeSnapshot.unregister(this);
      wasm._forkmunk_snapshot_free(this._pointer);
      this._pointer = 0;
      this._registry = this._space = null;
    }

    _checked(what) {
      if (this._pointer === 0) throw new ForkmunkError(`${what}: the snapshot was freed`);
      return this._pointer;
    }
  }
  if (Symbol.dispose) Snapshot.prototype[Symbol.dispose] = Snapshot.prototype.free;
  return Snapshot;
}
