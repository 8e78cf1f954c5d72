// SPDX-License-Identifier: MIT
// The page's model of a game. Lengths are in map units (u), y up; angles are in radians, counter-clockwise and not
// wrapped; a tick is 0.016 s. "index" counts ticks of the game, "tick" of a match, from 0.

import type { LineState, ReadLine, Ticks } from "../engine/module";

export const TICK_SECONDS = 0.016;

/** 0 for the first player, 1 for the second. */
export type Side = 0 | 1;
export const SIDES: readonly Side[] = [0, 1];
export type Pair<T> = [T, T];

export interface Point {
  x: number;
  y: number;
}

export interface Segment {
  a: Point;
  b: Point;
  radius: number;
}

export interface MapShape {
  name: string;
  segments: Segment[];
}

/** The shape in the coordinates of a car that faces right. The second player's car is mirrored. */
export interface CarShape {
  name: string;
  body: Point[];
  button: Point[];
  rearRadius: number;
  frontRadius: number;
  squareWheels: boolean;
}

export interface Death {
  /** The tick with the death in the log; the match's last tick if the log has no alive flags. */
  tick: number;
  /** "map", "box", "deadline" or "enemy"; null if unknown. */
  cause: string | null;
}

export interface MatchShape {
  map: MapShape;
  car: CarShape;
  /** 1 for facing right, -1 for mirrored. */
  facing: Pair<number>;
}

export interface Match extends MatchShape {
  /** The lives before the match. */
  lives: Pair<number>;
  /** The index of the match's first tick. */
  first: number;
  ticks: number;
  deaths: Pair<Death | null>;
}

export const COMMANDS = ["none", "left", "stop", "right"] as const;
export type Command = (typeof COMMANDS)[number];

export interface SearchTrace {
  /** Null if time ran out before a plan was tried. */
  score: number | null;
  simulatedTicks: number;
  plan: string;
  /** The contributions of evaluator terms to the score of the current state, by Game.termNames. */
  terms: number[];
  path: Point[];
  enemyPath: Point[];
}

/** A tick has 9 numbers per car, then the deadline. */
export const STATE_SIZE = 19;
export const CAR_SIZE = 9;
export const DEADLINE = 18;

export interface Game {
  fileName: string;
  players: Pair<string>;
  matches: Match[];
  finalLives: Pair<number> | null;
  /** True if the page played the game, at least its end. */
  isBranch?: boolean;
  tickCount: number;
  /** STATE_SIZE numbers per tick: x, y, angle of each car's body, rear wheel and front wheel, then the deadline. */
  states: Float64Array;
  /** Two per tick, by COMMANDS. */
  commands: Uint8Array;
  commandsFrom: "log" | "replay" | "nowhere";
  /** Debug texts, two per tick; null without a trace. */
  said: string[] | null;
  searchTraces: (SearchTrace | null)[] | null;
  termNames: Pair<string[]>;
}

/** Never returns a match without ticks. */
export function matchAt(game: Game, index: number): number {
  return game.matches.findLastIndex(({ first }) => first <= index);
}

export function commandAt(game: Game, index: number, side: Side): Command {
  return COMMANDS[game.commands[2 * index + side]];
}

export function deadlineAt(game: Game, index: number): number {
  return game.states[index * STATE_SIZE + DEADLINE];
}

/** Returns a bot's name for a line of text. A bot's name is often its command line. */
export function shortName(name: string, lengthMax = 40): string {
  const letters = [...name];
  const text = letters.length > lengthMax ? `${letters.slice(0, lengthMax - 1).join("")}…` : name;
  return `\u2068${text}\u2069`; // isolates letters that are written from right to left
}

/** Tells apart players of one name. */
export function playerName(game: Game, side: Side): string {
  return `player ${side + 1} (${shortName(game.players[side])})`;
}

/** Returns the matches won by each side before a tick; at the end of a finished game, all matches. */
export function scoreAt(game: Game, index: number): Pair<number> {
  const before = game.matches[0].lives;
  const lives = game.finalLives !== null && index === game.tickCount - 1 ? game.finalLives : game.matches[matchAt(game, index)].lives;
  return [before[1] - lives[1], before[0] - lives[0]];
}

