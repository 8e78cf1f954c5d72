// Which objects a state of a space has. Snapshots share the registry of their state; adding and removing change a copy.

import { Kind } from "./objects.mjs";

export class Registry {
  /** @param pointers handle to address, in order of addition; the space's own static body is among them */
  constructor(pointers = new Map()) {
    this.pointers = pointers;
    this.isShared = false;
    this._lists = null;
    this._handles = null;
  }
  /** The handle of an address. */
  at(pointer) {
    this._handles ??= new Map([...this.pointers].map(([handle, address]) => [address, handle]));
    return this._handles.get(pointer);
  }
  /** Where all are, from the space on, in order of addition. */
  offsets(root) {
    return [...this.pointers.values()].map((pointer) => pointer - root);
  }
  /** All handles of a kind, in order of addition. */
  list(kind) {
    this._lists ??= [Kind.body, Kind.shape, Kind.constraint].map((each) =>
      Object.freeze([...this.pointers.keys()].filter((handle) => handle._kind === each && !handle._isStaticBody)));
    return this._lists[kind - Kind.body];
  }
}
