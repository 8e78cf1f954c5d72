// From what the engine has of a line to a Game, which grows as the line is played.

import type { LineState, ReadLine, Ticks } from "../engine/module";
import { SIDES, STATE_SIZE, type Game, type MatchShape, type Pair } from "./game";
import { takeTrace } from "./thoughts";

type Numbers = Float64Array | Uint8Array;

/** The same array, or one that has room for `length`. */
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
    commandsFrom: "log", said: null, thoughts: null, termNames: [[], []],
  };
}

/** Takes what the engine knows of the matches. A cause that it does not know stays what it was. */
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

/** Takes what the engine has played. `ticks` may have again what is known: the last tick's commands are new then. */
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

/** A recorded game. `causes` of its deaths and `found` commands are what the program that wrote the page knows. */
export function recordedGame(
  fileName: string, read: ReadLine, ticks: Ticks, state: LineState, found: boolean, causes: Pair<string | null>[] = [],
): Game {
  const game = emptyGame(fileName, read.players);
  game.isBranch = false;
  game.commandsFrom = read.hasCommands ? "log" : found ? "replay" : "nowhere";
  grow(game, read.matches, ticks, state);
  takeTrace(game, read.said, read.thoughts);
  game.matches.forEach(({ deaths }, m) => SIDES.forEach((side) => {
    if (deaths[side] !== null) deaths[side].cause = causes[m]?.[side] ?? null;
  }));
  return game;
}
