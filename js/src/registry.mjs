// SPDX-License-Identifier: MIT
// Which objects a state of a space has, and where. A registry never changes: adding and removing make another one, which
// shares most of its nodes. So states keep their registries at no cost, and a fork has its origin's.

const BITS = 4, WIDTH = 1 << BITS, TOP = 28; // keys have 32 bits

/** What an object is in all registries, and in the forks of its space, where other handles stand for it. */
export class Entry {
  constructor(kind, base, prototype) {
    Object.assign(this, { kind, base, prototype, offsets: [] });
  }
}

/** A trie with the value at `key`; undefined removes it. */
function changed(node, shift, key, value) {
  const copy = node === undefined ? new Array(WIDTH).fill(undefined) : node.slice();
  const i = (key >>> shift) & (WIDTH - 1);
  copy[i] = shift === 0 ? value : changed(copy[i], shift - BITS, key, value);
  return value === undefined && copy.every((each) => each === undefined) ? undefined : copy;
}
function* values(node, shift) {
  for (const each of node ?? []) {
    if (each === undefined) continue;
    if (shift === 0) yield each;
    else yield* values(each, shift - BITS);
  }
}

/** Offsets are bytes from the space's own structure on. */
export class Registry {
  #nodes;
  #nextOrder;
  constructor(nodes = undefined, nextOrder = 0) {
    this.#nodes = nodes;
    this.#nextOrder = nextOrder;
  }
  #find(offset) {
    let node = this.#nodes;
    const key = offset >>> 3;
    for (let shift = TOP; shift >= 0 && node !== undefined; shift -= BITS) node = node[(key >>> shift) & (WIDTH - 1)];
    return node;
  }
  at(offset) {
    return this.#find(offset)?.entry;
  }
  /** Where an entry is; undefined: not in this state. */
  offsetOf(entry) {
    return entry?.offsets.find((offset) => this.#find(offset)?.entry === entry);
  }
  with(offset, entry) {
    if (!entry.offsets.includes(offset)) entry.offsets.unshift(offset);
    return new Registry(changed(this.#nodes, TOP, offset >>> 3, { offset, entry, order: this.#nextOrder }), this.#nextOrder + 1);
  }
  without(offset) {
    return new Registry(changed(this.#nodes, TOP, offset >>> 3, undefined), this.#nextOrder);
  }
  /** All {offset, entry} in order of addition; the first is the space's static body. */
  all() {
    return [...values(this.#nodes, TOP)].sort((a, b) => a.order - b.order);
  }
}
