// Runs in a worker: the engine's module, called by messages, so that the page never waits for it.

import type { Side } from "../log/game";
import { Engine, type CreateModule, type LineState, type Ticks } from "./module";

/** Who drives a car. */
export type Driver =
  | { kind: "hand"; command: number }
  /** The commands of another line, tick by tick; stop after its end. */
  | { kind: "line"; line: number }
  /** `seed` only counts when the planner sits down. */
  | { kind: "planner"; planner: string; ms: number; seed: number };

export interface Advance {
  ticks: Ticks;
  state: LineState;
  /** What the tick took that took longest, in milliseconds. */
  msMax: number;
}

/** What the page can ask for, beside the engine's own functions. */
class Desk extends Engine {
  /** Who sits where, by line: planner and seed. */
  private readonly seated = new Map<string, string>();

  private command(line: number, side: Side, driver: Driver, index: number): number {
    if (driver.kind === "hand") return driver.command;
    if (driver.kind === "line") {
      const command = this.commandAt(driver.line, index, side);
      return command < 0 ? 1 : command;
    }
    const who = `${driver.planner} ${driver.seed}`;
    if (this.seated.get(`${line} ${side}`) !== who) {
      this.seat(line, side, driver.planner, driver.seed);
      this.seated.set(`${line} ${side}`, who);
    }
    return this.decide(line, side, { ms: driver.ms }).command;
  }

  /** Plays some ticks, as long as the game goes on. The ticks that come back begin with the one that it stood at. */
  advance(line: number, drivers: [Driver, Driver], count: number): Advance {
    const from = this.tickCount(line) - 1;
    let msMax = 0;
    for (let i = 0; i < count; ++i) {
      const start = performance.now();
      const { takesCommands, over } = this.describe(line);
      if (over) break;
      const index = this.tickCount(line) - 1;
      const commands = takesCommands
        ? drivers.map((driver, side) => this.command(line, side as Side, driver, index)) : [-1, -1];
      this.step(line, commands[0], commands[1]);
      msMax = Math.max(msMax, performance.now() - start);
    }
    return { ticks: this.ticks(line, from), state: this.describe(line), msMax };
  }
}

export type Calls = Omit<Desk, "give" | "text" | "checked">;
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

declare const createEngine: CreateModule; // in front of this script
let desk: Desk | null = null;

async function answer({ name, parameters }: Request): Promise<unknown> {
  if (name === "start") {
    desk = new Desk(await createEngine({ wasmBinary: parameters[0] as Uint8Array }));
    return true;
  }
  if (desk === null) throw new Error("the engine has not started");
  return (desk as unknown as Record<string, (...list: unknown[]) => unknown>)[name](...parameters);
}

// One after the other, in the order in which they came.
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
