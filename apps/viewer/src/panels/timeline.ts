// The scrub bar: the whole game, with a segment per match and a mark per death.

import { loserOf } from "../log/deaths";
import { SIDES, type Game } from "../log/game";
import type { Playback } from "../playback";
import { byId, make } from "../page/dom";

const NUMBER_WIDTH_MIN = 26; // minimum width of a numbered segment in pixels

export class Timeline {
  private readonly bar = byId("scrub");
  private readonly pieces = byId("scrub-matches");
  private readonly head = byId("scrub-head");
  private playback: Playback | null = null;

  constructor() {
    const seek = (event: PointerEvent) => {
      const box = this.bar.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      this.playback?.seek(share * this.playback.last);
    };
    this.bar.addEventListener("pointerdown", (event) => {
      this.bar.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.bar.addEventListener("pointermove", (event) => {
      if (this.bar.hasPointerCapture(event.pointerId)) seek(event);
    });
  }

  show(playback: Playback): void {
    this.playback = playback;
    const { game, last } = playback;
    this.pieces.replaceChildren();
    const share = (index: number) => (last === 0 ? 0 : (100 * index) / last);
    game.matches.forEach((match, m) => {
      if (match.ticks === 0) return;
      const piece = make("span", m % 2 === 0 ? "scrub-match" : "scrub-match odd");
      piece.style.left = `${share(match.first)}%`;
      piece.style.width = `${share(match.ticks)}%`;
      piece.title = `Match ${m + 1}: ${match.map.name}, ${match.car.name}; lost by ${loserOf(match)}`;
      piece.append(make("span", "scrub-number", String(m + 1)));
      this.pieces.append(piece);
      for (const side of SIDES) {
        const death = match.deaths[side];
        if (death === null) continue;
        const mark = make("span", `scrub-death side-${side + 1}`);
        mark.style.left = `${share(match.first + death.tick)}%`;
        this.pieces.append(mark);
      }
    });
    this.bar.setAttribute("aria-valuemax", String(last));
    this.resize(game);
  }

  /** Shows the numbers only if all of them fit. */
  resize(game: Game): void {
    const narrow = this.bar.clientWidth / Math.max(1, game.matches.length) < NUMBER_WIDTH_MIN;
    this.bar.classList.toggle("narrow", narrow);
  }

  update(playback: Playback): void {
    const share = playback.last === 0 ? 0 : playback.index / playback.last;
    this.head.style.transform = `translateX(${share * this.bar.clientWidth}px)`;
    this.bar.setAttribute("aria-valuenow", String(playback.index));
    this.bar.setAttribute("aria-valuetext", `match ${playback.matchIndex + 1}, tick ${playback.tick}`);
  }
}
