// What was played in the page instead of what was recorded: each branch is a whole game, from the recording's first tick on,
// that the engine keeps as a line and the page as a Game that grows.

import type { Game, Pair } from "../log/game";

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

/** Matches that were over before a branch began are its parent's; an engine does not know how adopted ones ended. */
export function inheritDeaths(game: Game, parent: Game): void {
  game.matches.slice(0, -1).forEach((match, m) => (match.deaths = parent.matches[m].deaths));
}
