// SPDX-License-Identifier: MIT
// A registry has the objects of a state, in a trie by offset. A space shares it with snapshots and forks. A shared
// registry never changes: adding and removing make a new one, which shares most nodes.

const BITS = 4, WIDTH = 1 << BITS, TOP = 28; // keys have 32 bits

/** The identity of an object in all states and forks, which have handles of their own. */
export const newEntry = (kind, base, prototype) => ({ kind, base, prototype, offsets: [] });

/** Returns the trie with a value, or without for undefined. Changes nodes of `owner`, and copies others. */
function changed(node, shift, key, value, owner) {
  const own = node?.[WIDTH] === owner ? node : node?.slice() ?? new Array(WIDTH + 1).fill(undefined);
  own[WIDTH] = owner;
  const i = (key >>> shift) & (WIDTH - 1);
  own[i] = shift === 0 ? value : changed(own[i], shift - BITS, key, value, owner);
  return own;
}
/** A generator would take three times as long. */
function collect(node, shift, values) {
  for (let i = 0; node !== undefined && i < WIDTH; ++i) {
    if (node[i] === undefined) continue;
    if (shift === 0) values.push(node[i]);
    else collect(node[i], shift - BITS, values);
  }
  return values;
}

/** Offsets are bytes from the space's own structure on. */
export class Registry {
  isShared = false;
  listed = []; // entries by kind, in order of addition
  #nodes;
  constructor(nodes = undefined) {
    this.#nodes = nodes;
  }
  at(offset) {
    let node = this.#nodes;
    const key = offset >>> 3;
    for (let shift = TOP; shift >= 0 && node !== undefined; shift -= BITS) node = node[(key >>> shift) & (WIDTH - 1)];
    return node;
  }
  offsetOf(entry) {
    return entry?.offsets.find((offset) => this.at(offset) === entry);
  }
  /** Returns this registry, or the one that takes its place. */
  with(offset, entry) {
    if (!entry.offsets.includes(offset)) entry.offsets.unshift(offset);
    return this.#changed(offset, entry);
  }
  without(offset) {
    return this.#changed(offset, undefined);
  }
  /** Returns all objects, also the static body. */
  entries() {
    return collect(this.#nodes, TOP, []);
  }
  #changed(offset, value) {
    const next = this.isShared ? new Registry(this.#nodes) : this;
    next.#nodes = changed(this.#nodes, TOP, offset >>> 3, value, next);
    next.listed = [];
    return next;
  }
}
