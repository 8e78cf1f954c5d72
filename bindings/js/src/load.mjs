// SPDX-License-Identifier: MIT
import { defineBatch } from "./batch.mjs";
import { defineCollisions } from "./collisions.mjs";
import { checks, ForkmunkError, isArrayBuffer, named, optionsOf, refuse } from "./checks.mjs";
import { instanceOf, Module, nodeModule } from "./module.mjs";
import { defineObjects } from "./objects.mjs";
import { $module } from "./private.mjs";
import { momentFunctions } from "./queries.mjs";
import { defineRecorder } from "./recorder.mjs";
import { defineSnapshot, defineSpace } from "./space.mjs";

async function instantiate(compiled) {
  if (!WebAssembly.Module.exports(compiled).some(({ name }) => name === "fm_start")) throw new ForkmunkError("load(): the WebAssembly module is not this package's");
  const m = new Module(await instanceOf(compiled));
  const objects = defineObjects(m);
  const Snapshot = defineSnapshot(m);
  const collisions = defineCollisions(m, objects);
  const Space = defineSpace(m, objects, Snapshot, collisions);
  Space.prototype[$module] = m; // for sessions
  const { Body, Shape, Circle, Segment, Poly, Constraint, joints } = objects;
  return Object.freeze(named({
    Space, Snapshot, SpaceBatch: defineBatch(m, objects, Space, Snapshot), ...defineRecorder(m, objects, Space), Body, Shape, Circle, Segment, Poly, Constraint, Arbiter: collisions.Arbiter, ForkmunkError,
    ...Object.fromEntries(joints.map((joint) => [joint.name, joint])),
    ...momentFunctions(m),
    memory: { get bytes() { return m.wasm.HEAPU8.length; } },
    precision: m.wasm.isSingle ? "single" : "double",
  }));
}

async function readFile(url) {
  const fs = await nodeModule("fs/promises", `load(): ${url}`, "read it yourself, and give load({ wasm }) its bytes");
  return fs.readFile(url);
}

async function compile(given) {
  let address = "wasm";
  if (given instanceof WebAssembly.Module) return given;
  if (given instanceof URL || typeof given === "string") given = /^file:/.test(given) ? await readFile(new URL(given)) : await fetch(given);
  if (typeof given?.arrayBuffer === "function") {
    if (given.ok === false) throw new ForkmunkError(`load(): ${given.url}: ${given.status} ${given.statusText}`);
    if (given.url) address = given.url;
    given = await given.arrayBuffer();
  }
  if (!ArrayBuffer.isView(given) && !isArrayBuffer(given)) refuse("load(): wasm", given, "an address, a Response, bytes or a WebAssembly.Module");
  try {
    return await WebAssembly.compile(given);
  } catch (error) {
    const problem = `load(): ${address} does not compile (${error.message})`;
    throw new ForkmunkError(`${problem}; it must be a .wasm file of the package`, { cause: error });
  }
}

/** Returns an entry's load(), whose own module comes from `byDefault(recorder, precision)`. After a failure, the next call tries again. */
export function loader(byDefault) {
  const compiled = {};
  return async (options = {}) => {
    const { wasm, recorder, precision } = optionsOf(options, "load(): options", { wasm: undefined, recorder: false, precision: undefined });
    if (![undefined, "double", "single"].includes(precision)) refuse("load(): precision", precision, '"double" or "single"');
    const i = `${checks.boolean(recorder, "load(): recorder")} ${precision}`;
    if (wasm !== undefined) {
      const made = await instantiate(await compile(wasm));
      if (precision !== undefined && made.precision !== precision) refuse("load(): wasm", made.precision, `a module of ${precision} precision`);
      return made;
    }
    compiled[i] ??= Promise.resolve(byDefault(recorder, precision ?? "double")).then(compile);
    try {
      return await instantiate(await compiled[i]);
    } catch (error) {
      compiled[i] = undefined;
      throw error;
    }
  };
}
