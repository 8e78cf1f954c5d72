// A trace: what the bots said at each tick, and what the program's own planners thought. `forkmunk play --trace` writes
// both, beside the official keys:
//   "trace":    [[text, text], …], parallel to the ticks
//   "thoughts": {"terms": [[name, …], [name, …]], "ticks": [[thought, thought], …]}, where a thought is null or
//               [score or null (no time for one plan), simulated ticks, plan, [term, …], [x, y, x, y, …], [x, y, …]]

import { asList, asNumber, asObject, fail, type Fields } from "./fields";
import { SIDES, type Game, type Pair, type Point, type Thought } from "./game";

const TEXT_MAX = 400;
const TERMS_MAX = 64;

function asText(value: unknown, path: string): string {
  if (typeof value !== "string") fail(path, value, "a text");
  return value.slice(0, TEXT_MAX);
}

function readSaid(value: unknown, game: Game): string[] {
  const list = asList(value, "trace");
  const said: string[] = new Array<string>(2 * game.tickCount).fill("");
  for (let index = 0; index < Math.min(game.tickCount, list.length); ++index) {
    const pair = asList(list[index], `trace[${index}]`, "a pair of texts");
    for (const side of SIDES) said[2 * index + side] = asText(pair[side] ?? "", `trace[${index}][${side}]`);
  }
  return said;
}

function readPath(value: unknown, path: string): Point[] {
  const numbers = asList(value, path, "a list of numbers");
  const points: Point[] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    points.push({ x: asNumber(numbers[i], `${path}[${i}]`), y: asNumber(numbers[i + 1], `${path}[${i + 1}]`) });
  }
  return points;
}

function readThought(value: unknown, path: string): Thought | null {
  if (value === null || value === undefined) return null;
  const entries = asList(value, path, "null or a thought");
  return {
    score: entries[0] === null ? null : asNumber(entries[0], `${path}[0]`),
    simulatedTicks: asNumber(entries[1], `${path}[1]`),
    plan: asText(entries[2], `${path}[2]`),
    terms: asList(entries[3], `${path}[3]`).slice(0, TERMS_MAX).map((term, i) => asNumber(term ?? 0, `${path}[3][${i}]`)),
    path: readPath(entries[4], `${path}[4]`),
    enemyPath: readPath(entries[5], `${path}[5]`),
  };
}

/** Fills in what the recording carries. */
export function readThoughts(game: Game, root: Fields): void {
  if (root.trace !== undefined && root.trace !== null) game.said = readSaid(root.trace, game);
  if (root.thoughts === undefined || root.thoughts === null) return;
  const thoughts = asObject(root.thoughts, "thoughts");
  const names = asList(thoughts.terms, "thoughts.terms", "the names of both sides' terms");
  game.termNames = SIDES.map((side) => {
    const path = `thoughts.terms[${side}]`;
    return asList(names[side], path).slice(0, TERMS_MAX).map((name, i) => asText(name, `${path}[${i}]`));
  }) as Pair<string[]>;
  const ticks = asList(thoughts.ticks, "thoughts.ticks");
  game.thoughts = new Array<Thought | null>(2 * game.tickCount).fill(null);
  for (let index = 0; index < Math.min(game.tickCount, ticks.length); ++index) {
    const pair = asList(ticks[index], `thoughts.ticks[${index}]`, "a pair of thoughts");
    for (const side of SIDES) {
      game.thoughts[2 * index + side] = readThought(pair[side], `thoughts.ticks[${index}][${side}]`);
    }
  }
}
