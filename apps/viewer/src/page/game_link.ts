// Encodes games of the play page in its address, so that a position can be shared as a link:
//   map=PillMap&car=Buggy&matches=3&opponent=best&ms=2&side=1&seed=1&commands=e12i40z90
// Commands are runs: a letter for a pair (a to i: 3 * first + second, in the order left, stop, right; z: none), and a count.

import type { Names } from "../engine/module";
import type { Game, Side } from "../log/game";

/** Options of a new game. */
export interface GameSetup {
  map: string;
  car: string;
  matches: number;
  opponent: string;
  /** Milliseconds per tick for the opponent's search. */
  ms: number;
  /** The human's. */
  side: Side;
  seed: number;
}

export interface GameLink {
  setup: GameSetup;
  /** Two per tick: 0 left, 1 stop, 2 right, -1 none. */
  commands: Int8Array;
}

/** An invalid link; the message is one line for users. */
export class LinkError extends Error {}

export const MATCHES_MAX = 9;
export const MS_MAX = 100;
export const SEED_MAX = 999_999;
/** The length of the longest game. */
const TICKS_MAX = 20_000;
const NONE = "z";
const SHOWN_LENGTH_MAX = 40;

/** The commands of all ticks except the last, which has none yet. */
export function commandsText(game: Game): string {
  let text = "";
  let [letter, run] = ["", 0];
  for (let index = 0; index <= game.tickCount; ++index) {
    const at = 2 * index;
    const [first, second] = [game.commands[at], game.commands[at + 1]];
    const isPast = index < game.tickCount - 1 || (index < game.tickCount && game.finalLives !== null);
    const next = !isPast ? "" : first === 0 || second === 0 ? NONE : String.fromCharCode(97 + 3 * (first - 1) + second - 1);
    if (next === letter) ++run;
    else {
      if (run > 0 && letter !== "") text += letter + run;
      [letter, run] = [next, 1];
    }
  }
  return text;
}

export function linkText({ map, car, matches, opponent, ms, side, seed }: GameSetup, game: Game): string {
  const fields = new URLSearchParams({
    map, car, matches: String(matches), opponent, ms: String(ms), side: String(side + 1), seed: String(seed), commands: commandsText(game),
  });
  return fields.toString();
}

function fail(name: string, found: string, expected: string): never {
  const shown = found.length <= SHOWN_LENGTH_MAX ? found : found.slice(0, SHOWN_LENGTH_MAX) + "…";
  throw new LinkError(`${name}: found ${JSON.stringify(shown)}, expected ${expected}`);
}

function readCommands(text: string): Int8Array {
  const commands: number[] = [];
  let read = 0;
  for (const [whole, letter, digits] of text.matchAll(/([a-iz])([1-9][0-9]{0,4})/g)) {
    read += whole.length;
    const run = Number(digits);
    if (commands.length / 2 + run > TICKS_MAX) fail("commands", text, `at most ${TICKS_MAX} ticks`);
    const code = letter.charCodeAt(0) - 97;
    const pair = letter === NONE ? [-1, -1] : [Math.floor(code / 3), code % 3];
    for (let i = 0; i < run; ++i) commands.push(...pair);
  }
  if (read !== text.length) fail("commands", text, 'runs such as "e12i40": a letter from a to i or z, and a number of ticks');
  return Int8Array.from(commands);
}

/** Null if the address has no game. Throws a LinkError for an invalid one. */
export function readLink(hash: string, known: Names): GameLink | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  if (!["map", "car", "commands"].some((name) => fields.has(name))) return null;
  const oneOf = (name: string, names: string[]) => {
    const found = fields.get(name) ?? "";
    return names.includes(found) ? found : fail(name, found, `one of ${names.join(", ")}`);
  };
  const integer = (name: string, min: number, max: number, otherwise: number) => {
    const found = fields.get(name);
    if (found === null) return otherwise;
    const value = /^[0-9]{1,9}$/.test(found) ? Number(found) : NaN;
    return value >= min && value <= max ? value : fail(name, found, `an integer from ${min} to ${max}`);
  };
  const setup: GameSetup = {
    map: oneOf("map", known.maps),
    car: oneOf("car", known.cars),
    matches: integer("matches", 1, MATCHES_MAX, 3),
    opponent: fields.has("opponent") ? oneOf("opponent", known.planners) : known.planners[0],
    ms: integer("ms", 1, MS_MAX, 2),
    side: (integer("side", 1, 2, 1) - 1) as Side,
    seed: integer("seed", 0, SEED_MAX, 1),
  };
  return { setup, commands: readCommands(fields.get("commands") ?? "") };
}
