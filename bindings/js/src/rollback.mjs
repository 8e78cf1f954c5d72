// Rollback over any transport: inputs are predicted, and a wrong prediction is corrected by going back to the state
// before it and simulating again. Messages are plain objects (a state in them is a Uint8Array); they may be lost, come
// late, twice and in any order.

import { checks, ForkmunkError, refuse } from "./checks.mjs";

const CHECKPOINTS_MORE = 8; // than those of frames that are not confirmed
const CHECKSUMS_KEPT = 64;
const RESENDS = 5, RESEND_TICKS = 20; // of a state after a desync

/** Two machines, or two runs on one, came to different states. `frame`: before which; `difference`: the first field. */
export class DesyncError extends ForkmunkError {
  constructor(report) {
    super(`desync before frame ${report.frame}: ${report.difference ?? "the difference is not known"}`);
    Object.assign(this, report);
  }
  get name() {
    return "DesyncError";
  }
}

const sameInput = (a, b) => a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
const count = (value, least, what) => (Number.isInteger(value) && value >= least ? value : refuse(what, value, `a whole number of at least ${least}`));
const run = (value, what) => (typeof value === "function" ? value : refuse(what, value, "a function"));

const isSpace = (value, what) => (typeof value?.firstDifference === "function" ? value : refuse(what, value, "a Space"));
const isFrame = (value) => Number.isInteger(value) && value >= 0;

/** Whether a message has the form of one; it may come from anywhere. */
function isMessage(message, players) {
  if (message?.forkmunk !== 1 || !isFrame(message.from) || message.from >= players) return false;
  if (message.state !== undefined) return message.state instanceof Uint8Array && isFrame(message.frame);
  const { first, inputs, known, checksum } = message;
  if (!isFrame(first) || !Array.isArray(inputs) || !Array.isArray(known) || known.length !== players || !known.every(isFrame)) return false;
  return checksum === null || (isFrame(checksum?.frame) && typeof checksum.hash === "string");
}

/** The first difference of two states, in copies of `space`. */
function differenceOf(space, one, other) {
  const ours = space.fork(), theirs = space.fork();
  try {
    ours.restore(one);
    theirs.restore(other);
    return ours.firstDifference(theirs);
  } finally {
    ours.free();
    theirs.free();
  }
}

/** One player's part of a game. */
export class RollbackSession {
  constructor(space, options) {
    const { players, local, advance, send, input = 0, delay = 2, prediction = 8, checkEvery = 30, predict = (last) => last, onDesync = null } = checks.options(options, "RollbackSession: options");
    this.space = isSpace(space, "RollbackSession: space");
    this.players = count(players, 1, "RollbackSession: players");
    this.local = count(local, 0, "RollbackSession: local");
    if (local >= players) refuse("RollbackSession: local", local, "a number below players");
    this._advance = run(advance, "RollbackSession: advance");
    this._send = run(send, "RollbackSession: send");
    this._predict = run(predict, "RollbackSession: predict");
    this._onDesync = onDesync === null ? null : run(onDesync, "RollbackSession: onDesync");
    this._firstInput = input;
    this._prediction = count(prediction, 1, "RollbackSession: prediction");
    this._delay = count(delay, 0, "RollbackSession: delay");
    this._checkEvery = count(checkEvery, 1, "RollbackSession: checkEvery");
    /** The next frame to simulate. */
    this.frame = 0;
    /** Frames rolled back by the last tick(), and counts since the beginning. */
    this.stats = { rolledBack: 0, rollbacks: 0, framesRolledBack: 0, longest: 0, stalls: 0, checksums: 0 };
    this.desync = null;
    this._length = prediction + 2;
    this._saves = Array.from({ length: this._length }, () => space.save());
    this._used = Array.from({ length: this._length }, () => new Array(players).fill(input));
    // What is known of each player: inputs by frame, the first frame that is not known.
    this._inputs = Array.from({ length: players }, () => new Map());
    this._known = new Array(players).fill(this._delay);
    for (let frame = 0; frame < this._delay; ++frame) this._inputs.forEach((of) => of.set(frame, input));
    this._acknowledged = new Array(players).fill(this._delay); // of our inputs, by each player
    this._firstWrong = Infinity;
    this._checkpoints = Array.from({ length: CHECKPOINTS_MORE + Math.floor(prediction / checkEvery) }, () => ({ frame: -1, hash: null, snapshot: space.save() }));
    this._checksums = new Map(); // of confirmed frames
    this._theirs = new Map(); // that came and were not compared yet
    this._compared = new Array(players).fill(-1); // the last frame of each player's
    this._lastChecked = -1;
    this._state = null; // the message with our state, after a desync
    this._hasDifference = false;
  }

