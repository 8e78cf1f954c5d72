// SPDX-License-Identifier: MIT
// An instance of the WebAssembly module, with its functions by `_name` and views of its memory; and Module, which passes
// structures in a scratch block and makes failures exceptions.

import { checks, checksOfFloats, ForkmunkError, isBytes, refuse } from "./checks.mjs";
import { $torn, $world } from "./private.mjs";

/** Decodes ASCII without TextDecoder, which some test environments lack. */
export function textOf(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
/** Decodes UTF-8, as in names that games gave. Does not decode a text that C has cut within a character. */
export function fromUtf8(text) {
  try {
    return decodeURIComponent(escape(text));
  } catch {
    return text;
  }
}
/** A loop takes a tenth of the time of Uint8Array.from(). */
export function bytesOf(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Returns a text with the names of a session's options as JavaScript has them. */
export const inCamelCase = (text) => text.replace(/\b(check|input|state)_(bytes_max|every)\b/g, (name) => name.replace(/_./g, ([, letter]) => letter.toUpperCase()));

/** The functions that C calls (wasm/callbacks.cpp): of collisions, of what is found, and of games. */
export const EVENTS = ["begin", "preSolve", "postSolve", "separate"];
const HITS = ["pointHit", "segmentHit", "boxHit", "shapeHit", "object", "attached"];
const GAME_CALLS = ["advance", "send", "notice", "predict", "save", "restore", "hash", "write", "read", "differences"];
/** In the order of fm_functions() and, at its end, of forkmunk_game. */
const CALLED = [...HITS, ...EVENTS, ...GAME_CALLS];

/** Returns a module of node. Throws elsewhere, with a remedy. Bundlers would need a setting for an import of a literal name. */
export async function nodeModule(name, what, remedy) {
  try { // Jest refuses import(), and node before 20.16 lacks the function
    return globalThis.process.getBuiltinModule?.(name) ?? (await import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`));
  } catch (cause) {
    throw new ForkmunkError(`${what}: files need node; ${remedy}`, { cause });
  }
}

export async function instanceOf(compiled) {
  let exported, line = "";
  const wasm = { textAt: (pointer) => fromUtf8(textOf(wasm.HEAPU8.subarray(pointer, wasm.HEAPU8.indexOf(0, pointer)))) };
  const view = () => {
    const { buffer } = exported.memory;
    Object.assign(wasm, { HEAPU8: new Uint8Array(buffer), HEAP32: new Int32Array(buffer), HEAPU32: new Uint32Array(buffer), HEAPF64: new Float64Array(buffer) });
    wasm.NUMBERS = wasm.isSingle ? new Float32Array(buffer) : wasm.HEAPF64;
  };
  const imports = {
    env: {
      ...Object.fromEntries(EVENTS.map((name) => [`fm_${name}`, (arbiter, _space, handler) => wasm.onCollision(handler, name, arbiter)])),
      ...Object.fromEntries([...HITS, "contactHit"].map((name) => [`fm_${name}`, (...hit) => wasm.onHit[name](...hit)])),
      ...Object.fromEntries(GAME_CALLS.map((name) => [`fm_game_${name}`, (id, ...given) => wasm.onSession(id, name, given)])),
      forkmunk_number_text: (number, text) => wasm.HEAPU8.set(bytesOf(`${Object.is(number, -0) ? "-0" : number}\0`), text),
      emscripten_notify_memory_growth: view,
      fm_print(format, given) {
        const word = () => wasm.HEAPU32[((given += 4) >> 2) - 1];
        const shown = {
          c: () => String.fromCharCode(word()), s: () => wasm.textAt(word()), d: () => word() | 0, u: word, p: () => word().toString(16),
        };
        const lines = (line + wasm.textAt(format).replace(/%z?([csdup])/g, (_, kind) => shown[kind]())).split("\n");
        line = lines.pop();
        for (const each of lines) console.error(each);
      },
    },
    wasi_snapshot_preview1: {
      proc_exit() {
        throw new ForkmunkError("the module has failed, and cannot be used any more");
      },
    },
  };
  try {
    ({ exports: exported } = await WebAssembly.instantiate(compiled, imports));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ForkmunkError("load(): there are no addresses for another instance; call load() once, and share what it returns", { cause: error });
  }
  // The module of single precision has names of its own for the same functions. NUMBERS are Chipmunk's, 1 << numberShift bytes
  // each.
  wasm.isSingle = "forkmunk_single_space_new" in exported;
  wasm.numberShift = wasm.isSingle ? 2 : 3;
  const plainName = (name) => name.replace(/^forkmunk_single_(cp)?/, (_, chipmunk) => chipmunk ?? "forkmunk_");
  // As a prototype, engines find the many properties faster.
  Object.setPrototypeOf(wasm, Object.fromEntries(Object.entries(exported).map(([name, run]) => [`_${plainName(name)}`, run])));
  view();
  exported._initialize();
  return wasm;
}

export const TEXT_BYTES = 1024; // of a text that C writes
const SCRATCH_BYTES = 512, MEMORY_BYTES_MAX = 2 ** 31;
const RESULT = 0, FIRST = 128; // places of results and arguments in the scratch block

export class Module {
  constructor(wasm) {
    this.wasm = wasm;
    this.checks = wasm.isSingle ? checksOfFloats : checks;
    wasm._fm_start();
    this.scratch = this.allocate(SCRATCH_BYTES);
    /** The addresses in C by name. */
    this.functions = Object.fromEntries(CALLED.map((name, i) => [name, wasm.HEAPU32[(wasm._fm_functions() >> 2) + i]]));
    wasm.onHit = {};
    /** Spaces with a running call that may call back, the innermost last. */
    this.busy = [];
    this.blocks = this.#counted(wasm._free);
    this.spaces = this.#counted(wasm._forkmunk_space_free);
    this.snapshots = this.#counted(wasm._forkmunk_snapshot_free);
    this.sessions = this.#counted(wasm._forkmunk_session_free);
    this.batches = this.#counted(wasm._forkmunk_batch_free);
    this.recorders = this.#counted(wasm._forkmunk_recorder_free);
    this.recordings = this.#counted(wasm._forkmunk_recording_free);
  }
  /** Counts objects, whose memory is freed with the last reference to them, or by `free`. */
  #counted(release) {
    const onLoss = (pointer) => (--all.count, release(pointer)), registry = new FinalizationRegistry(onLoss);
    const all = {
      count: 0,
      add: (object, pointer) => (++all.count, registry.register(object, pointer, object)),
      free: (object, pointer) => (registry.unregister(object), onLoss(pointer)),
    };
    return all;
  }

  allocate(bytes) {
    return (bytes < MEMORY_BYTES_MAX && this.wasm._malloc(bytes)) || this.#failOfMemory(`for ${bytes} bytes`);
  }
  withBlock(bytes, call) {
    const block = this.allocate(Math.max(bytes, 1));
    try {
      return call(block);
    } finally {
      this.wasm._free(block);
    }
  }
  /** Returns the bytes that `write(block, room)` writes if there is room. It returns their number, or 0 on failure. */
  written(what, room, write) {
    const attempt = (bytes) => this.withBlock(bytes, (block) => {
      const size = this.read(null, what, () => write(block, bytes));
      return size === 0 ? this.fail(what) : size <= bytes ? this.wasm.HEAPU8.slice(block, block + size) : size;
    });
    const first = attempt(room);
    return typeof first === "number" ? attempt(first) : first;
  }
  /** Returns the address of the object that `read(address, size)` makes of bytes. */
  objectOfBytes(what, bytes, read) {
    if (!isBytes(bytes)) refuse(what, bytes, "a Uint8Array");
    return this.withBytes(bytes, (block, size) => this.read(null, what, () => read(block, size))) || this.fail(what);
  }
  withBytes(bytes, call) {
    const size = bytes.length; // read once: a getter may return another value later
    return this.withBlock(size, (block) => (this.wasm.HEAPU8.subarray(block, block + size).set(bytes), call(block, size)));
  }
  #failOfMemory(what) {
    throw new ForkmunkError(`there is no memory ${what}: ${this.spaces.count} spaces and ${this.snapshots.count} snapshots are not freed. `
      + "Call free() of those that are not needed, or make spaces with a smaller capacityBytes; the garbage collector does so only in a later turn of the event loop");
  }

  requireRecorder(what) {
    if (this.wasm._forkmunk_recorder_new === undefined) throw new ForkmunkError(`${what}: forkmunk.wasm has no recorder and no batches; call load({ recorder: true }), which loads forkmunk_recorder.wasm`);
  }

  fail(what) {
    const text = this.wasm.textAt(this.wasm._forkmunk_last_error());
    const message = text.replace(/^([A-Z]\w*(::\w+\(\))?|forkmunk_\w+\(\))(: |, (?=world))/, ""); // `what` has the name
    if (/^std::bad_alloc|^no memory/.test(message)) this.#failOfMemory(`in ${what}`);
    throw new ForkmunkError(`${what}: ${inCamelCase(message)}`);
  }

  /** Throws if a forkmunk_result tells of a failure. */
  check(what, result) {
    if (result !== 0) this.fail(what);
  }

  /** Calls the module for a space, or null. An exception that leaves the module, such as a stack overflow, may leave the
   * space half changed: it then allows only restore() and free(). */
  run(space, what, call, changes = true) {
    const { wasm } = this, stack = wasm._stackSave();
    try {
      return call();
    } catch (error) {
      if (error instanceof ForkmunkError) throw error;
      wasm._stackRestore(stack);
      wasm._fm_abandon(space === null ? 0 : space[$world], stack);
      const problem = `${what} was cut off (${error.message})`;
      if (!changes) throw new ForkmunkError(problem, { cause: error });
      space[$torn] = `${problem}, and the space may be half changed; restore() a snapshot, or free() it`;
      throw new ForkmunkError(space[$torn], { cause: error });
    }
  }
  read(space, what, call) {
    return this.run(space, what, call, false);
  }
  /** Calls the module with the callbacks of a space, or, for null, with all callbacks off. */
  runWithCallbacks(space, what, call) {
    this.busy.push(space);
    try {
      return this.run(space, what, call, space !== null);
    } finally {
      this.busy.pop();
    }
  }
  runAlone(what, call) {
    return this.runWithCallbacks(null, what, call);
  }

  /** Runs `call` while Chipmunk allocates from the space. */
  inside(space, what, call) {
    if (this.wasm._forkmunk_space_enter(space[$world]) !== 0) this.fail(what);
    try {
      return call();
    } finally {
      this.wasm._forkmunk_space_leave(space[$world]);
    }
  }

  /** Returns the addresses that Chipmunk gives to `call(functions)`'s functions `object` and `attached`. */
  listedBy(call) {
    const found = new Set();
    this.wasm.onHit.object = (address) => found.add(address);
    this.wasm.onHit.attached = (_, address) => found.add(address);
    call(this.functions);
    return found;
  }
  argument(i, { x, y }) {
    const address = this.scratch + FIRST + 32 * i, f = this.wasm.NUMBERS, at = address >> this.wasm.numberShift;
    f[at] = x;
    f[at + 1] = y;
    return address;
  }
  putNumbers(values) {
    this.wasm.NUMBERS.set(values, (this.scratch + FIRST) >> this.wasm.numberShift);
    return this.scratch + FIRST;
  }
  putFilter({ group, categories, mask }) {
    this.wasm.HEAPU32.set([group, categories, mask], (this.scratch + RESULT) >> 2);
    return this.scratch + RESULT;
  }
  /** @param call  gets the address of a forkmunk_game */
  withGame({ id, predictor }, call) {
    const functions = GAME_CALLS.map((name) => (name === "predict" && predictor === null ? 0 : this.functions[name]));
    return this.withBytes(new Uint8Array(Uint32Array.of(id, ...functions).buffer), call);
  }
  withVertices(vertices, call) {
    return this.withBlock((vertices.length + 1) * 16, (block) => { // cpConvexHull() reads one more, and does not use it
      this.wasm.NUMBERS.set(vertices.flatMap(({ x, y }) => [x, y]), block >> this.wasm.numberShift);
      return call(block);
    });
  }
  vectorAt(at) {
    const f = this.wasm.NUMBERS;
    return Object.freeze({ x: f[at], y: f[at + 1] });
  }
  vectorOf(call, ...values) {
    call(this.scratch + RESULT, ...values);
    return this.vectorAt((this.scratch + RESULT) >> this.wasm.numberShift);
  }
  filterOf(call, pointer) {
    call(this.scratch + RESULT, pointer);
    const [group, categories, mask] = this.wasm.HEAPU32.subarray((this.scratch + RESULT) >> 2);
    return Object.freeze({ group, categories, mask });
  }
  boxOf(call, pointer) {
    call(this.scratch + RESULT, pointer);
    const [left, bottom, right, top] = this.wasm.NUMBERS.subarray((this.scratch + RESULT) >> this.wasm.numberShift);
    return Object.freeze({ left, bottom, right, top });
  }
}
