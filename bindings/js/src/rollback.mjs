// SPDX-License-Identifier: MIT
// Rollback over any transport: inputs are predicted, and a wrong prediction is corrected by going back to the state
// before it and simulating again. Messages are plain objects (a state in them is a Uint8Array); they may be lost, come
// late, twice and in any order.

import { checks, ForkmunkError, refuse } from "./checks.mjs";
import { plainCopy } from "./user_data.mjs";

const CHECKPOINTS_MORE = 8; // than those of frames that are not confirmed
const CHECKSUMS_KEPT = 64;
const RESENDS = 5, RESEND_TICKS = 20; // of a state after a desync
const FRAMES_AHEAD = 64; // beyond delay and prediction, of which a peer's inputs and checksums are kept
const HASH_LENGTH_MAX = 32, STATE_BYTES_MIN = 1 << 20; // a peer's state may have as many bytes, or four times ours

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

/** What a JSON transport delivers, also here: a frozen copy with 0 for -0. Anything that JSON would change is refused. */
const inputOf = (input, what) => plainCopy(input, what, (number) => number + 0);
const sameInput = (a, b) => a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
const count = (value, least, what) => (Number.isInteger(value) && value >= least ? value : refuse(what, value, `a whole number of at least ${least}`));
const isSpace = (value, what) => (typeof value?.firstDifference === "function" ? value : refuse(what, value, "a Space"));
const isFrame = (value) => Number.isInteger(value) && value >= 0;

