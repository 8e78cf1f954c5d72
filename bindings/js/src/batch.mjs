// SPDX-License-Identifier: MIT
// SpaceBatch, by forkmunk::space::Batch.

import { ForkmunkError, optionsOf, refuse } from "./checks.mjs";
import { entryOf } from "./objects.mjs";
import { $at, $checked, $checksSteps, $handlers, $lineage, $registry, $require, $root, $world } from "./private.mjs";

const FIELDS = ["position", "angle", "velocity", "angularVelocity", "force", "torque", "motorRate", "motorMaxForce"]; // the order of C++
const MOTOR_RATE = 6;
const PLANS = {
  dt: undefined, substeps: 1, actionCount: undefined, planCount: 0, every: 0, actions: [], controls: [], observe: [], contacts: [], events: [],
};
const OBSERVED = { field: undefined, body: undefined, motor: undefined }, EVENT = { touching: undefined, body: undefined, outside: undefined };
const CONTROL = { ...OBSERVED, stiffness: 0, damping: 0, point: { x: 0, y: 0 } };
const widthOf = (field) => (field === 0 || field === 2 || field === 4 ? 2 : 1);
const widthOfAll = (channels) => channels.reduce((width, [field]) => width + widthOf(field), 0);
const addresses = (pointers) => new Uint8Array(Uint32Array.from(pointers).buffer);

