// The moment in the address: #match=3&tick=120, matches counted from 1, ticks of the match from 0. So a link to the page
// shows the same moment, whatever was played since. Before it stands the game, if that was begun in the page (game_link.ts).

import type { Playback } from "../playback";

/** Browsers refuse to change the address more often than about a hundred times in half a minute. */
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

  /** `gameOf`: what the address has of the shown game; nothing of a recording; null if an address cannot hold it. */
  constructor(private readonly gameOf: (playback: Playback) => string | null) {}

  /** The address follows, a little later. */
  follow(playback: Playback): void {
    this.latest = playback;
    if (this.timer !== 0) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.write(this.latest!);
    }, WRITE_MS);
  }

  /** \return whether it could be written. */
  write(playback: Playback): boolean {
    const game = this.gameOf(playback);
    if (game === null) return false;
    const hash = hashOf(playback, game);
    if (hash !== location.hash) history.replaceState(null, "", hash);
    return true;
  }
}
