// Makes the classes for an instance of the WebAssembly module.

import { defineCollisions } from "./collisions.mjs";
import { ForkmunkError, refuse } from "./checks.mjs";
import { instanceOf } from "./instance.mjs";
import { Module } from "./module.mjs";
import { defineObjects } from "./objects.mjs";
import { momentFunctions } from "./queries.mjs";
import { defineSnapshot } from "./snapshot.mjs";
import { defineSpace } from "./space.mjs";

/** @param compiled a WebAssembly.Module */
export async function instantiate(compiled) {
  if (!WebAssembly.Module.exports(compiled).some(({ name }) => name === "fm_start")) throw new ForkmunkError("load(): the WebAssembly module is not this package's");
  const m = new Module(await instanceOf(compiled));
  const { wasm } = m;
  const objects = defineObjects(m);
  const Snapshot = defineSnapshot(m);
  const collisions = defineCollisions(m);
  const Space = defineSpace(m, objects, Snapshot, collisions);
  const { Body, Shape, Circle, Segment, Poly, Constraint, joints } = objects;
  return Object.freeze({
    Space, Snapshot, Body, Shape, Circle, Segment, Poly, Constraint, Arbiter: collisions.Arbiter, ForkmunkError,
    ...Object.fromEntries(joints.map((joint) => [joint.name, joint])),
    ...momentFunctions(m),
    memory: { get bytes() { return wasm.HEAPU8.length; } },
  });
}

/** A function that returns make()'s promise, the same each time; if it fails, the next call tries again. */
export function once(make) {
  let made;
  return () => (made ??= make().catch((error) => {
    made = undefined;
    throw error;
  }));
}

/** What a user may give as the module: WebAssembly.Module, bytes, Response, or an address. */
export async function compile(given, byDefault) {
  if (given === undefined) return WebAssembly.compile(await byDefault());
  if (given instanceof WebAssembly.Module) return given;
  if (typeof given === "string" || given instanceof URL) given = await fetch(given);
  if (typeof Response !== "undefined" && given instanceof Response) {
    if (!given.ok) throw new ForkmunkError(`load(): ${given.url}: ${given.status} ${given.statusText}`);
    given = await given.arrayBuffer();
  }
  if (!(given instanceof ArrayBuffer || ArrayBuffer.isView(given))) refuse("load(): wasm", given, "an address, a Response, bytes or a WebAssembly.Module");
  return WebAssembly.compile(given);
}
