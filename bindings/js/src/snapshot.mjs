// SPDX-License-Identifier: MIT
// States of a space, in WebAssembly memory.

import { ForkmunkError, refuse } from "./checks.mjs";
import { $checked, $lineage, $order, $registry, $world } from "./private.mjs";

export function defineSnapshot(m) {
  const { wasm } = m;
  const hold = (snapshot, pointer) => {
    if (pointer === 0) m.failC("new Snapshot()");
    snapshot[$world] = pointer;
    snapshot[$registry] = snapshot[$lineage] = null; // of the state; null: it came as bytes
    snapshot[$order] = []; // offsets of its objects in order of addition, where it came as bytes
    m.snapshots.add(snapshot, pointer);
    return snapshot;
  };

  class Snapshot {
    constructor(...given) {
      if (given.length > 0) refuse("new Snapshot()", given[0], "nothing; Space.save() fills it, and Snapshot.fromBytes() reads one");
      hold(this, wasm._forkmunk_snapshot_new());
    }

    /** What toBytes() returned. */
    static fromBytes(bytes) {
      if (!ArrayBuffer.isView(bytes) || bytes.BYTES_PER_ELEMENT !== 1) refuse("Snapshot.fromBytes()", bytes, "a Uint8Array");
      const block = m.allocate(Math.max(bytes.length, 1));
      try {
        const { size, offsets } = readOrder(bytes);
        wasm.HEAPU8.set(bytes, block);
        const pointer = m.read(null, "Snapshot.fromBytes()", () => wasm._forkmunk_snapshot_read(block, size));
        if (pointer === 0) m.failC("Snapshot.fromBytes()");
        const snapshot = hold(Object.create(Snapshot.prototype), pointer);
        snapshot[$order] = offsets;
        return snapshot;
      } finally {
        wasm._fm_release(block);
      }
    }

    /** Its state for another machine that runs this package, as a Uint8Array. */
    toBytes() {
      const pointer = this[$checked]("Snapshot.toBytes()");
      let room = 2 * this.sizeBytes + 65536;
      for (;;) {
        const block = m.allocate(room);
        try {
          const size = m.read(null, "Snapshot.toBytes()", () => wasm._forkmunk_snapshot_write(pointer, block, room));
          if (size === 0) m.failC("Snapshot.toBytes()");
          if (size <= room) return withOrder(wasm.HEAPU8.subarray(block, block + size), orderOf(this));
          room = size;
        } finally {
          wasm._fm_release(block);
        }
      }
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

/** Offsets of a snapshot's objects, in order of addition. */
export const orderOf = (snapshot) => snapshot[$registry]?.all().map(({ offset }) => offset) ?? snapshot[$order];

// After the state, in words: the offsets of its objects in order of addition, their number, and a checksum of these.
const WORD = 4;

function checksum(words) {
  return words.reduce((hash, word) => Math.imul(hash ^ word, 0x01000193) >>> 0, 0x811c9dc5);
}

function withOrder(state, offsets) {
  const words = [...offsets, offsets.length];
  words.push(checksum(words));
  const bytes = new Uint8Array(state.length + WORD * words.length), view = new DataView(bytes.buffer);
  bytes.set(state);
  words.forEach((word, i) => view.setInt32(state.length + WORD * i, word, true));
  return bytes;
}

/** The size of the state alone, and the offsets. */
function readOrder({ buffer, byteOffset, length }) {
  const view = new DataView(buffer, byteOffset, length);
  const count = length < 2 * WORD ? -1 : view.getUint32(length - 2 * WORD, true);
  const size = length - WORD * (count + 2);
  if (count < 0 || size < 0) throw new ForkmunkError("Snapshot.fromBytes(): not a state of this package: too short, or cut off");
  const words = Array.from({ length: count + 1 }, (_, i) => view.getInt32(size + WORD * i, true));
  if (checksum(words) !== view.getUint32(length - WORD, true)) throw new ForkmunkError("Snapshot.fromBytes(): a damaged state: the checksum of its objects' order is another");
  return { size, offsets: words.slice(0, -1) };
}