/** @param owner  "its", or "each one's" if both died */
export function causeInWords(cause: string | null, owner = "its"): string {
  switch (cause) {
    case "map": return `${owner} button touched the map`;
    case "box": return `${owner} button touched the outer wall`;
    case "deadline": return `${owner} button touched the deadline`;
    case "enemy": return `${owner} button was hit by the other car`;
    default: return "the cause is unknown";
  }
}

export function loserOf(match: Match): string {
  const [first, second] = match.deaths;
  if (first !== null && second !== null) return "both";
  return first !== null ? "1" : second !== null ? "2" : "neither";
}

export function firstDeathTick(match: Match): number | null {
  const ticks = match.deaths.flatMap((death) => (death === null ? [] : [death.tick]));
  return ticks.length === 0 ? null : Math.min(...ticks);
}

/** Null, or: score or null (no plan was tried), simulated ticks, plan, terms, x, y, x, y, ... of both paths. */
type SearchTraceText = [number | null, number, string, number[], number[], number[]] | null;

/** A recording's key "thoughts". */
export interface SearchTracesText {
  terms: Pair<string[]>;
  ticks: Pair<SearchTraceText>[];
}

export function pointsOf(numbers: number[]): Point[] {
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({ x: numbers[2 * i], y: numbers[2 * i + 1] }));
}

function searchTraceOf(text: SearchTraceText): SearchTrace | null {
  if (text === null) return null;
  const [score, simulatedTicks, plan, terms, path, enemyPath] = text;
  return { score, simulatedTicks, plan, terms, path: pointsOf(path), enemyPath: pointsOf(enemyPath) };
}

function takeTrace(game: Game, { said, thoughts }: ReadLine): void {
  const at = <Value>(list: Value[], none: Value): Value[] =>
    Array.from({ length: 2 * game.tickCount }, (_, i) => list[i] ?? none);
  if (said !== null) game.said = at(said.flat(), "");
  if (thoughts === undefined) return;
  game.termNames = thoughts.terms;
  game.searchTraces = at(thoughts.ticks.flat().map(searchTraceOf), null);
}

// Lines of the engine as Games, which grow.

type Numbers = Float64Array | Uint8Array;

function roomFor<List extends Numbers>(list: List, length: number): List {
  if (list.length >= length) return list;
  const larger = new (list.constructor as new (size: number) => List)(Math.max(length, 2 * list.length));
  larger.set(list as never);
  return larger;
}

export function emptyGame(fileName: string, players: Pair<string>): Game {
  return {
    fileName, players, isBranch: true, matches: [], finalLives: null, tickCount: 0, states: new Float64Array(), commands: new Uint8Array(),
    commandsFrom: "log", said: null, searchTraces: null, termNames: [[], []],
  };
}

/** Keeps causes of death that the engine does not know. */
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

/** Appends ticks. They may overlap known ones, because the last known tick has no commands yet. */
export function grow(game: Game, schedule: MatchShape[], { from, states, commands }: Ticks, state: LineState): void {
  const count = states.length / STATE_SIZE;
  game.tickCount = from + count;
  game.states = roomFor(game.states, game.tickCount * STATE_SIZE);
  game.states.set(states, from * STATE_SIZE);
  game.commands = roomFor(game.commands, 2 * game.tickCount);
  game.commands.set(commands.map((command) => command + 1), 2 * from);
  takeMatches(game, schedule, state);
}

/** Adds what `forkmunk view` embedded. */
export function recordedGame(
  fileName: string, read: ReadLine, ticks: Ticks, state: LineState, found: boolean, causes: Pair<string | null>[] = [],
): Game {
  const game = emptyGame(fileName, read.players);
  game.isBranch = false;
  game.commandsFrom = read.hasCommands ? "log" : found ? "replay" : "nowhere";
  grow(game, read.matches, ticks, state);
  takeTrace(game, read);
  game.matches.forEach(({ deaths }, m) => SIDES.forEach((side) => {
    if (deaths[side] !== null) deaths[side].cause = causes[m]?.[side] ?? null;
  }));
  return game;
}
