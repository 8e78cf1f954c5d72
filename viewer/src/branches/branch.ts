// What was played in the page instead of what was recorded: each branch is a whole game, from the recording's first tick on,
// that the engine keeps as a line and the page as a Game that grows.

import type { LineState, Ticks } from "../engine/module";
import { SIDES, STATE_SIZE, type Game, type Match, type Pair } from "../log/game";

export interface Branch {
  /** 0 is the recording. */
  id: number;
  parent: Branch | null;
  /** The tick at which it leaves its parent, counted over the game. */
  from: number;
  /** The first tick in strict arithmetic; 0 unless the recording is in another. */
  ownFrom: number;
  line: number;
  game: Game;
  over: boolean;
  /** Who drove last. */
  drivers: Pair<string>;
}

/** How many branches lie between it and the recording, itself included. */
export function depthOf({ parent }: Branch): number {
  return parent === null ? 0 : 1 + depthOf(parent);
}

export function nameOf({ id, parent, game }: Branch): string {
  if (parent === null) return game.isBranch === true ? "start" : "recorded";
  return id === 1 && parent.game.isBranch === true ? "your game" : `branch ${id}`;
}

type Numbers = Float64Array | Uint8Array | Int32Array;

/** The same array, or one that has room for `length`. */
function roomFor<List extends Numbers>(list: List, length: number): List {
  if (list.length >= length) return list;
  const larger = new (list.constructor as new (size: number) => List)(Math.max(length, 2 * list.length));
  larger.set(list as never);
  return larger;
}

/** A game with no ticks yet, of the same matches. */
export function emptyGame(recorded: Game, fileName: string, players: Pair<string>): Game {
  return {
    ...recorded, isBranch: true, fileName, players, matches: [], finalLives: null, tickCount: 0, states: new Float64Array(),
    tickNums: new Int32Array(), alive: new Uint8Array(), commands: new Uint8Array(), commandsFrom: "log", said: null,
    thoughts: null, termNames: [[], []],
  };
}

/** Matches that were over before a branch began are its parent's; an engine does not know how adopted ones ended. */
export function inheritDeaths(game: Game, parent: Game): void {
  game.matches.slice(0, -1).forEach((match, m) => (match.deaths = parent.matches[m].deaths));
}

function takeMatches(game: Game, schedule: Match[], { matches, over, lives }: LineState): void {
  matches.forEach(({ first, lives: before, causes }, m) => {
    game.matches[m] ??= { ...schedule[m], first, lives: before, ticks: 0, deaths: [null, null] };
    const match = game.matches[m];
    match.ticks = (matches[m + 1]?.first ?? game.tickCount) - first;
    for (const side of SIDES) {
      if (match.deaths[side] !== null || causes[side] === "none") continue;
      let tick = match.ticks - 1; // the last one that shows who lives
      while (tick > 0 && game.alive[2 * (first + tick - 1) + side] === 0) --tick;
      if (game.alive[2 * (first + tick) + side] === 0) match.deaths[side] = { tick, cause: causes[side], replayed: true };
    }
  });
  game.finalLives = over ? lives : null;
}

/** Takes what the engine has played. `ticks` may tell again what is known: the last tick's commands are new then. */
export function grow(game: Game, schedule: Match[], { from, states, flags }: Ticks, state: LineState): void {
  const count = states.length / STATE_SIZE;
  game.tickCount = from + count;
  game.states = roomFor(game.states, game.tickCount * STATE_SIZE);
  game.states.set(states, from * STATE_SIZE);
  for (const name of ["alive", "commands"] as const) game[name] = roomFor(game[name], 2 * game.tickCount);
  game.tickNums = roomFor(game.tickNums, game.tickCount);
  for (let i = 0; i < count; ++i) {
    game.tickNums[from + i] = from + i;
    for (const side of SIDES) {
      game.alive[2 * (from + i) + side] = flags[4 * i + side];
      game.commands[2 * (from + i) + side] = flags[4 * i + 2 + side] + 1;
    }
  }
  takeMatches(game, schedule, state);
}
