// SPDX-License-Identifier: MIT
// Recorder and Recording: the steps of a space, for time travel; and what looks ahead and compares. types.d.ts describes them.

import { checks, ForkmunkError, refuse } from "./checks.mjs";
import { pointerOf, spaceOf } from "./objects.mjs";
import { $at, $checked, $follow, $require, $world } from "./private.mjs";

const TEXT_BYTES = 1024, STEP_WORDS = 9;

export function defineRecorder(m, objects, Space) {
  const { wasm } = m;
  const freeRecorder = new FinalizationRegistry((pointer) => wasm._forkmunk_recorder_free(pointer));
  const freeRecording = new FinalizationRegistry((pointer) => wasm._forkmunk_recording_free(pointer));

  /** Runs `call` with texts in memory, as UTF-8. */
  function withTexts(texts, call) {
    const all = texts.map((text) => new TextEncoder().encode(`${text}\0`));
    const block = m.allocate(all.reduce((size, { length }) => size + length, 1));
    try {
      let at = block;
      return call(...all.map((bytes) => (wasm.HEAPU8.set(bytes, at), (at += bytes.length) - bytes.length)));
    } finally {
      wasm._fm_release(block);
    }
  }
  function check(result, what) {
    if (result !== 0) m.failC(what);
  }
  function requireRecorder(what) {
    if (wasm._forkmunk_recorder_new === undefined) throw new ForkmunkError(`${what}: forkmunk.wasm has no recorder; call load({ recorder: true }), which loads forkmunk_recorder.wasm`);
  }
  /** The JSON that `call(block, bytes)` writes; it returns how many bytes it needs, and 0 on failure. */
  function jsonOf(what, call) {
    const size = m.read(null, what, () => call(0, 0));
    if (size === 0) m.failC(what);
    const block = m.allocate(size);
    try {
      call(block, size);
      return JSON.parse(wasm.textAt(block));
    } finally {
      wasm._fm_release(block);
    }
  }
  /** Replays steps, in which no callback runs, also not those of a space whose callback asks. */
  function replay(what, call) {
    m.busy.push(null);
    try {
      return m.read(null, what, call);
    } finally {
      m.busy.pop();
    }
  }
  const checkSpace = (space, what) => (space instanceof Space ? space[$checked](what) : refuse(what, space, "a Space of the same load()"));

  class Recording {
    #pointer;
    #owner; // the recorder of a recording that grows
    constructor(pointer, owner) {
      if (typeof pointer !== "number") refuse("new Recording()", pointer, "Recording.fromBytes() or a Recorder's recording");
      this.#pointer = pointer;
      this.#owner = owner;
    }
    static fromBytes(bytes) {
      requireRecorder("Recording.fromBytes()");
      if (!ArrayBuffer.isView(bytes) || bytes.BYTES_PER_ELEMENT !== 1) refuse("Recording.fromBytes()", bytes, "a Uint8Array");
      const block = m.allocate(Math.max(bytes.length, 1));
      try {
        wasm.HEAPU8.set(bytes, block);
        const pointer = m.read(null, "Recording.fromBytes()", () => wasm._forkmunk_recording_read(block, bytes.length));
        if (pointer === 0) m.failC("Recording.fromBytes()");
        const recording = new Recording(pointer, null);
        freeRecording.register(recording, pointer);
        return recording;
      } finally {
        wasm._fm_release(block);
      }
    }
    /** The first state that is left; -1 while nothing is recorded. */
    get first() {
      return wasm._forkmunk_recording_first(this.#pointer) | 0;
    }
    get last() {
      return wasm._forkmunk_recording_last(this.#pointer) | 0;
    }
    /** Returns copies of the numbers that are recorded of a state. */
    step(state) {
      const what = "Recording.step()", at = m.scratch >> 2;
      check(wasm._forkmunk_recording_step(this.#pointer, checks.word(state, what), m.scratch), what);
      const dt = wasm.HEAPF64[m.scratch >> 3], [poses, contacts, sleeping, scene, moving, contactCount, sceneCount] = wasm.HEAPU32.slice(at + 2, at + STEP_WORDS);
      const { buffer } = wasm.HEAPU8;
      return {
        dt, sceneKey: scene,
        poses: new Float32Array(buffer, poses, 3 * moving).slice(),
        contacts: new Float32Array(buffer, contacts, 4 * contactCount).slice(),
        sleeping: new Uint32Array(buffer, sleeping, (moving + 31) >> 5).slice(),
        sceneWords: new Uint32Array(buffer, scene, sceneCount),
      };
    }
    /** Events, interventions, names and colours by id, and keyframes. */
    describe() {
      return jsonOf("Recording.describe()", (block, size) => wasm._forkmunk_recording_describe(this.#pointer, block, size));
    }
    /** A new Space in a state. */
    at(state) {
      const what = "Recording.at()";
      const world = replay(what, () => wasm._forkmunk_recording_at(this.#pointer, checks.word(state, what)));
      if (world === 0) m.failC(what);
      return Space[$at](world);
    }
    /** Replays the steps between two keyframes: {first, last, exact, step, reason}; `exact` is null if they cannot be replayed. */
    verify(state) {
      const what = "Recording.verify()";
      check(wasm._forkmunk_recording_step(this.#pointer, checks.word(state, what), m.scratch), what);
      const block = m.allocate(TEXT_BYTES);
      try {
        const found = replay(what, () => wasm._forkmunk_recording_verify(this.#pointer, state, m.scratch, m.scratch + 4, block, TEXT_BYTES));
        const [last, step] = wasm.HEAPU32.subarray(m.scratch >> 2);
        const first = this.describe().keyframes.filter((key) => key <= state).at(-1);
        return { first, last, exact: found < 0 ? null : found === 1, step: found === 1 ? null : step, reason: found === 1 ? "" : wasm.textAt(block) };
      } finally {
        wasm._fm_release(block);
      }
    }
    toBytes() {
      const size = m.read(null, "Recording.toBytes()", () => wasm._forkmunk_recording_write(this.#pointer, 0, 0));
      if (size === 0) m.failC("Recording.toBytes()");
      const block = m.allocate(size);
      wasm._forkmunk_recording_write(this.#pointer, block, size);
      const bytes = wasm.HEAPU8.slice(block, block + size);
      wasm._fm_release(block);
      return bytes;
    }
  }

  class Recorder {
    #pointer;
    #space;
    constructor(space, options = {}) {
      const what = "new Recorder()";
      requireRecorder(what);
      if (!(space instanceof Space)) refuse(`${what}: space`, space, "a Space of the same load()");
      const { steps = 0, memoryBytes = 2 ** 26, keyframeSteps = 0 } = checks.options(options, `${what}: options`);
      for (const [name, value] of Object.entries({ steps, memoryBytes, keyframeSteps })) checks.word(value, `${what}: ${name}`);
      this.#pointer = wasm._forkmunk_recorder_new(space[$world], steps, memoryBytes, keyframeSteps);
      if (this.#pointer === 0) m.failC(what);
      this.#space = space;
      freeRecorder.register(this, this.#pointer, this);
      this.recording = new Recording(wasm._forkmunk_recorder_recording(this.#pointer), this);
    }
    #add(call, ...texts) {
      if (this.#pointer === 0) throw new ForkmunkError("Recorder: it was freed");
      withTexts(texts, (...pointers) => check(call(this.#pointer, ...pointers), "Recorder"));
    }
    mark(name) {
      this.#add(wasm._forkmunk_recorder_mark, name);
    }
    log(name, value) {
      if (typeof value === "string") this.#add(wasm._forkmunk_recorder_log_text, name, value);
      else this.#add((recorder, text) => wasm._forkmunk_recorder_log(recorder, text, value), name);
    }
    input(name, value) {
      this.#add(wasm._forkmunk_recorder_input, name, JSON.stringify(value));
    }
    name(object, name) {
      if (!(object instanceof objects.SpaceObject) || object.space !== this.#space) refuse("Recorder.name()", object, "an object of the recorded space");
      this.#add((recorder, text) => wasm._forkmunk_recorder_name(recorder, pointerOf(object, "Recorder.name()"), text), name);
    }
    color(shape, [red, green, blue, alpha = 255]) {
      const what = "Recorder.color()";
      if (!(shape instanceof objects.Shape) || shape.space !== this.#space) refuse(what, shape, "a shape of the recorded space");
      const color = [red, green, blue, alpha].reduce((word, part) => word * 256 + Math.min(255, Math.max(0, Math.round(part))), 0);
      this.#add((recorder) => wasm._forkmunk_recorder_color(recorder, pointerOf(shape, what), checks.word(color, what)));
    }
    recover() {
      const what = "Recorder.recover()", space = this.#space, { scratch } = m;
      this.#add(() => 0); // refuses a freed one
      space[$require]("recover()", true);
      const block = m.allocate(TEXT_BYTES);
      let failure = null;
      try {
        space[$follow](() => {
          const found = m.run(space, what, () => wasm._forkmunk_recorder_recover(this.#pointer, space[$world], scratch, scratch + 8, block, TEXT_BYTES));
          if (found < 0) m.failC(what);
          if (found > 0) failure = { step: wasm.HEAPU32[scratch >> 2], dtThatPasses: wasm.HEAPF64[(scratch >> 3) + 1] || null, culprit: wasm.textAt(block) };
        });
        return failure;
      } finally {
        wasm._fm_release(block);
      }
    }
    async save(path) {
      const bytes = this.recording.toBytes(), node = (name) => globalThis.process?.getBuiltinModule?.(`node:${name}`);
      if (node("fs") === undefined) throw new ForkmunkError("Recorder.save(): files are written by node from 20.16 on; use recording.toBytes()");
      if (!/\.html?$/i.test(path)) return node("fs").promises.writeFile(path, bytes);
      const args = ["scene", "-", "-o", String(path), ...(this.#space.gravity.y > 0 ? ["--y-down"] : [])];
      return new Promise((done, fail) => {
        const failed = (reason) => fail(new ForkmunkError(`Recorder.save(): the program forkmunk, which writes pages, ${reason}; save a .fmrec, and run \`forkmunk scene\``));
        const program = node("child_process").execFile("forkmunk", args, (error, _out, text) => (error ? failed(error.code === "ENOENT" ? "was not found on PATH" : text.trim()) : done()));
        program.stdin.on("error", () => {}).end(bytes);
      });
    }
    free() {
      if (this.#pointer === 0) return;
      freeRecorder.unregister(this);
      wasm._forkmunk_recorder_free(this.#pointer);
      this.#pointer = 0;
    }
  }

  /** The objects of a space as a recording lists them: bodies that move, then static ones; shapes; joints. */
  Recording.objectsOf = (space) => {
    const counts = m.scratch, size = wasm._forkmunk_space_scene(space[$world], 0, 0, counts), block = m.allocate(4 * Math.max(size, 1));
    try {
      wasm._forkmunk_space_scene(space[$world], block, size, counts);
      const [moving, fixed, shapes, joints] = wasm.HEAPU32.slice(counts >> 2, (counts >> 2) + 4);
      const all = Array.from(wasm.HEAPU32.slice(block >> 2, (block >> 2) + size), (pointer) => space[$at](pointer));
      return { bodies: all.slice(0, moving + fixed), shapes: all.slice(moving + fixed, moving + fixed + shapes), joints: all.slice(size - joints) };
    } finally {
      wasm._fm_release(block);
    }
  };
  /** All fields in which two spaces differ. */
  function differences(one, other) {
    requireRecorder("differences()");
    for (const space of [one, other]) checkSpace(space, "differences()");
    return jsonOf("differences()", (block, size) => wasm._forkmunk_space_differences(one[$world], other[$world], block, size));
  }

  /** The future of bodies, computed in a fork. */
  function preview(space, bodies, steps, { dt = 1 / 60, control } = {}) {
    const what = "preview()";
    checkSpace(space, what);
    if (!Array.isArray(bodies) || bodies.some((body) => !(body instanceof objects.Body) || spaceOf(body) !== space)) refuse(`${what}: bodies`, bodies, "an array of bodies of the space");
    checks.word(steps, `${what}: steps`);
    const twin = space.fork(), twins = bodies.map((body) => twin.twinOf(body)), contacts = [];
    const paths = bodies.map(() => new Float64Array(3 * (steps + 1))), touching = bodies.map(() => new Set());
    const original = (shape) => {
      try {
        return space.twinOf(shape);
      } catch {} // the control made it
      return null;
    };
    try {
      for (let step = 0; step <= steps; ++step) {
        twins.forEach((body, i) => {
          paths[i].set([body.position.x, body.position.y, body.angle], 3 * step);
          const before = touching[i], now = (touching[i] = new Set());
          for (const { shapes: [a, b] } of twin.contacts(body)) {
            const [shape, other] = a.body === body ? [a, b] : [b, a], key = `${pointerOf(shape, what)} ${pointerOf(other, what)}`;
            now.add(key);
            if (step > 0 && !before.has(key)) contacts.push({ step, body: bodies[i], shape: original(shape), other: original(other) });
          }
        });
        if (step === steps) break;
        control?.(twin, step);
        twin.step(dt);
      }
    } finally {
      twin.free();
    }
    return { paths, contacts, firstContact: contacts[0] ?? null };
  }
  return { Recorder, Recording, differences, preview };
}
