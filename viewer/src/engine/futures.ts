// What may come from a tick on: the plan that a planner chooses, and plans of two held commands, each played against the reply
// that the planner expects, and scored where it ends by the planner's evaluator.

import type { Side } from "../log/game";
import type { Engine } from "./module";

export interface Future {
  side: Side;
  /** Whether it is the planner's own plan. */
  chosen: boolean;
  /** Whether the player dies in it. */
  dies: boolean;
  score: number;
  /** x, y, angle of the car's body, some ticks apart. */
  places: number[];
}

const PLANNER = "best";
const FIRST_HELD_TICKS = 16;
const POINT_TICKS = 3;
const STATE_SIZE = 19;
const CAR_SIZE = 9;

/** Nine plans of that length: one command held for a while, then one for the rest. */
function twoHeld(length: number): string[] {
  return ["0", "1", "2"].flatMap((first) => ["0", "1", "2"].map((then) => (first.repeat(FIRST_HELD_TICKS) + then.repeat(length)).slice(0, length)));
}

function played(engine: Engine, from: number, side: Side, plan: string, reply: string): Omit<Future, "chosen"> {
  const line = engine.fork(from, engine.tickCount(from) - 1);
  const start = engine.tickCount(line) - 1;
  let dies = false;
  for (let i = 0; i < plan.length && !dies; ++i) {
    if (!engine.describe(line).takesCommands) break;
    const mine = Number(plan[i]);
    const other = reply === "" ? 1 : Number(reply[Math.min(i, reply.length - 1)]);
    engine.step(line, side === 0 ? mine : other, side === 0 ? other : mine);
    dies = engine.isDead(line, side);
  }
  const { states } = engine.ticks(line, start);
  const places: number[] = [];
  const count = states.length / STATE_SIZE;
  for (let i = 0; i < count; i = i === count - 1 ? count : Math.min(count - 1, i + POINT_TICKS)) {
    places.push(...states.subarray(i * STATE_SIZE + side * CAR_SIZE, i * STATE_SIZE + side * CAR_SIZE + 3));
  }
  const score = engine.score(line, side);
  engine.free(line);
  return { side, dies, score, places };
}

/** Of both sides; none where the match rests. `ms` is what each side's planner has. */
export function futuresOf(engine: Engine, line: number, index: number, ms: number): Future[] {
  const from = engine.fork(line, index);
  const futures: Future[] = [];
  if (engine.describe(from).takesCommands) {
    for (const side of [0, 1] as const) {
      engine.seat(from, side, PLANNER, 1);
      const { plan, reply } = engine.decide(from, side, { ms });
      if (plan === "") continue;
      for (const other of twoHeld(plan.length)) futures.push({ ...played(engine, from, side, other, reply), chosen: false });
      futures.push({ ...played(engine, from, side, plan, reply), chosen: true });
    }
  }
  engine.free(from);
  return futures;
}
