// The engine's WebAssembly module with types. Lines are games from their first tick to where they have been played: small
// numbers here, kept by the module until they are freed. Commands: 0 left, 1 stop, 2 right, -1 none.

import type { Pair, Side } from "../log/game";

/** What Emscripten makes of web/src/exports.cpp. */
interface Module {
  HEAPF64: Float64Array;
  HEAP8: Int8Array;
  HEAPU8: Uint8Array;
  UTF8ToString(text: number): string;
  _fm_numbers(count: number): number;
  _fm_numbers_now(): number;
  _fm_text(): number;
  _fm_open(): number;
  _fm_adopt(): number;
  _fm_mark(line: number, index: number, bytes: number): number;
  _fm_new(): number;
  _fm_fork(line: number, index: number): number;
  _fm_free(line: number): void;
  _fm_step(line: number, first: number, second: number): number;
  _fm_step_world(line: number, ticks: number): number;
  _fm_tick_count(line: number): number;
  _fm_states(line: number): number;
  _fm_flags(line: number): number;
  _fm_describe(line: number): number;
  _fm_hash(line: number): number;
  _fm_planners(): number;
  _fm_seat(line: number, player: number, planner: number, seed: number): number;
  _fm_decide(line: number, player: number, ms: number, ticks: number, enemyLast: number): number;
  _fm_futures(line: number, player: number, ticks: number, count: number): number;
}
export type CreateModule = (options: { wasmBinary: Uint8Array }) => Promise<Module>;

const FAILED = -1;
const STATE_SIZE = 19;
const FLAGS_SIZE = 4;

/** The first value in which a recording is not what our physics plays. */
export interface Difference {
  /** Counted from 0. */
  match: number;
  /** As the log counts them: tick_num. */
  tick: number;
  value: string;
  expected: number | null;
  found: number | null;
}

export interface Verdict {
  /** The recording's line, if it is exact. */
  line: number | null;
  ticks: number;
  mismatching: number;
  /** Whether the commands were not in the log, and found. */
  inferred: boolean;
  first: Difference | null;
}

export interface LineMatch {
  first: number;
  lives: Pair<number>;
  causes: Pair<string>;
}

export interface LineState {
  over: boolean;
  takesCommands: boolean;
  /** The first tick whose state is strict arithmetic's; those before it were recorded in another. */
  ownFrom: number;
  lives: Pair<number>;
  matches: LineMatch[];
}

/** Ticks of a line from some index on. */
export interface Ticks {
  from: number;
  states: Float64Array;
  /** 4 a tick: both alive, both commands. */
  flags: Int8Array;
}

export interface Decision {
  command: number;
  score: number | null;
  ticks: number;
  plan: string;
  reply: string;
}

/** A plan that the best planner has tried, as the way of its player's car. */
export interface Future {
  side: Side;
  /** Whether it is what the planner means to do. */
  chosen: boolean;
  /** Whether the player dies in it. */
  dies: boolean;
  /** Whether the opponent does, and the player not. */
  wins: boolean;
  /** The planner's, as it compares plans. */
  score: number;
  /** x, y, angle of the car's body, some ticks apart. */
  places: number[];
}

/** A state of a game in another arithmetic, as engine::Snapshot writes it. */
export interface State {
  index: number;
  bytes: Uint8Array;
}

/** How long a planner may think: simulated ticks, or milliseconds. */
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
  private give(numbers: Float64Array): void {
    const at = this.module._fm_numbers(numbers.length) / 8;
    this.module.HEAPF64.set(numbers, at);
  }

  /** Verifies a recording (recordingNumbers). Throws what keeps it from being told. */
  open(recording: Float64Array): Verdict {
    this.give(recording);
    const line = this.checked(this.module._fm_open());
    return { ...(JSON.parse(this.text()) as Verdict), line: line < 0 ? null : line };
  }
  /** The line of a recording in another arithmetic, with states from which it can be forked. */
  adopt(recording: Float64Array, states: State[]): number {
    this.give(recording);
    const line = this.checked(this.module._fm_adopt());
    for (const { index, bytes } of states) {
      const at = this.module._fm_numbers(Math.ceil(bytes.length / 8));
      this.module.HEAPU8.set(bytes, at);
      this.checked(this.module._fm_mark(line, index, bytes.length));
    }
    return line;
  }
  /** A line at the first tick of a schedule (scheduleNumbers). */
  create(schedule: Float64Array): number {
    this.give(schedule);
    return this.checked(this.module._fm_new());
  }
  fork(line: number, index: number): number {
    return this.checked(this.module._fm_fork(line, index));
  }
  free(line: number): void {
    this.module._fm_free(line);
  }
  /** Returns whether the game goes on. */
  step(line: number, first: number, second: number): boolean {
    return this.checked(this.module._fm_step(line, first, second)) === 1;
  }
  /** For checks: the world that the line stands in, by pairs of commands, without the rules of a game. */
  stepWorld(line: number, commands: Float64Array): void {
    this.give(commands);
    this.checked(this.module._fm_step_world(line, commands.length / 2));
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
  /** The command that a side took at a tick; -1 for none, and beyond the end. */
  commandAt(line: number, index: number, side: Side): number {
    if (index >= this.tickCount(line)) return -1;
    return this.module.HEAP8[this.module._fm_flags(line) + index * FLAGS_SIZE + 2 + side];
  }
  describe(line: number): LineState {
    this.checked(this.module._fm_describe(line));
    return JSON.parse(this.text()) as LineState;
  }
  hash(line: number): string {
    this.checked(this.module._fm_hash(line));
    return this.text();
  }
  planners(): string[] {
    this.module._fm_planners();
    return this.text().split(" ");
  }
  seat(line: number, side: Side, planner: string, seed: number): void {
    this.checked(this.module._fm_seat(line, side, this.planners().indexOf(planner), seed));
  }
  /** `plain`: with the opponent's last command given, in place of the line's. */
  decide(line: number, side: Side, budget: Budget, plain?: { enemyLast: number }): Decision {
    const [ms, ticks] = "ms" in budget ? [budget.ms, 0] : [0, budget.ticks];
    const command = this.checked(this.module._fm_decide(line, side, ms, ticks, plain?.enemyLast ?? -1));
    return { ...(JSON.parse(this.text()) as Decision), command };
  }
  /** What the best planner tries for a side where the line stands: `count` plans of all, and the chosen one. */
  futures(line: number, side: Side, ticks: number, count: number): { tried: number; futures: Future[] } {
    const size = this.checked(this.module._fm_futures(line, side, ticks, count));
    const begin = this.module._fm_numbers_now() / 8;
    const numbers = this.module.HEAPF64.slice(begin, begin + size);
    const futures: Future[] = [];
    for (let at = 0; at < size; ) {
      const [chosen, dies, wins, score, places] = numbers.subarray(at, at + 5);
      at += 5;
      futures.push({ side, chosen: chosen === 1, dies: dies === 1, wins: wins === 1, score, places: [...numbers.subarray(at, at + 3 * places)] });
      at += 3 * places;
    }
    return { tried: Number(this.text()), futures };
  }
}
