// The moment in the address: #match=3&tick=120, matches counted from 1, ticks of the match from 0, so that a link shows the
// same moment. A game that was started in the page comes first in the address (game_link.ts).

import type { Playback } from "../playback";

/** Browsers limit changes of the address to about a hundred in half a minute. */
const WRITE_MS = 400;

export interface Moment {
  match: number;
  tick: number;
}

/** Null if the address has no moment. */
export function momentIn(hash: string): Moment | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const match = Number(fields.get("match") ?? NaN);
  const tick = Number(fields.get("tick") ?? 0);
  if (!Number.isInteger(match) || match < 1 || !Number.isInteger(tick) || tick < 0) return null;
  return { match, tick };
}

export function hashOf(playback: Playback, game = ""): string {
  return `#${game}${game === "" ? "" : "&"}match=${playback.matchIndex + 1}&tick=${playback.tick}`;
}

export class Address {
  private timer = 0;
  private latest: Playback | null = null;

  /** `gameOf`: the shown game's part of the address; empty for a recording; null if an address cannot contain the game. */
  constructor(private readonly gameOf: (playback: Playback) => string | null) {}

  /** Updates the address after a short delay. */
  follow(playback: Playback): void {
    this.latest = playback;
    if (this.timer !== 0) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.write(this.latest!);
    }, WRITE_MS);
  }

  /** Returns whether the address could be written. */
  write(playback: Playback): boolean {
    const game = this.gameOf(playback);
    if (game === null) return false;
    const hash = hashOf(playback, game);
    if (hash !== location.hash) history.replaceState(null, "", hash);
    return true;
  }
}
