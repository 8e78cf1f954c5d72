// SPDX-License-Identifier: MIT
// Branches: continuations of a recording that were played in the page. Each is a whole game from the recording's first
// tick on: a line of the engine, and a growing Game of the page.

import type { EngineClient } from "./engine/client";
import type { Driver } from "./engine/worker";
import { grow, SIDES, TICK_SECONDS, type Game, type MatchShape, type Pair, type Side } from "./log/game";
import { byId } from "./page/dom";

export interface Branch {
  /** 0 for the recording. */
  id: number;
  parent: Branch | null;
  /** The index where it leaves its parent. */
  from: number;
  /** The first tick in strict arithmetic; 0 unless the recording is in another one. */
  ownFrom: number;
  line: number;
  game: Game;
  over: boolean;
  drivers: Pair<string>;
}

export function nameOf({ id, parent, game }: Branch): string {
  if (parent === null) return game.isBranch === true ? "start" : "recorded";
  return id === 1 && parent.game.isBranch === true ? "your game" : `branch ${id}`;
}

/** Copies causes of death before the branch, which the engine does not know. */
export function inheritDeaths(game: Game, parent: Game): void {
  game.matches.slice(0, -1).forEach((match, m) => (match.deaths = parent.matches[m].deaths));
}

/** No replay can reproduce two arithmetics. */
export const MIXED = (ownFrom: number) =>
  `This branch cannot be downloaded as a recording: it is in referee arithmetic before tick ${ownFrom} of the game and in ` +
  "strict arithmetic after it, and no replay has both";

export async function download(text: string, fileName: string): Promise<void> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const url = URL.createObjectURL(await new Response(stream).blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = `${fileName.replace(/(\.visio)?(\.gz|\.json)?$/, "").replace(/[^\w.-]+/g, "_")}.visio.gz`;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// Manual driving by keys or the buttons in the picture. With two humans, the first has the arrow keys and the buttons.

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
  /** The pressed keys, the last one first. */
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

  drive(driven: Pair<boolean>): void {
    this.driven = driven;
    this.release();
    this.buttons.hidden = !driven.includes(true);
  }

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

// Plays a branch in game time: each frame requests the due ticks. Ticks with a planner are requested one at a time: two
// would take longer than a frame, and fall further behind.

export type Choice = { kind: "hand" } | { kind: "recorded" } | { kind: "planner"; planner: string; ms: number };

/** The game slows down beyond this backlog. */
const DUE_TICKS_MAX = 8;

export function namesOfChoices(choices: Pair<Choice>, recordedNames: Pair<string>): Pair<string> {
  const bothHands = choices.every(({ kind }) => kind === "hand");
  return SIDES.map((side) => {
    const choice = choices[side];
    if (choice.kind === "hand") return bothHands ? `you, car ${side + 1}` : "you";
    return choice.kind === "recorded" ? recordedNames[side] : `${choice.planner} ${choice.ms} ms`;
  }) as Pair<string>;
}

export class Driving {
  /** The longest time of a tick, for tests and the console. */
  msMax = 0;
  private due = 0;
  private last = performance.now();
  private asked = false;
  stopped = false;

  constructor(
    private readonly engine: EngineClient, readonly branch: Branch, private readonly schedule: MatchShape[],
    private readonly choices: Pair<Choice>, private readonly seed: number, private readonly hands: Hands, private readonly speed: () => number,
    private readonly grown: (driving: Driving, added: number) => void, private readonly failed: (error: Error) => void,
  ) {
    hands.drive(choices.map(({ kind }) => kind === "hand") as Pair<boolean>);
    this.tick();
  }

  stop(): void {
    this.stopped = true;
    this.hands.drive([false, false]);
  }

  private driver(choice: Choice, side: 0 | 1): Driver {
    if (choice.kind === "hand") return { kind: "hand", command: this.hands.command(side) };
    if (choice.kind === "recorded") return { kind: "line", line: this.branch.parent!.line };
    return { kind: "planner", planner: choice.planner, ms: choice.ms, seed: this.seed };
  }

  private tick(): void {
    if (this.stopped) return;
    requestAnimationFrame(() => this.tick());
    this.ask();
  }

  private ask(): void {
    const now = performance.now();
    this.due = Math.min(DUE_TICKS_MAX, this.due + ((now - this.last) / 1000 / TICK_SECONDS) * this.speed());
    this.last = now;
    // Replies must not continue the game of a hidden page, which has no frames.
    if (this.stopped || this.asked || this.due < 1 || document.hidden) return;
    const thinks = this.choices.some(({ kind }) => kind === "planner");
    const count = thinks ? 1 : Math.floor(this.due);
    this.due -= count;
    this.asked = true;
    this.advance(count).finally(() => (this.asked = false)).then(() => this.ask(), this.failed);
  }

  private async advance(count: number): Promise<void> {
    const { branch } = this;
    const drivers = SIDES.map((side) => this.driver(this.choices[side], side)) as Pair<Driver>;
    const { ticks, state, msMax } = await this.engine.call("advance", branch.line, drivers, count);
    const before = branch.game.tickCount;
    grow(branch.game, this.schedule, ticks, state);
    const added = branch.game.tickCount - before;
    branch.over = state.over;
    this.msMax = Math.max(this.msMax, msMax);
    if (state.over) this.stop();
    this.grown(this, added);
  }
}
