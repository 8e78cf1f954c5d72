// The WebAssembly module as the classes see it: its functions and memory, arguments and results in a scratch block, and
// failures as exceptions.

import { ForkmunkError } from "./checks.mjs";

const SCRATCH_BYTES = 512;
const RESULT = 0, FIRST = 128, SECOND = 160; // in the scratch block: a result; two structures as arguments

export class Module {
  constructor(wasm) {
    this.wasm = wasm;
    wasm._fm_start();
    this.scratch = this.allocate(SCRATCH_BYTES);
    /** The space that is stepped, queried or removed from, while it may call back. */
    this.current = null;
    /** Whether a callback is at work in which Chipmunk must not wake a body: begin or preSolve. */
    this.inCollision = false;
    this.freeSnapshot = new FinalizationRegistry((pointer) => wasm._forkmunk_snapshot_free(pointer));
    this.freeSpace = new FinalizationRegistry((pointer) => wasm._forkmunk_space_free(pointer));
    this.freeBlock = new FinalizationRegistry((pointer) => wasm._fm_release(pointer));
  }

  allocate(bytes) {
    const block = this.wasm._fm_allocate(bytes);
    if (block === 0) throw new ForkmunkError(`there is no memory for ${bytes} bytes`);
    return block;
  }

  /** Throws the message of the call to wasm/ that just failed. */
  fail(what) {
    const message = this.wasm.UTF8ToString(this.wasm._fm_error());
    throw new ForkmunkError(`${what}: ${/^std::bad_alloc|^no memory/.test(message) ? "there is no memory for it; free() spaces and snapshots that are not needed" : message}`);
  }
  /** The same for a call to the C interface of forkmunk::space. */
  failC(what) {
    this.wasm._fm_clear_error();
    this.fail(what);
  }

  putVector(offset, { x, y }) {
    const f = this.wasm.HEAPF64, at = (this.scratch + offset) >> 3;
    f[at] = x;
    f[at + 1] = y;
    return this.scratch + offset;
  }
  first(vector) {
    return this.putVector(FIRST, vector);
  }
  second(vector) {
    return this.putVector(SECOND, vector);
  }
  putNumbers(values) {
    this.wasm.HEAPF64.set(values, (this.scratch + FIRST) >> 3);
    return this.scratch + FIRST;
  }
  putFilter({ group, categories, mask }) {
    const u = this.wasm.HEAPU32, at = (this.scratch + RESULT) >> 2;
    u[at] = group;
    u[at + 1] = categories;
    u[at + 2] = mask;
    return this.scratch + RESULT;
  }
  /** The result of a C function that returns a structure. */
  vectorOf(call, ...values) {
    call(this.scratch + RESULT, ...values);
    const f = this.wasm.HEAPF64, at = (this.scratch + RESULT) >> 3;
    return { x: f[at], y: f[at + 1] };
  }
  filterOf(call, pointer) {
    call(this.scratch + RESULT, pointer);
    const u = this.wasm.HEAPU32, at = (this.scratch + RESULT) >> 2;
    return { group: u[at], categories: u[at + 1], mask: u[at + 2] };
  }
  boxOf(call, pointer) {
    call(this.scratch + RESULT, pointer);
    const [left, bottom, right, top] = this.wasm.HEAPF64.subarray((this.scratch + RESULT) >> 3);
    return { left, bottom, right, top };
  }
}
