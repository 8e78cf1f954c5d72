// Manual driving by arrow keys, A and D, or the two buttons in the picture. One human may use any of them; with two, the first
// player has the arrow keys and the buttons.

import { byId } from "../page/dom";
import { SIDES, type Pair, type Side } from "../log/game";

const LEFT = 0;
const STOP = 1;
const RIGHT = 2;
const KEYS: Record<string, { side: Side; command: number }> = {
  ArrowLeft: { side: 0, command: LEFT },
  ArrowRight: { side: 0, command: RIGHT },
  KeyA: { side: 1, command: LEFT },
  KeyD: { side: 1, command: RIGHT },
};

export class Hands {
  /** Pressed keys, the last one first. */
  private readonly held: Pair<number[]> = [[], []];
  private driven: Pair<boolean> = [false, false];

  constructor(private readonly buttons = byId("touch")) {
    document.addEventListener("keydown", (event) => this.key(event, true), { capture: true });
    document.addEventListener("keyup", (event) => this.key(event, false), { capture: true });
    window.addEventListener("blur", () => this.release());
    for (const [id, command] of [["touch-left", LEFT], ["touch-right", RIGHT]] as const) {
      const button = byId(id);
      button.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        button.setPointerCapture(event.pointerId);
        this.hold(0, command, true);
      });
      for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
        button.addEventListener(name, () => this.hold(0, command, false));
      }
    }
  }

  /** Sets the sides that are driven manually. */
  drive(driven: Pair<boolean>): void {
    this.driven = driven;
    this.release();
    this.buttons.hidden = !driven.includes(true);
  }

  /** If true, each side has its own keys. */
  get driveBoth(): boolean {
    return this.driven[0] && this.driven[1];
  }

  command(side: Side): number {
    const held = this.driveBoth ? this.held[side] : SIDES.flatMap((other) => this.held[other]);
    return held[0] ?? STOP;
  }

  private key(event: KeyboardEvent, down: boolean): void {
    const key = KEYS[event.code];
    if (key === undefined || !this.driven.includes(true) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.hold(key.side, key.command, down);
  }

  private hold(side: Side, command: number, down: boolean): void {
    const others = this.held[side].filter((entry) => entry !== command);
    this.held[side] = down ? [command, ...others] : others;
  }

  private release(): void {
    for (const side of SIDES) this.held[side] = [];
  }
}