/** Whether a message has the form of one; it may come from anywhere. */
function isMessage(message, players) {
  if (message?.forkmunk !== 1 || !isFrame(message.from) || message.from >= players) return false;
  if (message.state !== undefined) return ArrayBuffer.isView(message.state) && isFrame(message.frame);
  const { first, inputs, known, checksum } = message;
  if (!isFrame(first) || !Array.isArray(inputs) || !Array.isArray(known) || known.length !== players || !known.every(isFrame)) return false;
  return checksum === null || (isFrame(checksum?.frame) && typeof checksum.hash === "string" && checksum.hash.length <= HASH_LENGTH_MAX);
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
  #advance; #send; #predict; #onDesync; #firstInput; #prediction; #delay; #checkEvery;
  #length; // of the rings of states and used inputs
  #saves; #used; #inputs; #known; #acknowledged; #firstWrong; #checkpoints; #checksums; #theirs; #compared; #lastChecked;
  #state; // the message with our state, after a desync
  #resends = 0; // of that state, in ticks
  #hasReported = false;
  constructor(space, options) {
    const { players, local, advance, send, input = 0, delay = 2, prediction = 8, checkEvery = 30, predict = (last) => last, onDesync = null } = checks.options(options, "RollbackSession: options");
    this.space = isSpace(space, "RollbackSession: space");
    this.players = count(players, 1, "RollbackSession: players");
    this.local = count(local, 0, "RollbackSession: local");
    if (local >= players) refuse("RollbackSession: local", local, "a number below players");
    this.#advance = checks.run(advance, "RollbackSession: advance");
    this.#send = checks.run(send, "RollbackSession: send");
    this.#predict = checks.run(predict, "RollbackSession: predict");
    this.#onDesync = onDesync === null ? null : checks.run(onDesync, "RollbackSession: onDesync");
    this.#firstInput = inputOf(input, "RollbackSession: input");
    this.#prediction = count(prediction, 1, "RollbackSession: prediction");
    this.#delay = count(delay, 0, "RollbackSession: delay");
    this.#checkEvery = count(checkEvery, 1, "RollbackSession: checkEvery");
    /** The next frame to simulate. */
    this.frame = 0;
    /** Frames rolled back by the last tick(), and counts since the beginning. */
    this.stats = { rolledBack: 0, rollbacks: 0, framesRolledBack: 0, longest: 0, stalls: 0, checksums: 0 };
    this.desync = null;
    this.#length = prediction + 2;
    this.#saves = Array.from({ length: this.#length }, () => space.save());
    this.#used = Array.from({ length: this.#length }, () => new Array(players).fill(this.#firstInput));
    // What is known of each player: inputs by frame, the first frame that is not known.
    this.#inputs = Array.from({ length: players }, () => new Map());
    this.#known = new Array(players).fill(this.#delay);
    for (let frame = 0; frame < this.#delay; ++frame) this.#inputs.forEach((of) => of.set(frame, this.#firstInput));
    this.#acknowledged = new Array(players).fill(this.#delay); // of our inputs, by each player
    this.#firstWrong = Infinity;
    this.#checkpoints = Array.from({ length: CHECKPOINTS_MORE + Math.floor(prediction / checkEvery) }, () => ({ frame: -1, hash: null, snapshot: space.save() }));
    this.#checksums = new Map(); // of confirmed frames
    this.#theirs = new Map(); // that came and were not compared yet
    this.#compared = new Array(players).fill(-1); // the last frame of each player's
    this.#lastChecked = -1;
    this.#state = null;
  }

  /** Frames before it are final: all inputs are known. */
  get confirmedFrame() {
    return Math.min(this.frame, ...this.#known);
  }

  /**
   * Simulates a frame with the local player's input. Returns false, and does nothing, while inputs of others are missing
   * for too long. Where advance() throws, the session is as before, and the input is not kept.
   */
  tick(input) {
    const copy = inputOf(input, "RollbackSession.tick(): input");
    this.stats.rolledBack = 0;
    this.#rollBack();
    const unacknowledged = this.#known[this.local] - Math.min(...this.#acknowledged.filter((_, i) => i !== this.local));
    const waits = this.frame - this.#confirmed() >= this.#prediction || unacknowledged > this.#delay + this.#prediction + FRAMES_AHEAD;
    if (waits) {
      ++this.stats.stalls;
    } else {
      const frame = this.#known[this.local]++;
      this.#inputs[this.local].set(frame, copy);
      try {
        this.#simulate();
      } catch (error) {
        this.#known[this.local] = frame;
        this.#inputs[this.local].delete(frame);
        throw error;
      }
      this.#forgetOld();
    }
    this.#check();
    this.#resendState();
    this.#sendInputs();
    return !waits;
  }

  /** Processes a message that another player sent. Ignores anything that is not a message. */
  receive(message) {
    if (!isMessage(message, this.players) || message.from === this.local) return;
    if (message.state !== undefined) return this.#compare(message);
    const { from, first, inputs, known, checksum } = message;
    this.#acknowledged[from] = Math.max(this.#acknowledged[from], Math.min(known[this.local], this.#known[this.local]));
    const ahead = this.frame + this.#delay + this.#prediction + FRAMES_AHEAD;
    for (let frame = this.#known[from]; frame >= first && frame < Math.min(first + inputs.length, ahead); ++frame) {
      let input;
      try {
        input = inputOf(inputs[frame - first], "input");
      } catch {
        return; // no player sends it
      }
      ++this.#known[from];
      this.#inputs[from].set(frame, input);
      if (frame < this.frame && !sameInput(this.#used[frame % this.#length][from], input)) this.#firstWrong = Math.min(this.#firstWrong, frame);
    }
    if (checksum !== null && checksum.frame > this.#compared[from] && checksum.frame < ahead) {
      this.#theirs.set(`${from} ${checksum.frame}`, { from, frame: checksum.frame, hash: checksum.hash });
    }
  }

  /** Frees the saved states. */
  free() {
    for (const save of this.#saves) save.free();
    for (const { snapshot } of this.#checkpoints) snapshot.free();
  }

  #confirmed() {
    let least = Infinity;
    for (let i = 0; i < this.players; ++i) if (i !== this.local && this.#known[i] < least) least = this.#known[i];
    return Math.min(least, this.frame);
  }
  #inputOf(player, frame) {
    const inputs = this.#inputs[player];
    const known = inputs.get(frame);
    if (known !== undefined) return known;
    return inputOf(this.#predict(inputs.get(this.#known[player] - 1) ?? this.#firstInput, player, frame), "RollbackSession: predict()");
  }
  #rollBack() {
    if (this.#firstWrong >= this.frame) return;
    const present = this.frame, wrong = this.#firstWrong, frames = present - wrong;
    const before = this.space.save(this.#saves[present % this.#length]);
    this.space.restore(this.#saves[wrong % this.#length]);
    this.frame = wrong;
    try {
      while (this.frame < present) this.#simulate();
    } catch (error) {
      this.space.restore(before);
      this.frame = present;
      throw error;
    }
    this.#firstWrong = Infinity;
    const { stats } = this;
    stats.rolledBack = frames;
    stats.framesRolledBack += frames;
    ++stats.rollbacks;
    stats.longest = Math.max(stats.longest, frames);
  }
  #simulate() {
    const { frame } = this, slot = frame % this.#length;
    this.space.save(this.#saves[slot]);
    if (frame % this.#checkEvery === 0) this.#keepCheckpoint(frame);
    const used = this.#used[slot];
    for (let i = 0; i < this.players; ++i) used[i] = this.#inputOf(i, frame);
    try {
      this.#advance(this.space, used, frame);
    } catch (error) {
      this.space.restore(this.#saves[slot]);
      throw error;
    }
    ++this.frame;
  }
  #keepCheckpoint(frame) {
    if (this.desync !== null) return; // they are what is compared
    const checkpoint = this.#checkpoints[(frame / this.#checkEvery) % this.#checkpoints.length];
    checkpoint.frame = frame;
    checkpoint.hash = this.space.hash();
    this.space.save(checkpoint.snapshot);
  }
  #forgetOld() {
    const needed = Math.min(this.#confirmed(), ...this.#acknowledged.filter((_, i) => i !== this.local)) - this.#length;
    for (const inputs of this.#inputs) {
      for (const frame of inputs.keys()) {
        if (frame >= needed) break;
        inputs.delete(frame);
      }
    }
  }
  #sendInputs() {
    const own = this.#inputs[this.local];
    let first = this.#known[this.local];
    for (let i = 0; i < this.players; ++i) if (i !== this.local) first = Math.min(first, this.#acknowledged[i]);
    const inputs = [];
    for (let frame = first; frame < this.#known[this.local]; ++frame) inputs.push(own.get(frame));
    const checked = this.#lastChecked;
    const checksum = checked < 0 ? null : { frame: checked, hash: this.#checksums.get(checked) };
    this.#send({ forkmunk: 1, from: this.local, first, inputs, known: [...this.#known], checksum });
  }

  // Checkpoints become final once all inputs before them are known.
  #check() {
    const confirmed = this.#firstWrong === Infinity ? this.#confirmed() : Math.min(this.#firstWrong, this.#confirmed());
    for (const { frame, hash } of this.#checkpoints) {
      if (frame < 0 || frame > confirmed || this.#checksums.has(frame)) continue;
      this.#checksums.set(frame, hash.toString(16));
      this.#lastChecked = Math.max(this.#lastChecked, frame);
    }
    if (this.#checksums.size > CHECKSUMS_KEPT) this.#checksums.delete(this.#checksums.keys().next().value);
    for (const [key, { from, frame, hash }] of this.#theirs) {
      const ours = this.#checksums.get(frame);
      if (ours === undefined && frame > this.#lastChecked) continue;
      this.#theirs.delete(key);
      this.#compared[from] = Math.max(this.#compared[from], frame);
      if (ours === undefined) continue;
      ++this.stats.checksums;
      if (ours !== hash) this.#report(from, frame, ours, hash);
    }
  }
  // Both send their state of that frame, once; who gets the other's compares.
  #report(from, frame, ours, theirs) {
    if (this.desync !== null) return;
    this.desync = { frame, from, ours, theirs, difference: null };
    const checkpoint = this.#checkpointAt(frame);
    if (checkpoint === undefined || !this.#sendState(checkpoint)) this.#reportDesync();
  }
  /** Calls onDesync, once. */
  #reportDesync() {
    if (this.#hasReported) return;
    this.#hasReported = true;
    this.#onDesync?.(this.desync);
  }
  #checkpointAt(frame) {
    return this.#checkpoints.find((each) => each.frame === frame);
  }
  /** Returns false for a state that cannot travel. */
  #sendState({ frame, snapshot }) {
    if (this.#state !== null) return true;
    try {
      this.#state = { forkmunk: 1, from: this.local, frame, state: snapshot.toBytes() };
    } catch (cause) {
      this.desync = { ...this.desync, frame, cause };
      return false;
    }
    this.#resends = RESENDS * RESEND_TICKS;
    this.#send(this.#state);
    return true;
  }
  // It may get lost, like any message.
  #resendState() {
    if (this.#state === null || this.#resends-- <= 0) return;
    if (this.#resends === 0) this.#reportDesync();
    else if (this.#resends % RESEND_TICKS === 0) this.#send(this.#state);
  }
  #compare({ from, frame, state }) {
    const checkpoint = this.#checkpointAt(frame);
    if (this.#hasReported || checkpoint === undefined) return;
    if (state.byteLength > Math.max(STATE_BYTES_MIN, 4 * checkpoint.snapshot.sizeBytes)) return;
    let snapshot;
    try {
      snapshot = checkpoint.snapshot.constructor.fromBytes(state);
    } catch {
      return; // damaged on the way
    }
    try {
      const difference = differenceOf(this.space, checkpoint.snapshot, snapshot);
      if (difference === null && from !== this.desync?.from) return; // another player who differs from the wrong one, as we do
      this.desync = { ours: null, theirs: null, ...this.desync, from, frame, difference };
    } finally {
      snapshot.free();
    }
    this.#sendState(checkpoint);
    this.#reportDesync();
  }
}

/** Goes back some frames after each one, simulates them again, and compares: finds what a game keeps outside of its Space. */
export class SyncTest {
  #advance; #distance; #saves;
  constructor(space, options) {
    const { advance, distance = 4 } = checks.options(options, "SyncTest: options");
    this.space = isSpace(space, "SyncTest: space");
    this.#advance = checks.run(advance, "SyncTest: advance");
    this.#distance = count(distance, 1, "SyncTest: distance");
    this.frame = 0;
    this.#saves = Array.from({ length: distance + 1 }, () => ({ snapshot: space.save(), hash: space.hash(), inputs: null }));
  }
  /** Throws DesyncError where a frame that is simulated again ends in another state. */
  tick(inputs) {
    const length = this.#saves.length;
    const before = this.#saves[this.frame % length];
    before.inputs = inputOf(inputs, "SyncTest.tick(): inputs");
    try {
      this.#advance(this.space, before.inputs, this.frame);
    } catch (error) {
      this.space.restore(before.snapshot);
      throw error;
    }
    ++this.frame;
    this.#keep(this.#saves[this.frame % length]);
    const first = Math.max(0, this.frame - this.#distance);
    this.space.restore(this.#saves[first % length].snapshot);
    for (let frame = first; frame < this.frame; ++frame) {
      this.#advance(this.space, this.#saves[frame % length].inputs, frame);
      const expected = this.#saves[(frame + 1) % length];
      if (this.space.hash() === expected.hash) continue;
      const found = this.space.save();
      const difference = differenceOf(this.space, expected.snapshot, found);
      found.free();
      throw new DesyncError({ frame: frame + 1, difference });
    }
  }
  free() {
    for (const { snapshot } of this.#saves) snapshot.free();
  }
  #keep(save) {
    this.space.save(save.snapshot);
    save.hash = this.space.hash();
  }
}
