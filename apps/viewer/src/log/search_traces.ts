// Traces of `forkmunk play --trace`: the bots' debug texts, and the search traces of builtin planners.

import { SIDES, type Game, type Pair, type Point, type SearchTrace } from "./game";

/** Null, or: score or null (no plan was tried), simulated ticks, plan, terms, x, y, x, y, ... of both paths. */
type SearchTraceText = [number | null, number, string, number[], number[], number[]] | null;

/** A recording's key "thoughts": the names of both sides' terms, and the search traces by tick. */
export interface SearchTracesText {
  terms: Pair<string[]>;
  ticks: Pair<SearchTraceText>[];
}

function pointsOf(numbers: number[]): Point[] {
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }));
}

function searchTraceOf(text: SearchTraceText): SearchTrace | null {
  if (text === null) return null;
  const [score, simulatedTicks, plan, terms, path, enemyPath] = text;
  return { score, simulatedTicks, plan, terms, path: pointsOf(path), enemyPath: pointsOf(enemyPath) };
}

/** Copies the traces of a recording to the game. */
export function takeTrace(game: Game, debugTexts: Pair<string>[] | null, traces?: SearchTracesText): void {
  const at = <Value>(list: Value[], none: Value): Value[] =>
    Array.from({ length: 2 * game.tickCount }, (_, i) => list[i] ?? none);
  if (debugTexts !== null) game.said = at(debugTexts.flat(), "");
  if (traces === undefined) return;
  game.termNames = traces.terms;
  game.searchTraces = at(traces.ticks.flatMap((pair) => SIDES.map((side) => searchTraceOf(pair[side]))), null);
}
