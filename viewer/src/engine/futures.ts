// What may come from a tick on: plans that the best planner tries there, each played against the reply that it expects. As many
// simulated ticks everywhere, so that a tick has the same futures on every machine.

import { SIDES, type Pair } from "../log/game";
import type { Engine, Future } from "./module";

const FUTURE_TICKS = 6000;
const SHOWN_MAX = 24;

export interface Futures {
  /** How many plans were tried for each side. */
  tried: Pair<number>;
  /** Some of them, by side, the worst first and the chosen one last. */
  list: Future[];
}

/** Of both sides; none where the match rests, or the line has no state. */
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
