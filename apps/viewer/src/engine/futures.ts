// Futures of a tick: plans that the best planner tries there, each against the reply that it expects. The budget is in
// simulated ticks, so that a tick has the same futures on every machine.

import { SIDES, type Pair } from "../log/game";
import type { Engine, Future } from "./module";

const FUTURE_TICKS = 6000;
const SHOWN_MAX = 24;

export interface Futures {
  /** Number of plans tried for each side. */
  tried: Pair<number>;
  /** Some of the plans, by side, in ascending order of score, the chosen one last. */
  list: Future[];
}

/** The futures of both sides; none while the match rests, or if the line has no state there. */
export function futuresOf(engine: Engine, line: number, index: number): Futures {
  const from = engine.fork(line, index);
  const futures: Futures = { tried: [0, 0], list: [] };
  if (engine.describe(from).takesCommands) {
    for (const side of SIDES) {
      const found = engine.futures(from, side, FUTURE_TICKS, SHOWN_MAX);
      futures.tried[side] = found.tried;
      futures.list.push(...found.futures);
    }
  }
  engine.free(from);
  return futures;
}
