// Converts a line of the engine to a Game, which grows as the line is played.

import type { LineState, ReadLine, Ticks } from "../engine/module";
import { SIDES, STATE_SIZE, type Game, type MatchShape, type Pair } from "./game";
import { takeTrace } from "./search_traces";

type Numbers = Float64Array | Uint8Array;

/** The same array, or a copy with capacity for `length`. */
function roomFor<List extends Numbers>(list: List, length: number): List {
  if (list.length >= length) return list;
  const larger = new (list.constructor as new (size: number) => List)(Math.max(length, 2 * list.length));
  larger.set(list as never);
  return larger;
}

/** A game with no ticks yet, played in the page. */
export function emptyGame(fileName: string, players: Pair<string>): Game {
  return {
    fileName, players, isBranch: true, matches: [], finalLives: null, tickCount: 0, states: new Float64Array(), commands: new Uint8Array(),
    commandsFrom: "log", said: null, searchTraces: null, termNames: [[], []],
  };
}

/** Copies the engine's matches. Unknown causes of death keep their value. */
export function takeMatches(game: Game, schedule: MatchShape[], { matches, over, lives }: LineState): void {
  matches.forEach(({ first, lives: before, deaths }, m) => {
    game.matches[m] ??= { ...schedule[m], first, lives: before, ticks: 0, deaths: [null, null] };
    const match = game.matches[m];
    match.ticks = (matches[m + 1]?.first ?? game.tickCount) - first;
    for (const side of SIDES) {
      const death = deaths[side];
      match.deaths[side] = death && { tick: death.tick, cause: death.cause ?? match.deaths[side]?.cause ?? null };
    }
  });
  game.finalLives = over ? lives : null;
}

/** Appends ticks of the engine. `ticks` may overlap known ones, because the last known tick has no commands yet. */
export function grow(game: Game, schedule: MatchShape[], { from, states, flags }: Ticks, state: LineState): void {
  const count = states.length / STATE_SIZE;
  game.tickCount = from + count;
  game.states = roomFor(game.states, game.tickCount * STATE_SIZE);
  game.states.set(states, from * STATE_SIZE);
  game.commands = roomFor(game.commands, 2 * game.tickCount);
  for (let i = 0; i < count; ++i) {
    for (const side of SIDES) game.commands[2 * (from + i) + side] = flags[4 * i + 2 + side] + 1;
  }
  takeMatches(game, schedule, state);
}

/** A recorded game, with the causes of death and the inferred commands that `forkmunk view` embedded in the page. */
export function recordedGame(
  fileName: string, read: ReadLine, ticks: Ticks, state: LineState, found: boolean, causes: Pair<string | null>[] = [],
): Game {
  const game = emptyGame(fileName, read.players);
  game.isBranch = false;
  game.commandsFrom = read.hasCommands ? "log" : found ? "replay" : "nowhere";
  grow(game, read.matches, ticks, state);
  takeTrace(game, read.said, read["thoughts"]);
  game.matches.forEach(({ deaths }, m) => SIDES.forEach((side) => {
    if (deaths[side] !== null) deaths[side].cause = causes[m]?.[side] ?? null;
  }));
  return game;
}
