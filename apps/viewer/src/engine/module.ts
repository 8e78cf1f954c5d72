// SPDX-License-Identifier: MIT
// The engine's WebAssembly module. A line is a game up to its last tick (wasm/line.h), by number, until it is freed.
// Commands: 0 left, 1 stop, 2 right, -1 none.

import type { MatchShape, Pair, SearchTracesText, Side } from "../log/game";

/** apps/viewer/wasm/exports.cpp */
interface Module {
  HEAPF64: Float64Array;
  HEAP8: Int8Array;
  HEAPU8: Uint8Array;
  UTF8ToString(text: number): string;
  _fm_input(size: number): number;
  _fm_numbers(): number;
  _fm_text(): number;
  _fm_read(): number;
  _fm_new(matches: number): number;
  _fm_verify(line: number): number;
  _fm_find_causes(line: number): number;
  _fm_take_commands(line: number): number;
  _fm_mark(line: number, index: number): number;
  _fm_recording(line: number, checks: number): number;
  _fm_fork(line: number, index: number): number;
  _fm_free(line: number): void;
  _fm_step(line: number, first: number, second: number): number;
  _fm_step_world(line: number): number;
  _fm_tick_count(line: number): number;
  _fm_states(line: number): number;
  _fm_flags(line: number): number;
  _fm_describe(line: number): number;
  _fm_hash(line: number): number;
  _fm_names(): number;
  _fm_seat(line: number, player: number, seed: number): number;
  _fm_decide(line: number, player: number, ms: number, ticks: number, enemyLast: number): number;
  _fm_futures(line: number, player: number, ticks: number, count: number): number;
}
export type CreateModule = (options: { wasmBinary: Uint8Array }) => Promise<Module>;

const FAILED = -1;
const STATE_SIZE = 19;
const FLAGS_SIZE = 4;

export interface NewLine {
  line: number;
  matches: MatchShape[];
}

export interface ReadLine extends NewLine {
  players: Pair<string>;
  hasCommands: boolean;
  /** Debug texts by tick. */
  said: Pair<string>[] | null;
  thoughts?: SearchTracesText;
}

export interface Difference {
  /** 0-based. */
  match: number;
  /** The tick_num. */
  tick: number;
  /** The tick of the match. */
  match_tick: number;
  value: string;
  expected: number | null;
  found: number | null;
}

export interface Verdict {
  exact: boolean;
  ticks: number;
  mismatching: number;
  /** True if the recording has no commands. */
  inferred: boolean;
  first: Difference | null;
  labels: LabelProblem[];
}

/** An external id or a name of a match that contradicts its map or car. */
export interface LabelProblem {
  match: number;
  text: string;
}

export interface LineMatch {
  first: number;
  lives: Pair<number>;
  deaths: Pair<{ tick: number; cause: string | null } | null>;
}

export interface LineState {
  over: boolean;
  takesCommands: boolean;
  /** The first tick in strict arithmetic; earlier ones are recorded in another one, or not verified. */
  ownFrom: number;
  lives: Pair<number>;
  matches: LineMatch[];
}

export interface Names {
  maps: string[];
  cars: string[];
  planners: string[];
}

export interface Ticks {
  from: number;
  states: Float64Array;
  /** Four numbers per tick: both alive flags (-1 if unknown), both commands. */
  flags: Int8Array;
}

export interface Decision {
  command: number;
  score: number | null;
  ticks: number;
  plan: string;
  reply: string;
}

/** A plan that the best planner has tried, as the path of its player's car. */
export interface Future {
  side: Side;
  /** True for the planner's choice. */
  chosen: boolean;
  /** True if the player dies in the plan. */
  dies: boolean;
  /** The planner's score of the plan. */
  score: number;
  /** x, y and angle of the car's body, some ticks apart. */
  poses: number[];
}

/** A state of a game in another arithmetic, in the format of engine::Snapshot. */
export interface State {
  index: number;
  bytes: Uint8Array;
}

/** The budget of a planner: simulated ticks, or milliseconds. */
export type Budget = { ticks: number } | { ms: number };

export class Engine {
  constructor(private readonly module: Module) {}

  private text(): string {
    return this.module.UTF8ToString(this.module._fm_text());
  }
  private checked(result: number): number {
    if (result === FAILED) throw new Error(this.text());
    return result;
  }
  private answer<Value>(result: number): Value {
    this.checked(result);
    return JSON.parse(this.text()) as Value;
  }
  private give(bytes: Uint8Array | string): void {
    const given = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
    const at = this.module._fm_input(given.length);
    this.module.HEAPU8.set(given, at);
  }

