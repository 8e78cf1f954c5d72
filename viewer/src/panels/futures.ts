// Show futures: while it is on, what may come is computed for each tick that is looked at, one at a time and the last one
// asked for.

import type { EngineClient } from "../engine/client";
import type { Future } from "../engine/futures";
import { byId } from "../page/dom";

const PLANNER_MS = 8;

export class Futures {
  private readonly button = byId<HTMLButtonElement>("futures");
  private on = false;
  private asked = false;
  private found: { line: number; index: number; futures: Future[] } | null = null;

  constructor(private readonly redraw: () => void) {
    this.button.addEventListener("click", () => this.toggle());
  }

  enable(enabled: boolean): void {
    this.button.disabled = !enabled;
    if (!enabled) this.found = null;
  }

  toggle(): void {
    if (this.button.disabled) return;
    this.on = !this.on;
    this.button.setAttribute("aria-pressed", String(this.on));
    this.redraw();
  }

  /** What is known of that tick of that line; asks for it if it is not. */
  at(engine: EngineClient, line: number, index: number): Future[] {
    if (!this.on) return [];
    if (this.found?.line === line && this.found.index === index) return this.found.futures;
    if (!this.asked) {
      this.asked = true;
      engine.call("futures", line, index, PLANNER_MS)
        .then((futures) => (this.found = { line, index, futures }), () => (this.found = { line, index, futures: [] }))
        .finally(() => {
          this.asked = false;
          this.redraw();
        });
    }
    return [];
  }
}