  /** Frames before it are final: all inputs are known. */
  get confirmedFrame() {
    return Math.min(this.frame, ...this._known);
  }

  /** Simulates a frame with the local player's input. Returns false, and does nothing, while inputs of others are missing for too long. */
  tick(input) {
    this.stats.rolledBack = 0;
    this._rollBack();
    const waits = this.frame - this._confirmed() >= this._prediction;
    if (waits) {
      ++this.stats.stalls;
    } else {
      const own = this._inputs[this.local];
      own.set(this._known[this.local]++, input);
      this._simulate();
      this._forgetOld();
    }
    this._check();
    this._resendState();
    this._sendInputs();
    return !waits;
  }

  /** Takes a message of another player's `send`. What is none is ignored. */
  receive(message) {
    if (!isMessage(message, this.players) || message.from === this.local) return;
    if (message.state !== undefined) return this._compare(message);
    const { from, first, inputs, known, checksum } = message;
    this._acknowledged[from] = Math.max(this._acknowledged[from], Math.min(known[this.local], this._known[this.local]));
    for (let i = 0; i < inputs.length; ++i) {
      const frame = first + i;
      if (frame !== this._known[from]) continue;
      ++this._known[from];
      this._inputs[from].set(frame, inputs[i]);
      if (frame < this.frame && !sameInput(this._used[frame % this._length][from], inputs[i])) this._firstWrong = Math.min(this._firstWrong, frame);
    }
    if (checksum !== null && checksum.frame > this._compared[from]) this._theirs.set(`${from} ${checksum.frame}`, { from, ...checksum });
  }

  /** Frees the saved states. */
  free() {
    for (const save of this._saves) save.free();
    for (const { snapshot } of this._checkpoints) snapshot.free();
  }

  _confirmed() {
    let least = Infinity;
    for (let i = 0; i < this.players; ++i) if (i !== this.local && this._known[i] < least) least = this._known[i];
    return Math.min(least, this.frame);
  }
  _inputOf(player, frame) {
    const inputs = this._inputs[player];
    const known = inputs.get(frame);
    if (known !== undefined) return known;
    return this._predict(inputs.get(this._known[player] - 1) ?? this._firstInput, player, frame);
  }
  _rollBack() {
    if (this._firstWrong >= this.frame) return;
    const present = this.frame, frames = present - this._firstWrong;
    this.space.restore(this._saves[this._firstWrong % this._length]);
    this.frame = this._firstWrong;
    this._firstWrong = Infinity;
    while (this.frame < present) this._simulate();
    const { stats } = this;
    stats.rolledBack = frames;
    stats.framesRolledBack += frames;
    ++stats.rollbacks;
    stats.longest = Math.max(stats.longest, frames);
  }
  _simulate() {
    const { frame } = this, slot = frame % this._length;
    this.space.save(this._saves[slot]);
    if (frame % this._checkEvery === 0) this._keepCheckpoint(frame);
    const used = this._used[slot];
    for (let i = 0; i < this.players; ++i) used[i] = this._inputOf(i, frame);
    this._advance(this.space, used, frame);
    ++this.frame;
  }
  _keepCheckpoint(frame) {
    if (this.desync !== null) return; // they are what is compared
    const checkpoint = this._checkpoints[(frame / this._checkEvery) % this._checkpoints.length];
    checkpoint.frame = frame;
    checkpoint.hash = this.space.hash();
    this.space.save(checkpoint.snapshot);
  }
  _forgetOld() {
    const needed = Math.min(this._confirmed(), ...this._acknowledged.filter((_, i) => i !== this.local)) - this._length;
    for (const inputs of this._inputs) {
      for (const frame of inputs.keys()) {
        if (frame >= needed) break;
        inputs.delete(frame);
      }
    }
  }
  _sendInputs() {
    const own = this._inputs[this.local];
    let first = this._known[this.local];
    for (let i = 0; i < this.players; ++i) if (i !== this.local) first = Math.min(first, this._acknowledged[i]);
    const inputs = [];
    for (let frame = first; frame < this._known[this.local]; ++frame) inputs.push(own.get(frame));
    const checked = this._lastChecked;
    const checksum = checked < 0 ? null : { frame: checked, hash: this._checksums.get(checked) };
    this._send({ forkmunk: 1, from: this.local, first, inputs, known: [...this._known], checksum });
  }

