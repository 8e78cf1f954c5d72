// SPDX-License-Identifier: MIT
// Rollback sessions, by the core in space/src/rollback.

import { checks, described, ForkmunkError, isArrayBuffer, isBytes, named, optionsOf, refuse } from "./checks.mjs";
import { bytesOf, inCamelCase, textOf } from "./module.mjs";
import { $first, $module, $numbered, $registry, $world } from "./private.mjs";
import { jsonOf, plainCopy } from "./user_data.mjs";

const KINDS = ["predicted", "undone", "confirmed", "joined", "left", "desync", "settingsDiffer", "seatTaken", "refused", "loaded", "dropped", "badMessage"];
const WAITS = [null, "inputs", "acknowledgement", "pace", "joining"];
const STATS = ["rolledBack", "longest", "rollbacks", "framesRolledBack", "stalls", "checksums", "badMessages"]; // forkmunk_session_stats
const DECODED_MAX = 256, INSTANCE_MAX = 2 ** 32 - 2;
const INPUT_BYTES_MAX = 1024; // kInputBytesMax of the core, which gives predict() so much room
/** The first words of forkmunk_session_options. */
const NUMBERS = ["players", "local", "delay", "prediction", "checkEvery", "inputBytesMax", "silence", "stateBytesMax", "history"];
const OF_GAME = { advance: undefined, input: 0, module: undefined };

export class DesyncError extends ForkmunkError {
  constructor(report) {
    super(`desync before frame ${report.frame}: ${report.difference}`);
    Object.assign(this, report);
  }
}

/** Returns a line for each object whose user data differ, in lists of equal lengths. */
function userDataDifferences(one, other) {
  const isNumber = (value) => typeof value === "number" && value !== 0; // JSON of 0 has the sign
  const shown = (object) => {
    try {
      const value = object.userData;
      return value instanceof Uint8Array ? `bytes ${value}` : value === undefined || isNumber(value) ? String(value) : jsonOf(value);
    } catch (error) { // a peer's bytes may be anything
      return error.message;
    }
  };
  const lineOf = (name, ...objects) => {
    const [ours, theirs] = objects.map(shown);
    return ours === theirs ? "" : `${name}: userData differs: ${ours}, ${theirs}\n`;
  };
  const linesOf = (list) => (one[list].length === other[list].length
    ? one[list].map((object, i) => lineOf(`${list}[${i}]`, object, other[list][i])) : []);
  return [lineOf("space", one, other), ...["bodies", "shapes", "constraints"].flatMap(linesOf)].join("");
}
const optional = (run, what) => (run === null || run === undefined ? null : checks.run(run, what));
let lastId = 0;

