// SPDX-License-Identifier: MIT
// "Show futures": while it is on, the futures of the shown tick are computed, one request at a time. A legend explains
// the colours and gives the range of scores.

import type { EngineClient } from "../engine/client";
import type { Future } from "../engine/module";
import type { Futures } from "../engine/worker";
import { SIDES, type Side } from "../log/game";
import { byId, fixed, grouped, setText } from "../page/dom";

const NOTHING: Futures = { tried: [0, 0], list: [] };

export class FuturesPanel {
  private readonly button = byId<HTMLButtonElement>("futures");
  private readonly legend = byId("futures-legend");
  private readonly texts = SIDES.map((side) => byId(`futures-${side + 1}`));
  private readonly none = byId("futures-none");
  private on = false;
  private asked = false;
  private found: { line: number; index: number; futures: Futures } | null = null;

  constructor(private readonly redraw: () => void) {
    this.button.addEventListener("click", () => this.toggle());
  }

  enable(enabled: boolean): void {
    this.button.disabled = !enabled;
    if (enabled) return;
    this.found = null;
    this.legend.hidden = true;
  }

  toggle(): void {
    if (this.button.disabled) return;
    this.on = !this.on;
    this.button.setAttribute("aria-pressed", String(this.on));
    this.button.textContent = this.on ? "Hide futures" : "Show futures";
    this.legend.hidden = !this.on;
    this.redraw();
  }

  /** Returns the futures of a tick of a line if they are known, otherwise requests them. */
  at(engine: EngineClient, line: number, index: number): Future[] {
    if (!this.on) return [];
    if (this.found?.line === line && this.found.index === index) {
      this.showLegend(this.found.futures);
      return this.found.futures.list;
    }
    if (!this.asked) {
      this.asked = true;
      const take = (futures: Futures) => (this.found = { line, index, futures });
      engine.call("futuresAt", line, index).then(take, () => take(NOTHING)).finally(() => {
        this.asked = false;
        this.redraw();
      });
    }
    return [];
  }

  private showLegend({ tried, list }: Futures): void {
    this.none.hidden = list.length > 0;
    for (const side of SIDES) setText(this.texts[side], this.textOf(side, tried[side], list.filter((future) => future.side === side)));
  }

  private textOf(side: Side, tried: number, mine: Future[]): string {
    if (mine.length === 0) return "";
    const lives = mine.filter(({ dies }) => !dies).map(({ score }) => score);
    const scores = lives.length === 0 ? "all end in death" : `scores ${fixed(Math.min(...lives), 1)} to ${fixed(Math.max(...lives), 1)}`;
    return `player ${side + 1}: ${mine.length} of ${grouped(tried)} plans, ${scores}`;
  }
}