  // Checkpoints become final once all inputs before them are known.
  _check() {
    const confirmed = this._firstWrong === Infinity ? this._confirmed() : Math.min(this._firstWrong, this._confirmed());
    for (const { frame, hash } of this._checkpoints) {
      if (frame < 0 || frame > confirmed || this._checksums.has(frame)) continue;
      this._checksums.set(frame, hash.toString(16));
      this._lastChecked = Math.max(this._lastChecked, frame);
    }
    if (this._checksums.size > CHECKSUMS_KEPT) this._checksums.delete(this._checksums.keys().next().value);
    for (const [key, { from, frame, hash }] of this._theirs) {
      const ours = this._checksums.get(frame);
      if (ours === undefined && frame > this._lastChecked) continue;
      this._theirs.delete(key);
      this._compared[from] = Math.max(this._compared[from], frame);
      if (ours === undefined) continue;
      ++this.stats.checksums;
      if (ours !== hash) this._report(from, frame, ours, hash);
    }
  }
  // Both send their state of that frame, once; who gets the other's compares.
  _report(from, frame, ours, theirs) {
    if (this.desync !== null) return;
    this.desync = { frame, from, ours, theirs, difference: null };
    const checkpoint = this._checkpointAt(frame);
    if (checkpoint !== undefined) this._sendState(checkpoint);
    else this._onDesync?.(this.desync);
  }
  _checkpointAt(frame) {
    return this._checkpoints.find((each) => each.frame === frame);
  }
  _sendState({ frame, snapshot }) {
    if (this._state !== null) return;
    this._state = { forkmunk: 1, from: this.local, frame, state: snapshot.toBytes() };
    this._resends = RESENDS * RESEND_TICKS;
    this._send(this._state);
  }
  // It may get lost, like any message.
  _resendState() {
    if (this._state === null || this._resends-- <= 0) return;
    if (this._resends % RESEND_TICKS === 0) this._send(this._state);
  }
  _compare({ from, frame, state }) {
    const checkpoint = this._checkpointAt(frame);
    if (this._hasDifference || checkpoint === undefined) return;
    let snapshot;
    try {
      snapshot = checkpoint.snapshot.constructor.fromBytes(state);
    } catch {
      return; // damaged on the way
    }
    this._hasDifference = true;
    this._sendState(checkpoint);
    try {
      const difference = differenceOf(this.space, checkpoint.snapshot, snapshot);
      this.desync = { from, ours: null, theirs: null, ...this.desync, frame, difference };
    } finally {
      snapshot.free();
    }
    this._onDesync?.(this.desync);
  }
}

/** Goes back some frames after each one, simulates them again, and compares: finds what a game keeps outside of its Space. */
export class SyncTest {
  constructor(space, options) {
    const { advance, distance = 4 } = checks.options(options, "SyncTest: options");
    this.space = isSpace(space, "SyncTest: space");
    this._advance = run(advance, "SyncTest: advance");
    this._distance = count(distance, 1, "SyncTest: distance");
    this.frame = 0;
    this._saves = Array.from({ length: distance + 1 }, () => ({ snapshot: space.save(), hash: space.hash(), inputs: null }));
  }
  /** Throws DesyncError where a frame that is simulated again ends in another state. */
  tick(inputs) {
    const length = this._saves.length;
    this._saves[this.frame % length].inputs = inputs;
    this._advance(this.space, inputs, this.frame);
    ++this.frame;
    this._keep(this._saves[this.frame % length]);
    const first = Math.max(0, this.frame - this._distance);
    this.space.restore(this._saves[first % length].snapshot);
    for (let frame = first; frame < this.frame; ++frame) {
      this._advance(this.space, this._saves[frame % length].inputs, frame);
      const expected = this._saves[(frame + 1) % length];
      if (this.space.hash() === expected.hash) continue;
      const found = this.space.save();
      const difference = differenceOf(this.space, expected.snapshot, found);
      found.free();
      throw new DesyncError({ frame: frame + 1, difference });
    }
  }
  free() {
    for (const { snapshot } of this._saves) snapshot.free();
  }
  _keep(save) {
    this.space.save(save.snapshot);
    save.hash = this.space.hash();
  }
}