/** The states by slot and the inputs as values, for the core. */
class Game {
  #space; #advance; #slots = []; #first; #decoded = new Map(); #copies = []; #present; #isRunning = false;
  thrown = null;
  constructor(what, space, options) {
    this.m = space?.[$module] ?? options.module?.Space?.prototype[$module] ?? refuse(`${what}: space`, space, "a Space, or a state of your own and the option module, which is what load() returned");
    for (const name of ["save", "restore", "hash"]) checks.run(space?.[name], `${what}: space.${name}`);
    this.what = what;
    this.#space = space;
    this.#advance = checks.run(options.advance, `${what}: advance`);
    const { input } = options;
    this.isBytes = isBytes(input);
    this.standard = this.encode(input, `${what}: input`);
    this.predictor = optional(options.predict, `${what}: predict`);
    if (space[$module] !== undefined) {
      this.#slots.push(space.save());
      this.#first = space[$numbered]();
    }
    this.id = ++lastId;
    const { wasm } = this.m, games = (wasm.games ??= new Map());
    wasm.onSession ??= (id, name, given) => games.get(id)?.deref()?.receiveCall(name, given) ?? 1;
    games.set(this.id, new WeakRef(this));
  }
  receiveCall(name, given) {
    try {
      return this[name](...given) ?? 0;
    } catch (error) {
      if (name !== "read" && name !== "write") {
        this.thrown ??= { error };
        return name === "predict" ? given[1] : 1; // the input as it was
      }
      // The core reports states that cannot travel. The reason is ASCII, as textOf() reads, and fits the scratch block.
      const { wasm, scratch } = this.m, text = typeof error?.message === "string" ? error.message : described(error);
      const reason = text.slice(0, 255).replace(/[^ -~]/g, "?");
      wasm.HEAPU8.set(bytesOf(`${reason}\0`), scratch);
      return wasm._forkmunk_game_failed(scratch);
    }
  }
  /** Throws what a function of the game threw. */
  run(what, call) {
    const isOuter = !this.#isRunning;
    let result;
    this.#isRunning = true;
    try {
      result = this.m.read(null, what, call);
    } finally {
      if (isOuter) this.#isRunning = false;
    }
    const { thrown } = this;
    this.thrown = null;
    if (thrown !== null) throw thrown.error;
    return result;
  }
  checkIdle() {
    if (this.#isRunning) throw new ForkmunkError(`${this.what}.free() was called in a callback of tick() or receive()`);
  }
  encode(value, what) {
    if (this.isBytes) return isBytes(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : refuse(what, value, "a Uint8Array, as the session's input is");
    return bytesOf(jsonOf(plainCopy(value, what, (number) => number + 0))); // 0 for -0
  }
  decode(at, size) {
    const bytes = this.m.wasm.HEAPU8.subarray(at, at + size);
    if (this.isBytes) return bytes.slice();
    const text = textOf(bytes);
    if (!this.#decoded.has(text)) {
      if (this.#decoded.size >= DECODED_MAX) this.#decoded.clear();
      this.#decoded.set(text, this.#parse(text));
    }
    return this.#decoded.get(text);
  }
  #parse(text) {
    const freeze = (_, value) => Object.freeze(value);
    try {
      return JSON.parse(decodeURIComponent(escape(text)), freeze); // of UTF-8
    } catch { // a peer sent an input that is not JSON; the game goes on
      return JSON.parse(textOf(this.standard), freeze);
    }
  }
  advance(inputs, count, frame) {
    const present = [], values = Array.from({ length: count }, (_, i) => {
      const [at, size, isPresent] = this.m.wasm.HEAPU32.subarray((inputs >> 2) + 3 * i);
      present.push(isPresent !== 0);
      return this.decode(at, size);
    });
    const result = this.#advance(this.#space, Object.defineProperty(values, "present", { value: present }), frame);
    const isAsync = typeof result?.then === "function";
    if (isAsync) refuse(`${this.what}: advance()`, result, "no Promise: its steps would come too late");
  }
  predict(at, size, player, frame) {
    const bytes = this.encode(this.predictor(this.decode(at, size), player, frame), `${this.what}: predict()`);
    this.m.wasm.HEAPU8.set(bytes.subarray(0, INPUT_BYTES_MAX), at); // the core refuses more
    return bytes.length;
  }
  save(slot) {
    this.#slots[slot] = this.#space.save(this.#slots[slot]);
  }
  restore(slot) {
    this.#space.restore(this.#slots[slot]);
  }
  hash(out) {
    const hash = this.#space.hash(), isWhole = typeof hash === "bigint" || Number.isInteger(hash);
    if (!isWhole) refuse(`${this.what}: hash()`, hash, "a whole number or a bigint");
    new DataView(this.m.wasm.HEAPU8.buffer).setBigUint64(out, BigInt.asUintN(64, BigInt(hash)), true);
  }
  write(slot, writer) {
    const state = this.#slots[slot], isOwn = this.#space[$module] === undefined;
    const bytes = isOwn ? this.#space.toBytes(state) : state.toBytes();
    this.#put(writer, isBytes(bytes) ? bytes : refuse("toBytes()", bytes, "a Uint8Array"));
  }
  read(slot, at, size) {
    const bytes = this.m.wasm.HEAPU8.slice(at, at + size);
    if (this.#space[$module] === undefined) {
      this.#slots[slot] = this.#space.fromBytes(bytes);
    } else {
      const snapshot = this.#slots[0].constructor.fromBytes(bytes);
      snapshot[$first] = this.#first; // objects that the space may have removed since the state
      this.#slots[slot]?.free();
      this.#slots[slot] = snapshot;
    }
  }
  differences(one, other, writer) {
    const states = [this.#slots[one], this.#slots[other]];
    if (this.#space[$module] !== undefined) {
      const [ours, theirs] = states.map((state, i) => this.#copy(2 + i, state)); // history.at() shows the first two
      this.#put(writer, bytesOf(userDataDifferences(ours, theirs)));
      return this.m.wasm._forkmunk_session_write_differences(writer, ours[$world], theirs[$world]);
    }
    this.#put(writer, bytesOf(this.#space.differences?.(...states) ?? ""));
  }
  #put(writer, bytes) {
    this.m.withBytes(bytes, (block, size) => this.m.wasm._forkmunk_session_write_bytes(writer, block, size));
  }
  #copy(i, state) {
    if (!this.#copies[i]?.[$registry]) this.#copies[i] = this.#space.fork(); // the program may have freed it
    this.#copies[i].restore(state);
    return this.#copies[i];
  }
  at(frame, { frame: now, slotOf, first }) {
    const what = "history.at()", whole = Math.floor(frame), { wasm } = this.m;
    if (this.#space[$module] === undefined) throw new ForkmunkError(`${what}: the session has no Space, but a state of its own`);
    const copyAt = (i, each) => {
      const slot = each < 0 || each > now ? -1 : slotOf(each);
      if (slot < 0 && each !== now) refuse(what, frame, `a frame from ${first} to ${now}; the option history keeps more`);
      return this.#copy(i, slot < 0 ? (this.#present = this.#space.save(this.#present)) : this.#slots[slot]);
    };
    const space = copyAt(0, whole);
    if (frame !== whole && wasm._forkmunk_space_interpolate(space[$world], copyAt(1, whole + 1)[$world], frame - whole) !== 0) this.m.fail(what);
    return space;
  }
  free() {
    this.m.wasm.games.delete(this.id);
    for (const state of [...this.#slots, ...this.#copies, this.#present]) state?.free?.();
    this.#slots = this.#copies = [];
  }
}

export class RollbackSession {
  #game; #pointer; #send; #onDesync; #onNotice; #desync = null;
  constructor(space, options) {
    const what = "RollbackSession";
    const given = optionsOf(options, `${what}: options`, {
      players: undefined, local: 0, send: undefined, delay: 2, prediction: 8, checkEvery: 30, onDesync: undefined, onNotice: undefined, inputBytesMax: 64, silence: 0,
      predict: undefined, seats: undefined, history: 0, session: 0, game: 0, instance: 1 + Math.floor(Math.random() * INSTANCE_MAX), stateBytesMax: 2 ** 24, ...OF_GAME,
    });
    const { players, local, seats, session } = given;
    this.#send = checks.run(given.send, `${what}: send`);
    this.#onDesync = optional(given.onDesync, `${what}: onDesync`);
    this.#onNotice = optional(given.onNotice, `${what}: onNotice`);
    const numbers = NUMBERS.map((name) => (name === "local" && local === null ? -1 : checks.word(given[name], `${what}: ${name}`)));
    if (seats !== undefined && !Array.isArray(seats)) refuse(`${what}: seats`, seats, "an array of the seats that are taken at first, from 0 on");
    const seatOf = (seat) => (checks.word(seat, `${what}: seats`) < players ? seat : refuse(`${what}: seats`, seat, "seats from 0 to players - 1"));
    const taken = seats === undefined ? 0xffff : seats.reduce((bits, seat) => bits | (1 << seatOf(seat)), 0);
    if (typeof session !== "bigint" && !Number.isInteger(session)) refuse(`${what}: session`, session, "a whole number");
    this.#game = new Game(what, space, given);
    Object.assign(this.#game, { send: this.#sendMessage.bind(this), notice: this.#tell.bind(this) });
    const { m } = this.#game, { wasm } = m;
    checks.word(given.game, `${what}: game`);
    checks.positiveWord(given.instance, `${what}: instance`);
    this.space = space;
    this.#pointer = m.withBytes(this.#game.standard, (block, size) => {
      // forkmunk_session_options
      const words = [...numbers, taken, block, size, 0, 0, given.game, given.instance];
      const bytes = new Uint8Array(new Int32Array(words).buffer);
      new DataView(bytes.buffer).setBigUint64(48, BigInt.asUintN(64, BigInt(session)), true);
      return m.withBytes(bytes, (at) => m.withGame(this.#game, (game) => wasm._forkmunk_session_new(0, at, game)));
    }) || m.fail(what);
    m.sessions.add(this, this.#pointer);
  }

  tick(input) {
    const what = "RollbackSession.tick()", bytes = input === undefined && !this.isPlaying ? new Uint8Array(0) : this.#game.encode(input, `${what}: input`);
    return this.#call(what, this.#wasm._forkmunk_session_tick, bytes) === 1;
  }
  receive(message) {
    const what = "RollbackSession.receive()", bytes = isArrayBuffer(message) ? new Uint8Array(message) : message;
    if (!isBytes(bytes)) refuse(what, message, "a Uint8Array or an ArrayBuffer");
    return this.#call(what, this.#wasm._forkmunk_session_receive, bytes) === 1;
  }
  event(kind, data = null) {
    const what = "RollbackSession.event()", bytes = this.#game.encode(data ?? (this.#game.isBytes ? new Uint8Array(0) : null), `${what}: data`);
    checks.integer(kind, `${what}: kind`);
    const call = (block, size) => this.#wasm._forkmunk_session_event(this.#checked(what), kind, block, size);
    this.#game.m.check(what, this.#game.m.withBytes(bytes, call));
  }
  drop(player) {
    const what = "RollbackSession.drop()";
    this.#game.m.check(what, this.#wasm._forkmunk_session_drop(this.#checked(what), checks.word(player, what)));
  }
  leave() {
    this.#wasm._forkmunk_session_leave(this.#checked("RollbackSession.leave()"));
  }
  set delay(frames) {
    const what = "RollbackSession.delay";
    this.#game.m.check(what, this.#wasm._forkmunk_session_set_delay(this.#checked(what), checks.word(frames, what)));
  }
  get delay() {
    return this.#wasm._forkmunk_session_delay(this.#checked("RollbackSession.delay"));
  }
  get frame() {
    return this.#wasm._forkmunk_session_frame(this.#checked("RollbackSession.frame"));
  }
  get confirmedFrame() {
    return this.#wasm._forkmunk_session_confirmed_frame(this.#checked("RollbackSession.confirmedFrame"));
  }
  get isPlaying() {
    return this.#wasm._forkmunk_session_is_playing(this.#checked("RollbackSession.isPlaying")) !== 0;
  }
  get isHost() {
    return this.#wasm._forkmunk_session_is_host(this.#checked("RollbackSession.isHost")) !== 0;
  }
  get wait() {
    return WAITS[this.#wasm._forkmunk_session_wait(this.#checked("RollbackSession.wait"))];
  }
  get waitingFor() {
    const players = this.#wasm._forkmunk_session_waiting_for(this.#checked("RollbackSession.waitingFor"));
    return Array.from({ length: 16 }, (_, i) => i).filter((i) => (players >> i) & 1);
  }
  get history() {
    const { frame } = this, pointer = this.#checked("RollbackSession.history");
    const slotOf = (each) => this.#wasm._forkmunk_session_saved_slot(pointer, each);
    let first = frame;
    while (slotOf(first - 1) >= 0) --first;
    return { first, at: (each) => this.#game.at(checks.number(each, "history.at()"), { frame: this.frame, slotOf, first }) };
  }
  get desync() {
    return this.#desync;
  }
  get stats() {
    const { wasm, scratch } = this.#game.m;
    wasm._forkmunk_session_statistics(scratch, this.#checked("RollbackSession.stats"));
    const counts = new BigInt64Array(wasm.HEAPU8.buffer, scratch, STATS.length);
    return Object.fromEntries(STATS.map((name, i) => [name, Number(counts[i])]));
  }
  free() {
    if (this.#pointer === 0) return;
    this.#game.checkIdle();
    this.#game.m.sessions.free(this, this.#pointer);
    this.#pointer = 0;
    this.#game.free();
  }

  get #wasm() {
    return this.#game.m.wasm;
  }
  #checked(what) {
    if (this.#pointer === 0) throw new ForkmunkError(`${what}: the session was freed`);
    return this.#pointer;
  }
  #call(what, call, bytes) {
    const pointer = this.#checked(what);
    const result = this.#game.m.withBytes(bytes, (block, size) => this.#game.run(what, () => call(pointer, block, size)));
    if (result < 0) this.#game.m.fail(what);
    return result;
  }
  #sendMessage(at, size, to) {
    this.#send(this.#wasm.HEAPU8.slice(at, at + size), to >>> 0);
  }
  #tell(at) {
    const { wasm } = this.#game.m, [kind, player, frame, event, text, size] = wasm.HEAPU32.subarray(at >> 2), view = new DataView(wasm.HEAPU8.buffer, at);
    const isEvent = kind < 3, words = isEvent ? "" : textOf(wasm.HEAPU8.subarray(text, text + size));
    const notice = { kind: KINDS[kind], player: player === 0xffffffff ? null : player, frame };
    if (KINDS[kind] === "desync") {
      this.#desync = Object.freeze({ frame, player, ours: view.getBigUint64(24, true), theirs: view.getBigUint64(32, true), difference: words });
      this.#onDesync?.(this.#desync);
    }
    this.#onNotice?.(isEvent ? { ...notice, event: event | 0, data: this.#game.decode(text, size) } : { ...notice, text: kind === KINDS.indexOf("settingsDiffer") ? inCamelCase(words) : words });
  }
}

export class SyncTest {
  #game; #distance; #pointer = 0;
  constructor(space, options) {
    const given = optionsOf(options, "SyncTest: options", { distance: 4, ...OF_GAME });
    this.#distance = checks.distance(given.distance, "SyncTest: distance");
    this.#game = new Game("SyncTest", space, given);
    this.frame = 0;
  }
  tick(inputs) {
    const what = "SyncTest.tick()", game = this.#game, { m } = game, { wasm } = m;
    if (!wasm.games.has(game.id)) throw new ForkmunkError(`${what}: the test was freed`);
    if (!Array.isArray(inputs)) refuse(`${what}: inputs`, inputs, "an array with an input for each player");
    const make = (functions) => wasm._forkmunk_sync_test_new(0, inputs.length, this.#distance, functions);
    this.#pointer ||= game.run(what, () => m.withGame(game, make)) || m.fail(what);
    const encoded = inputs.map((input, i) => game.encode(input, `${what}: inputs[${i}]`)), heads = new Uint8Array(12 * inputs.length);
    const result = m.withBytes(Uint8Array.from([heads, ...encoded].flatMap((bytes) => [...bytes])), (block) => {
      let at = block + heads.length;
      wasm.HEAPU32.set(encoded.flatMap(({ length }) => [(at += length) - length, length, 1]), block >> 2);
      return game.run(what, () => wasm._forkmunk_sync_test_tick(this.#pointer, block, inputs.length));
    });
    this.frame = wasm._forkmunk_sync_test_frame(this.#pointer);
    if (result === 0) return;
    const frame = wasm._forkmunk_sync_test_desync_frame(this.#pointer), text = wasm.textAt(wasm._forkmunk_last_error());
    if (frame < 0) m.fail(what);
    throw new DesyncError({ frame, difference: text.slice(text.indexOf(": ") + 2) });
  }
  free() {
    this.#game.checkIdle();
    this.#game.m.wasm._forkmunk_sync_test_free(this.#pointer);
    this.#pointer = 0;
    this.#game.free();
  }
}
named({ DesyncError, RollbackSession, SyncTest });
