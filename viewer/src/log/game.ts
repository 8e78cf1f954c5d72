// A game as the page keeps it. Units as in the log: lengths in map units (u), y up, angles in radians
// counter-clockwise and not wrapped, a tick is 0.016 s. Ticks are counted over the whole game from 0 ("index") and within
// their match ("tick").

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
  id: number;
  name: string;
  segments: Segment[];
}

/** In the coordinates of a car that faces right; the second player's is mirrored. */
export interface CarShape {
  id: number;
  name: string;
  body: Point[];
  button: Point[];
  rearRadius: number;
  frontRadius: number;
  squareWheels: boolean;
}

export interface Death {
  /** Tick of the match at which the log first shows it; its last one where the log has no flags. */
  tick: number;
  /** "map", "box", "deadline", "enemy"; null while it is not known, or if nobody knows. */
  cause: string | null;
}

/** A match that may be played. */
export interface MatchShape {
  map: MapShape;
  car: CarShape;
  /** 1 facing right, -1 mirrored. */
  facing: Pair<number>;
}

export interface Match extends MatchShape {
  /** Before the match. */
  lives: Pair<number>;
  /** Index of its first tick. */
  first: number;
  ticks: number;
  deaths: Pair<Death | null>;
}

export const COMMANDS = ["none", "left", "stop", "right"] as const;
export type Command = (typeof COMMANDS)[number];

/** What a bot of the program thought at a tick; only in recordings with a trace. */
export interface Thought {
  /** Null: there was no time to try a single plan. */
  score: number | null;
  simulatedTicks: number;
  plan: string;
  /** What each evaluator term adds to the score of the present state, in the order of Game.termNames. */
  terms: number[];
  /** Where it means to be, and where it thinks the enemy will be: points some ticks apart. */
  path: Point[];
  enemyPath: Point[];
}

/** Numbers of a tick's state: 9 of each car, then the deadline. */
export const STATE_SIZE = 19;
export const CAR_SIZE = 9;
export const DEADLINE = 18;

export interface Game {
  fileName: string;
  players: Pair<string>;
  matches: Match[];
  finalLives: Pair<number> | null;
  /** Whether it was played in the page, at least from some tick on. */
  isBranch?: boolean;
  tickCount: number;
  /** STATE_SIZE numbers a tick: x, y, angle of the body, of the rear and of the front wheel, for each car; deadline. */
  states: Float64Array;
  /** Two a tick: index into COMMANDS. */
  commands: Uint8Array;
  commandsFrom: "log" | "replay" | "nowhere";
  /** What the bots said, two a tick; null without a trace. */
  said: string[] | null;
  thoughts: (Thought | null)[] | null;
  termNames: Pair<string[]>;
}

/** The match that an index lies in: the last that begins there or before, so never one without ticks. */
export function matchAt(game: Game, index: number): number {
  let low = 0;
  let high = game.matches.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (game.matches[middle].first <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function commandAt(game: Game, index: number, side: Side): Command {
  return COMMANDS[game.commands[2 * index + side]];
}

/** Where a car's nine numbers begin in Game.states. */
export function carOffset(index: number, side: Side): number {
  return index * STATE_SIZE + side * CAR_SIZE;
}

export function deadlineAt(game: Game, index: number): number {
  return game.states[index * STATE_SIZE + DEADLINE];
}

/** Both players may have one name. */
export function playerName(game: Game, side: Side): string {
  return `player ${side + 1} (${game.players[side]})`;
}

/** How many matches each side has won before that tick; at the end of a game that is over, of all. */
export function scoreAt(game: Game, index: number): Pair<number> {
  const before = game.matches[0].lives;
  const lives = game.finalLives !== null && index === game.tickCount - 1 ? game.finalLives : game.matches[matchAt(game, index)].lives;
  return [before[1] - lives[1], before[0] - lives[0]];
}