export function defineBatch(m, objects, Space, Snapshot) {
  const { wasm, checks } = m, SimpleMotor = objects.joints.find(({ name }) => name === "SimpleMotor");
  const list = (value, what, expected = "an array") => (Array.isArray(value) ? value : refuse(what, value, expected));

  return class SpaceBatch {
    #pointer = 0; #root; #registry; #prototype; #checked; #states;
    constructor(space, count, options = {}) {
      const what = "new SpaceBatch()", { callbacks } = optionsOf(options, `${what}: options`, { callbacks: "refuse" });
      m.requireRecorder(what);
      if (!(space instanceof Space)) refuse(`${what}: space`, space, "a Space of the same load()");
      space[$require](what);
      checks.steps(count, `${what}: count`);
      if (callbacks !== "refuse" && callbacks !== "drop") refuse(`${what}: callbacks`, callbacks, '"refuse" or "drop"');
      if (callbacks === "refuse" && space[$handlers].length > 0) throw new ForkmunkError(`${what}: the space has functions of onCollision(), which a batch does not call; give { callbacks: "drop" }`);
      this.#pointer = m.runAlone(what, () => wasm._forkmunk_batch_new(space[$world], count, 1)) || m.fail(what);
      m.batches.add(this, this.#pointer);
      space[$registry].isShared = true;
      [this.#root, this.#registry, this.#prototype, this.#checked] = [space[$root], space[$registry], Object.getPrototypeOf(space), space[$checksSteps]];
      this.#states = new Array(count).fill({ registry: space[$registry], lineage: space[$lineage] });
    }
    get size() {
      return this.#states.length;
    }
    step(dt, count = 1) {
      const what = "SpaceBatch.step()";
      checks.notNegative(dt, `${what}: dt`);
      checks.steps(count, `${what}: count`);
      this.#run(what, (batch) => wasm._forkmunk_batch_step(batch, dt, count));
    }
    read(field, of, into) {
      const what = "SpaceBatch.read()", [index, pointers, count] = this.#field(what, field, of), numbers = into ?? new Float64Array(count);
      if (!(numbers instanceof Float64Array) || numbers.length !== count) refuse(`${what}: into`, numbers.length ?? numbers, `a Float64Array of ${count} numbers`);
      m.withBlock(8 * count, (block) => {
        this.#transfer(what, index, 0, pointers, block);
        numbers.set(new Float64Array(wasm.HEAPU8.buffer, block, count));
      });
      return numbers;
    }
    write(field, of, values) {
      const what = "SpaceBatch.write()", [index, pointers, count] = this.#field(what, field, of);
      const numbers = checks.numbers(values, `${what}: values`);
      if (numbers.length !== count) refuse(`${what}: values`, numbers.length, `${count} numbers: ${this.size} worlds x ${pointers.length} objects x ${widthOf(index)}`);
      m.withBytes(new Uint8Array(numbers.buffer), (block) => this.#transfer(what, index, 1, pointers, block));
    }
    save(world, into = new Snapshot()) {
      const what = "SpaceBatch.save()", state = this.#states[this.#index(world, what)];
      if (!(into instanceof Snapshot)) refuse(what, into, "a Snapshot of the same load()");
      this.#run(what, (batch) => wasm._forkmunk_batch_save_into(batch, world, into[$checked](what)));
      [into[$registry], into[$lineage]] = [state.registry, state.lineage];
      return into;
    }
    restore(snapshots, worlds = [...this.#states.keys()]) {
      const what = "SpaceBatch.restore()", targets = list(worlds, `${what}: worlds`, "an array of numbers of worlds").map((world) => this.#index(world, what));
      const given = Array.isArray(snapshots) ? snapshots : targets.map(() => snapshots);
      if (given.length !== targets.length) refuse(`${what}: snapshots`, given.length, `${targets.length}, as many as worlds`);
      const pointers = given.map((snapshot) => (snapshot instanceof Snapshot ? snapshot[$checked](what) : refuse(`${what}: snapshots`, snapshot, "a Snapshot of the same load(), or an array of them")));
      m.withBytes(addresses([...pointers, ...targets]), (block) => this.#run(what, (batch) => wasm._fm_batch_restore(batch, block, block + 4 * targets.length, targets.length)));
      targets.forEach((world, i) => {
        const { [$registry]: registry, [$lineage]: lineage } = given[i];
        if (registry !== null) registry.isShared = true;
        this.#states[world] = { registry, lineage };
      });
    }
    fork(from, worlds) {
      const snapshot = this.save(from);
      try {
        this.restore(snapshot, worlds);
      } finally {
        snapshot.free();
      }
    }
    hashes() {
      return m.withBlock(8 * this.size, (block) => {
        this.#run("SpaceBatch.hashes()", (batch) => wasm._forkmunk_batch_hashes(batch, block));
        return new BigUint64Array(wasm.HEAPU8.buffer, block, this.size).slice();
      });
    }
    world(index) {
      const what = "SpaceBatch.world()", batch = this.#live(what), state = this.#states[this.#index(index, what)];
      const pointer = m.runAlone(what, () => wasm._fm_batch_world(batch, index)) || m.fail(what);
      return Space[$at](pointer, { ...state, prototype: this.#prototype, checksSteps: this.#checked });
    }
    rollout(snapshot, options) {
      const what = "SpaceBatch.rollout()", batch = this.#live(what);
      const { dt, substeps, actionCount, planCount, every, actions, controls, observe, contacts, events } = optionsOf(options, `${what}: options`, PLANS);
      const from = snapshot instanceof Snapshot ? snapshot[$checked](what) : refuse(what, snapshot, "a Snapshot of the same load()");
      const counts = { substeps, actionCount, planCount, every }, numbers = [checks.notNegative(dt, `${what}: dt`)];
      for (const [name, value] of Object.entries(counts)) numbers.push(checks.word(value, `${what}: ${name}`));
      const channels = list(controls, `${what}: controls`).map((control, i) => this.#channel(optionsOf(control, `${what}: controls[${i}]`, CONTROL), `${what}: controls[${i}]`));
      const observed = list(observe, `${what}: observe`).map((each, i) => this.#channel({ ...CONTROL, ...optionsOf(each, `${what}: observe[${i}]`, OBSERVED) }, `${what}: observe[${i}]`).slice(0, 2));
      const pairs = list(contacts, `${what}: contacts`).map((pair, i) => this.#pair(pair, `${what}: contacts[${i}]`));
      const ends = list(events, `${what}: events`).map((event, i) => this.#event(event, `${what}: events[${i}]`));
      const lists = [channels, observed, pairs, ends], counted = [...numbers, ...lists.map(({ length }) => length), ...lists.flat(2)];
      const all = Float64Array.from([...counted, ...checks.numbers(actions, `${what}: actions`)]);
      const plans = m.withBytes(new Uint8Array(all.buffer), (block) =>
        m.runAlone(what, () => wasm._fm_batch_rollout(batch, from, block, all.length, m.scratch)));
      if (plans < 0) m.fail(what);
      const [final, states, touches, times, steps] = wasm.HEAPU32.subarray(m.scratch >> 2), { buffer } = wasm.HEAPU8, width = widthOfAll(observed);
      return {
        planCount: plans,
        final: new Float64Array(buffer, final, plans * width).slice(),
        states: new Float64Array(buffer, states, plans * (every === 0 ? 0 : Math.floor(actionCount / every)) * width).slice(),
        contacts: new Uint8Array(buffer, touches, plans * actionCount * pairs.length).slice(),
        events: new Int32Array(buffer, times, plans * ends.length).slice(),
        steps: new Int32Array(buffer, steps, plans).slice(),
      };
    }
    free() {
      if (this.#pointer !== 0) m.batches.free(this, this.#pointer);
      this.#pointer = 0;
    }

    #live(what) {
      return this.#pointer || refuse(what, this, "a batch that was not freed");
    }
    #run(what, call) {
      const batch = this.#live(what);
      m.check(what, m.runAlone(what, () => call(batch)));
    }
    #index(world, what) {
      return Number.isInteger(world) && world >= 0 && world < this.size ? world : refuse(`${what}: world`, world, `a whole number below ${this.size}`);
    }
    /** Returns the object's address in the batch's origin. C++ refuses an object that a world does not have. */
    #address(object, type, what) {
      if (!(object instanceof type)) refuse(what, object, `a ${type.name} of the same load()`);
      const offset = this.#registry.offsetOf(entryOf(object));
      return offset === undefined ? refuse(what, object, "an object of the space that the batch was made of") : this.#root + offset;
    }
    #fieldAt(name, what) {
      const index = FIELDS.indexOf(name);
      return index < 0 ? refuse(`${what}: field`, name, `one of ${FIELDS.join(", ")}`) : index;
    }
    #field(what, name, of) {
      const index = this.#fieldAt(name, what), pointers = list(of, what, "an array of bodies or SimpleMotors").map((object, i) => this.#address(object, index < MOTOR_RATE ? objects.Body : SimpleMotor, `${what}: ${i}`));
      return [index, pointers, this.size * pointers.length * widthOf(index)];
    }
    #transfer(what, field, writes, pointers, block) {
      m.withBytes(addresses(pointers), (at) => this.#run(what, (batch) => wasm._fm_batch_field(batch, field, writes, at, pointers.length, block)));
    }
    /** [field, address, stiffness, damping, is local, x, y] */
    #channel({ field, body, motor, stiffness, damping, point }, what) {
      const isLocal = field === "localForce";
      const index = this.#fieldAt(isLocal ? "force" : field, what), isMotor = index >= MOTOR_RATE, { x, y } = checks.vector(point, `${what}: point`);
      const address = isMotor ? this.#address(motor, SimpleMotor, `${what}: motor`) : this.#address(body, objects.Body, `${what}: body`);
      return [index, address, checks.number(stiffness, `${what}: stiffness`), checks.number(damping, `${what}: damping`), Number(isLocal), x, y];
    }
    #pair(pair, what) {
      if (list(pair, what, "two shapes").length !== 2) refuse(what, pair.length, "two shapes");
      return pair.map((shape) => this.#address(shape, objects.Shape, what));
    }
    /** [shape, shape, body, left, bottom, right, top] */
    #event(event, what) {
      const { touching, body, outside } = optionsOf(event, what, EVENT);
      if (touching !== undefined) return [...this.#pair(touching, `${what}: touching`), 0, 0, 0, 0, 0];
      return [0, 0, this.#address(body, objects.Body, `${what}: body`), ...checks.box(outside, `${what}: outside`)];
    }
  };
}
