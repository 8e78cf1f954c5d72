// SPDX-License-Identifier: MIT
import { checks, ForkmunkError, optionsOf, refuse } from "./checks.mjs";
import { fromUtf8, nodeModule, TEXT_BYTES, textOf } from "./module.mjs";
import { pointerOf, spaceOf } from "./objects.mjs";
import { $at, $checked, $follow, $require, $world } from "./private.mjs";

const STEP_WORDS = 9;
const PAGE = "scene.html", SLOT = 'id="embedded">';

/** Returns the page beside the package's script, with a recording in it. Webpack warns of new URL(PAGE, import.meta.url). */
async function pageOf(recording, what, fs) {
  try {
    const template = await fs.readFile(typeof __dirname === "string" ? `${__dirname}/${PAGE}` : new URL(import.meta.url.replace(/[^/]*$/, PAGE)), "utf8");
    return template.replace(`${SLOT}{}`, () => SLOT + JSON.stringify(recording).replaceAll("<", "\\u003c"));
  } catch (error) {
    throw new ForkmunkError(`${what}: the package's file ${PAGE} cannot be read (${error.message}); save a .fmrec, and run \`forkmunk scene\``, { cause: error });
  }
}

export function defineRecorder(m, objects, Space) {
  const { wasm } = m;
  const encoded = (text) => new TextEncoder().encode(text);
  const jsonOf = (what, call) => JSON.parse(fromUtf8(textOf(m.written(what, 0, call).subarray(0, -1)))); // without the last 0
  const checkSpace = (space, what) => (space instanceof Space ? space[$checked](what) : refuse(what, space, "a Space of the same load()"));

  class Recording {
    #owner; // the recorder of a recording that grows
    #origin;
    constructor(pointer, owner, origin) {
      if (typeof pointer !== "number") refuse("new Recording()", pointer, "Recording.fromBytes() or a Recorder's recording");
      this[$world] = pointer;
      this.#owner = owner;
      this.#origin = origin;
    }
    [$checked](what) {
      return this[$world] || refuse(what, this, "a recording whose Recorder was not freed");
    }
    static fromBytes(bytes) {
      m.requireRecorder("Recording.fromBytes()");
      const pointer = m.objectOfBytes("Recording.fromBytes()", bytes, wasm._forkmunk_recording_read), recording = new Recording(pointer, null);
      m.recordings.add(recording, pointer);
      return recording;
    }
    get first() {
      return wasm._forkmunk_recording_first(this[$checked]("Recording.first")) | 0;
    }
    get last() {
      return wasm._forkmunk_recording_last(this[$checked]("Recording.last")) | 0;
    }
    step(state) {
      const what = "Recording.step()", at = m.scratch >> 2;
      m.check(what, wasm._forkmunk_recording_step(this[$checked](what), checks.word(state, what), m.scratch));
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
    describe() {
      const pointer = this[$checked]("Recording.describe()");
      return jsonOf("Recording.describe()", (block, size) => wasm._forkmunk_recording_describe(pointer, block, size));
    }
    at(state) {
      const what = "Recording.at()", pointer = this[$checked](what), good = checks.word(state, what);
      const world = m.runAlone(what, () => wasm._forkmunk_recording_at(pointer, good));
      return Space[$at](world || m.fail(what), { origin: this.#origin });
    }
    verify(state) {
      const what = "Recording.verify()", pointer = this[$checked](what);
      m.check(what, wasm._forkmunk_recording_step(pointer, checks.word(state, what), m.scratch));
      return m.withBlock(TEXT_BYTES, (block) => {
        const found = m.runAlone(what, () => wasm._forkmunk_recording_verify(pointer, state, m.scratch, m.scratch + 4, block, TEXT_BYTES));
        const [last, step] = wasm.HEAPU32.subarray(m.scratch >> 2);
        const first = this.describe().keyframes.filter((key) => key <= state).at(-1);
        return { first, last, exact: found < 0 ? null : found === 1, step: found === 1 ? null : step, reason: found === 1 ? "" : wasm.textAt(block) };
      });
    }
    toBytes() {
      const pointer = this[$checked]("Recording.toBytes()");
      return m.written("Recording.toBytes()", 0, (block, room) => wasm._forkmunk_recording_write(pointer, block, room));
    }
  }

  class Recorder {
    #pointer;
    #space;
    #recording;
    constructor(space, options = {}) {
      const what = "new Recorder()";
      m.requireRecorder(what);
      checkSpace(space, what);
      const limits = optionsOf(options, `${what}: options`, { steps: 0, memoryBytes: 2 ** 26, keyframeSteps: 0 });
      const { steps, memoryBytes, keyframeSteps } = limits;
      for (const [name, value] of Object.entries(limits)) checks.word(value, `${what}: ${name}`);
      this.#pointer = wasm._forkmunk_recorder_new(space[$world], steps, memoryBytes, keyframeSteps) || m.fail(what);
      this.#space = space;
      m.recorders.add(this, this.#pointer);
      this.#recording = new Recording(wasm._forkmunk_recorder_recording(this.#pointer), this, space);
    }
    get recording() {
      return this.#recording;
    }
    #add(call, ...texts) {
      if (this.#pointer === 0) throw new ForkmunkError("Recorder: it was freed");
      const [one = "", other = ""] = texts.map((text) => `${checks.text(text, "Recorder: name or text")}\0`);
      const second = encoded(one).length;
      m.withBytes(encoded(one + other), (block) => m.check("Recorder", call(this.#pointer, block, block + second)));
    }
    mark(name) {
      this.#add(wasm._forkmunk_recorder_mark, name);
    }
    log(name, value) {
      if (typeof value === "string") this.#add(wasm._forkmunk_recorder_log_text, name, value);
      else if (typeof value === "number") this.#add((recorder, text) => wasm._forkmunk_recorder_log(recorder, text, value), name);
      else refuse("Recorder.log(): value", value, "a number or a string");
    }
    input(name, value) {
      this.#add(wasm._forkmunk_recorder_input, name, JSON.stringify(value));
    }
    name(object, name) {
      if (!(object instanceof objects.SpaceObject) || object.space !== this.#space) refuse("Recorder.name()", object, "an object of the recorded space");
      this.#add((recorder, text) => wasm._forkmunk_recorder_name(recorder, pointerOf(object, "Recorder.name()"), text), name);
    }
    color(shape, parts) {
      const what = "Recorder.color()";
      const [red, green, blue, alpha = 255] = checks.numbers(parts, `${what}: color`);
      const byte = (part) => Math.min(255, Math.max(0, Math.round(checks.number(part, `${what}: color`))));
      if (!(shape instanceof objects.Shape) || shape.space !== this.#space) refuse(what, shape, "a shape of the recorded space");
      const color = [red, green, blue, alpha].reduce((word, part) => word * 256 + byte(part), 0);
      this.#add((recorder) => wasm._forkmunk_recorder_color(recorder, pointerOf(shape, what), color));
    }
    recover() {
      const what = "Recorder.recover()", space = this.#space, { scratch } = m;
      this.#add(() => 0); // refuses a freed one
      space[$require](what, true);
      let failure = null;
      m.withBlock(TEXT_BYTES, (block) => space[$follow](() => {
        const found = m.run(space, what, () => wasm._forkmunk_recorder_recover(this.#pointer, space[$world], scratch, scratch + 8, block, TEXT_BYTES));
        if (found < 0) m.fail(what);
        if (found > 0) failure = { step: wasm.HEAPU32[scratch >> 2], dtThatPasses: wasm.HEAPF64[(scratch >> 3) + 1] || null, culprit: wasm.textAt(block) };
      }));
      return failure;
    }
    async save(path) {
      const what = "Recorder.save()", remedy = "use recording.toBytes()", bytes = this.#recording.toBytes();
      const [, name, isPage] = /([^/\\]*?)(\.html?)?$/i.exec(path);
      const words = isPage ? this.#recording.step(this.#recording.last).sceneWords : []; // the space may have been freed
      const [, gravityY] = new Float32Array(words.slice(4, 6).buffer);
      const fs = await nodeModule("fs/promises", what, remedy);
      const page = async () => {
        const { gzipSync } = await nodeModule("zlib", what, remedy);
        return pageOf({ name, yDown: gravityY > 0, bytes: gzipSync(bytes, { level: 9 }).toString("base64") }, what, fs);
      };
      await fs.writeFile(path, isPage ? await page() : bytes);
    }
    free() {
      if (this.#pointer === 0) return;
      const isStepping = m.busy.includes(this.#space);
      if (isStepping) throw new ForkmunkError("Recorder.free() was called in a callback; use space.afterStep()");
      m.recorders.free(this, this.#pointer);
      this.#pointer = this.#recording[$world] = 0;
    }
  }

  Recording.objectsOf = (space) => {
    m.requireRecorder("Recording.objectsOf()");
    checkSpace(space, "Recording.objectsOf()");
    const counts = m.scratch, size = wasm._forkmunk_space_scene(space[$world], 0, 0, counts);
    return m.withBlock(4 * size, (block) => {
      wasm._forkmunk_space_scene(space[$world], block, size, counts);
      const [moving, fixed, shapes, joints] = wasm.HEAPU32.slice(counts >> 2, (counts >> 2) + 4);
      const all = Array.from(wasm.HEAPU32.slice(block >> 2, (block >> 2) + size), (pointer) => space[$at](pointer));
      return { bodies: all.slice(0, moving + fixed), shapes: all.slice(moving + fixed, moving + fixed + shapes), joints: all.slice(size - joints) };
    });
  };
  function differences(one, other) {
    m.requireRecorder("differences()");
    for (const space of [one, other]) checkSpace(space, "differences()");
    return jsonOf("differences()", (block, size) => wasm._forkmunk_space_differences(one[$world], other[$world], block, size));
  }

  function preview(space, bodies, steps, options = {}) {
    const what = "preview()", { dt, control } = optionsOf(options, `${what}: options`, { dt: 1 / 60, control: null });
    if (control !== null) checks.run(control, `${what}: control`);
    checkSpace(space, what);
    if (!Array.isArray(bodies) || bodies.some((body) => !(body instanceof objects.Body) || spaceOf(body) !== space)) refuse(`${what}: bodies`, bodies, "an array of bodies of the space");
    if (steps !== 0) checks.steps(steps, `${what}: steps`);
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
    return { bodies: [...bodies], paths, contacts, firstContact: contacts[0] ?? null };
  }
  return { Recorder, Recording, differences, preview };
}
