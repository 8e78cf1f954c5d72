// SPDX-License-Identifier: MIT
// The moment in the address, like #match=3&tick=120. Matches count from 1, ticks of the match from 0. A link to the
// page of a recording shows the same moment. Games that were played in the page are not in the address.

import type { Playback } from "../playback";

/** The delay before a write, because browsers limit changes of the address to about a hundred in half a minute. */
const WRITE_MS = 400;

export interface Moment {
  match: number;
  tick: number;
}

/** Returns the moment in an address; null if it has none. */
export function momentIn(hash: string): Moment | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const match = Number(fields.get("match") ?? NaN);
  const tick = Number(fields.get("tick") ?? 0);
  if (!Number.isInteger(match) || match < 1 || !Number.isInteger(tick) || tick < 0) return null;
  return { match, tick };
}

export function hashOf(playback: Playback): string {
  return `#match=${playback.matchIndex + 1}&tick=${playback.tick}`;
}

export class Address {
  private timer = 0;
  private latest: Playback | null = null;

  /** Updates the address after a short delay. */
  follow(playback: Playback): void {
    this.latest = playback;
    if (this.timer !== 0) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.write(this.latest!);
    }, WRITE_MS);
  }

  /** Returns whether the address could be written. It cannot name a moment of a game that was played in the page. */
  write(playback: Playback): boolean {
    if (playback.game.isBranch === true) return false;
    const hash = hashOf(playback);
    if (hash !== location.hash) history.replaceState(null, "", hash);
    return true;
  }
}
