// SPDX-License-Identifier: MIT
// The worker.

import { SIDES, type Pair, type Side } from "../log/game";
import { textOf } from "./bytes";
import { Engine, type CreateModule, type Future, type LineState } from "./module";

/** The budget of futures, in simulated ticks: they are the same on every machine. */
const FUTURE_TICKS = 6000;
const SHOWN_MAX = 24;

export interface Futures {
  tried: Pair<number>;
  /** The futures of a side are in ascending order of score, the chosen one last. */
  list: Future[];
}

export type Driver =
  | { kind: "hand"; command: number }
  /** Repeats the commands of another line at the same tick of the same match, and stops after that match's end. */
  | { kind: "line"; line: number }
  | { kind: "planner"; planner: string; ms: number; seed: number };

export class Desk extends Engine {
  /** Planners and seeds by line. */
  private readonly seated = new Map<string, string>();

  private copied(line: number, side: Side, state: LineState, index: number): number {
    const { matches } = this.describe(line);
    const m = state.matches.length - 1;
    const at = (matches[m]?.first ?? Infinity) + index - state.matches[m].first;
    const command = at < (matches[m + 1]?.first ?? Infinity) ? this.commandAt(line, at, side) : -1;
    return command < 0 ? 1 : command;
  }

  private command(line: number, side: Side, driver: Driver, state: LineState, index: number): number {
    if (driver.kind === "hand") return driver.command;
    if (driver.kind === "line") return this.copied(driver.line, side, state, index);
    const who = `${driver.planner} ${driver.seed}`;
    if (this.seated.get(`${line} ${side}`) !== who) {
      this.seat(line, side, driver.planner, driver.seed);
      this.seated.set(`${line} ${side}`, who);
    }
    return this.decide(line, side, { ms: driver.ms }).command;
  }

  /** @param letters  for a recording without commands */
  async open(bytes: Uint8Array<ArrayBuffer>, name: string, letters?: Pair<string>) {
    const text = await textOf(bytes).catch((error: Error) => {
      throw new Error(`${name}: ${error.message}`);
    });
    const read = this.read(text, name);
    if (letters !== undefined) this.takeCommands(read.line, letters);
    return { read, ticks: this.ticks(read.line, 0), state: this.describe(read.line) };
  }

  /** Returns no futures while the match rests. Throws if the line has no state at the tick. */
  futuresAt(line: number, index: number): Futures {
    const from = this.fork(line, index);
    const futures: Futures = { tried: [0, 0], list: [] };
    if (this.describe(from).takesCommands) {
      for (const side of SIDES) {
        const found = this.futures(from, side, FUTURE_TICKS, SHOWN_MAX);
        futures.tried[side] = found.tried;
        futures.list.push(...found.futures);
      }
    }
    this.free(from);
    return futures;
  }

  /** The result begins with the last known tick, and has the longest time of a tick. */
  advance(line: number, drivers: [Driver, Driver], count: number) {
    const from = this.tickCount(line) - 1;
    let msMax = 0;
    for (let i = 0; i < count; ++i) {
      const start = performance.now();
      const state = this.describe(line);
      if (state.over) break;
      const index = this.tickCount(line) - 1;
      const commands = state.takesCommands
        ? drivers.map((driver, side) => this.command(line, side as Side, driver, state, index)) : [-1, -1];
      this.step(line, commands[0], commands[1]);
      msMax = Math.max(msMax, performance.now() - start);
    }
    return { ticks: this.ticks(line, from), state: this.describe(line), msMax };
  }
}

export interface Request {
  id: number;
  name: string;
  parameters: unknown[];
}
export interface Reply {
  id: number;
  value?: unknown;
  error?: string;
}

declare const createEngine: CreateModule; // defined before this script
let desk: Desk | null = null;

async function answer({ name, parameters }: Request): Promise<unknown> {
  if (name === "start") {
    desk = new Desk(await createEngine({ wasmBinary: parameters[0] as Uint8Array }));
    return true;
  }
  if (desk === null) throw new Error("the engine has not started");
  return (desk as unknown as Record<string, (...list: unknown[]) => unknown>)[name](...parameters);
}

// Requests run in the order of arrival.
let last: Promise<void> = Promise.resolve();
self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  last = last.then(async () => {
    const reply: Reply = { id: data.id };
    try {
      reply.value = await answer(data);
    } catch (error) {
      reply.error = error instanceof Error ? error.message : String(error);
    }
    self.postMessage(reply);
  });
});
