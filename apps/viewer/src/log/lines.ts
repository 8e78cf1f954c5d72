// SPDX-License-Identifier: MIT
// Traces of `forkmunk play --trace`: the bots' debug texts, and the search traces of builtin planners.

import type { LineState, ReadLine, Ticks } from "../engine/module";
import { SIDES, STATE_SIZE, type Game, type MatchShape, type Pair, type Point, type SearchTrace } from "./game";

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

// Converts a line of the engine to a Game, which grows as the line is played.

type Numbers = Float64Array | Uint8Array;

/** Returns the same array, or a copy with capacity for `length`. */
function roomFor<List extends Numbers>(list: List, length: number): List {
  if (list.length >= length) return list;
  const larger = new (list.constructor as new (size: number) => List)(Math.max(length, 2 * list.length));
  larger.set(list as never);
  return larger;
}

/** Returns a game with no ticks yet, which is played in the page. */
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

/**
 * Returns a recorded game, with the causes of death and the inferred commands that `forkmunk view` embedded in the
 * page.
 */
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
