// SPDX-License-Identifier: MIT
// Branches: continuations of a recording that were played in the page. Each branch is a whole game from the recording's
// first tick on. The engine stores it as a line, and the page as a growing Game.

import type { Game, Pair } from "../log/game";

export interface Branch {
  /** 0 for the recording. */
  id: number;
  parent: Branch | null;
  /** The index at which it branches off its parent. */
  from: number;
  /** The first tick in strict arithmetic; 0 unless the recording is in another arithmetic. */
  ownFrom: number;
  line: number;
  game: Game;
  over: boolean;
  drivers: Pair<string>;
}

/** Returns the number of branches between a branch and the recording, including itself. */
export function depthOf({ parent }: Branch): number {
  return parent === null ? 0 : 1 + depthOf(parent);
}

export function nameOf({ id, parent, game }: Branch): string {
  if (parent === null) return game.isBranch === true ? "start" : "recorded";
  return id === 1 && parent.game.isBranch === true ? "your game" : `branch ${id}`;
}

/**
 * Copies matches that ended before the branch from its parent, because the engine does not know the causes of their
 * deaths.
 */
export function inheritDeaths(game: Game, parent: Game): void {
  game.matches.slice(0, -1).forEach((match, m) => (match.deaths = parent.matches[m].deaths));
}

// Downloads a branch as a visio.gz, which the engine writes.

/** Returns the reason why a branch cannot be downloaded: no replay can reproduce a game with two arithmetics. */
export const MIXED = (ownFrom: number) =>
  `This branch cannot be downloaded as a recording: it is in referee arithmetic before tick ${ownFrom} of the game and in ` +
  "strict arithmetic after it, and no replay has both";

/** Downloads a recording's text as a file. */
export async function download(text: string, fileName: string): Promise<void> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const url = URL.createObjectURL(await new Response(stream).blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = `${fileName.replace(/(\.visio)?(\.gz|\.json)?$/, "").replace(/[^\w.-]+/g, "_")}.visio.gz`;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