  read(text: Uint8Array, name: string): ReadLine {
    this.give(name);
    this.give(text);
    return this.answer<ReadLine>(this.module._fm_read());
  }
  create(map: string, car: string, matches: number): NewLine {
    this.give(map);
    this.give(car);
    return this.answer<NewLine>(this.module._fm_new(matches));
  }
  /** Replays a recorded line, which can be forked if it is exact. Throws if it cannot be replayed. */
  verify(line: number): Verdict {
    return this.answer<Verdict>(this.module._fm_verify(line));
  }
  findCauses(line: number): LineState {
    this.checked(this.module._fm_find_causes(line));
    return this.describe(line);
  }
  /** Sets commands: for each side a string with a letter per tick. */
  takeCommands(line: number, letters: Pair<string>): void {
    for (const side of letters) this.give(side);
    this.checked(this.module._fm_take_commands(line));
  }
  mark(line: number, states: State[]): void {
    for (const { index, bytes } of states) {
      this.give(bytes);
      this.checked(this.module._fm_mark(line, index));
    }
  }
  /** Returns a line as the text of a recording. With `checks`, throws unless a replay is exact. */
  recording(line: number, players: Pair<string>, checks: boolean): string {
    for (const name of players) this.give(name);
    this.checked(this.module._fm_recording(line, checks ? 1 : 0));
    return this.text();
  }
  fork(line: number, index: number): number {
    return this.checked(this.module._fm_fork(line, index));
  }
  free(line: number): void {
    this.module._fm_free(line);
  }
  /** Returns whether the game continues. */
  step(line: number, first: number, second: number): boolean {
    return this.checked(this.module._fm_step(line, first, second)) === 1;
  }
  /** Steps the world by pairs of commands, without the rules of a game, for tests. */
  stepWorld(line: number, commands: Uint8Array): void {
    this.give(commands);
    this.checked(this.module._fm_step_world(line));
  }
  tickCount(line: number): number {
    return this.checked(this.module._fm_tick_count(line));
  }
  ticks(line: number, from: number): Ticks {
    const count = this.tickCount(line);
    const states = this.module._fm_states(line) / 8;
    const flags = this.module._fm_flags(line);
    return {
      from,
      states: this.module.HEAPF64.slice(states + from * STATE_SIZE, states + count * STATE_SIZE),
      flags: this.module.HEAP8.slice(flags + from * FLAGS_SIZE, flags + count * FLAGS_SIZE),
    };
  }
  /** Returns the command of a side at a tick; -1 for none, and beyond the end. */
  commandAt(line: number, index: number, side: Side): number {
    if (index >= this.tickCount(line)) return -1;
    return this.module.HEAP8[this.module._fm_flags(line) + index * FLAGS_SIZE + 2 + side];
  }
  describe(line: number): LineState {
    return this.answer<LineState>(this.module._fm_describe(line));
  }
  hash(line: number): string {
    this.checked(this.module._fm_hash(line));
    return this.text();
  }
  names(): Names {
    return this.answer<Names>(this.module._fm_names());
  }
  seat(line: number, side: Side, planner: string, seed: number): void {
    this.give(planner);
    this.checked(this.module._fm_seat(line, side, seed));
  }
  /** @param plain  replaces the opponent's last command of the line */
  decide(line: number, side: Side, budget: Budget, plain?: { enemyLast: number }): Decision {
    const [ms, ticks] = "ms" in budget ? [budget.ms, 0] : [0, budget.ticks];
    const command = this.checked(this.module._fm_decide(line, side, ms, ticks, plain?.enemyLast ?? -1));
    return { ...(JSON.parse(this.text()) as Decision), command };
  }
  futures(line: number, side: Side, ticks: number, count: number): { tried: number; futures: Future[] } {
    const size = this.checked(this.module._fm_futures(line, side, ticks, count));
    const begin = this.module._fm_numbers() / 8;
    const numbers = this.module.HEAPF64.slice(begin, begin + size);
    const futures: Future[] = [];
    for (let at = 0; at < size; ) {
      const [chosen, dies, score, poses] = numbers.subarray(at, at + 4);
      at += 4;
      futures.push({ side, chosen: chosen === 1, dies: dies === 1, score, poses: [...numbers.subarray(at, at + 3 * poses)] });
      at += 3 * poses;
    }
    return { tried: Number(this.text()), futures };
  }
}
