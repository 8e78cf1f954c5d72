// SPDX-License-Identifier: MIT
// The engine's WebAssembly module. A line is a game up to its last tick (wasm/line.h), by number, until it is freed.
// Commands: 0 left, 1 stop, 2 right, -1 none.

import { STATE_SIZE, type MatchShape, type Pair, type SearchTracesText, type Side } from "../log/game";

/** apps/viewer/wasm/exports.cpp */
interface Module {
  HEAPF64: Float64Array;
  HEAP8: Int8Array;
  HEAPU8: Uint8Array;
  UTF8ToString(text: number): string;
  [name: `_fm_${string}`]: (...parameters: number[]) => number;
}
export type CreateModule = (options: { wasmBinary: Uint8Array }) => Promise<Module>;

const FAILED = -1;

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
  arithmetic: "strict" | "referee";
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
  /** Both commands of each tick. */
  commands: Int8Array;
}

export interface Decision {
  command: number;
  score: number | null;
  ticks: number;
  plan: string;
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

/** The budget of a planner: simulated ticks, or milliseconds. */
export type Budget = { ticks: number } | { ms: number };

export class Engine {
  constructor(private readonly module: Module) {}

  private get text(): string {
    return this.module.UTF8ToString(this.module._fm_text());
  }
  /** Calls a function of the module, after its inputs. */
  private run(name: string, parameters: number[] = [], ...inputs: (Uint8Array | string)[]): number {
    for (const input of inputs) {
      const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
      const at = this.module._fm_input(bytes.length);
      this.module.HEAPU8.set(bytes, at);
    }
    const result = this.module[`_fm_${name}`](...parameters);
    if (result === FAILED) throw new Error(this.text);
    return result;
  }
  private ask<Value>(name: string, parameters: number[] = [], ...inputs: (Uint8Array | string)[]): Value {
    this.run(name, parameters, ...inputs);
    return JSON.parse(this.text) as Value;
  }

  read(text: Uint8Array, name: string): ReadLine {
    return this.ask("read", [], name, text);
  }
  create(map: string, car: string, matches: number): NewLine {
    return this.ask("new", [matches], map, car);
  }
  /** Replays a recorded line, which can be forked if it is exact. Throws if it cannot be replayed. */
  verify(line: number): Verdict {
    return this.ask("verify", [line]);
  }
  findCauses(line: number): LineState {
    this.run("find_causes", [line]);
    return this.describe(line);
  }
  /** Sets commands: for each side a string with a letter per tick. */
  takeCommands(line: number, letters: Pair<string>): void {
    this.run("take_commands", [line], ...letters);
  }
  /** Adds states of a game in another arithmetic. */
  mark(line: number, every: number, states: Uint8Array): void {
    this.run("mark", [line, every], states);
  }
  /** Returns a line as the text of a recording. With `checks`, throws unless a replay is exact. */
  recording(line: number, players: Pair<string>, checks: boolean): string {
    this.run("recording", [line, Number(checks)], ...players);
    return this.text;
  }
  fork(line: number, index: number): number {
    return this.run("fork", [line, index]);
  }
  free(line: number): void {
    this.run("free", [line]);
  }
  /** Returns whether the game continues. */
  step(line: number, first: number, second: number): boolean {
    return this.run("step", [line, first, second]) === 1;
  }
  /** Steps the world by pairs of commands, without the rules of a game, for tests. */
  stepWorld(line: number, commands: Uint8Array): void {
    this.run("step_world", [line], commands);
  }
  tickCount(line: number): number {
    return this.run("tick_count", [line]);
  }
  ticks(line: number, from: number, count = this.tickCount(line) - from): Ticks {
    this.run("take_ticks", [line, from, count]);
    const states = this.module._fm_states() / 8, commands = this.module._fm_commands();
    return {
      from, states: this.module.HEAPF64.slice(states, states + count * STATE_SIZE),
      commands: this.module.HEAP8.slice(commands, commands + 2 * count),
    };
  }
  /** Returns the command of a side at a tick; -1 for none, and beyond the end. */
  commandAt(line: number, index: number, side: Side): number {
    if (index >= this.tickCount(line)) return -1;
    return this.ticks(line, index, 1).commands[side];
  }
  describe(line: number): LineState {
    return this.ask("describe", [line]);
  }
  hash(line: number): string {
    this.run("hash", [line]);
    return this.text;
  }
  names(): Names {
    return this.ask("names");
  }
  seat(line: number, side: Side, planner: string, seed: number): void {
    this.run("seat", [line, side, seed], planner);
  }
  decide(line: number, side: Side, budget: Budget): Decision {
    const [ms, ticks] = "ms" in budget ? [budget.ms, 0] : [0, budget.ticks];
    return this.ask("decide", [line, side, ms, ticks]);
  }
  futures(line: number, side: Side, ticks: number, count: number): { tried: number; futures: Future[] } {
    return this.ask("futures", [line, side, ticks, count]);
  }
}
