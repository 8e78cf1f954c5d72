// A trace: what the bots said at each tick, and what the program's own planners thought. `forkmunk play --trace` writes both,
// beside the official keys.

import { SIDES, type Game, type Pair, type Point, type Thought } from "./game";

/** Null, or: score or null (no time for one plan), simulated ticks, plan, terms, x, y, x, y, ... of both ways. */
type ThoughtText = [number | null, number, string, number[], number[], number[]] | null;

/** A recording's `thoughts`; the names of both sides' terms. */
export interface ThoughtsText {
  terms: Pair<string[]>;
  ticks: Pair<ThoughtText>[];
}

function pointsOf(numbers: number[]): Point[] {
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }));
}

function thoughtOf(text: ThoughtText): Thought | null {
  if (text === null) return null;
  const [score, simulatedTicks, plan, terms, path, enemyPath] = text;
  return { score, simulatedTicks, plan, terms, path: pointsOf(path), enemyPath: pointsOf(enemyPath) };
}

/** Fills in what the recording carries. */
export function takeTrace(game: Game, said: Pair<string>[] | null, thoughts?: ThoughtsText): void {
  const at = <Value>(list: Value[], none: Value): Value[] =>
    Array.from({ length: 2 * game.tickCount }, (_, i) => list[i] ?? none);
  if (said !== null) game.said = at(said.flat(), "");
  if (thoughts === undefined) return;
  game.termNames = thoughts.terms;
  game.thoughts = at(thoughts.ticks.flatMap((pair) => SIDES.map((side) => thoughtOf(pair[side]))), null);
}
