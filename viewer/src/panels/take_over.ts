// Taking over: who drives from this tick on is chosen in a form, then the game goes on in a branch of its own. Driving ends by
// the same button, by Play, or by going to another tick; from there, or anywhere, it can be taken over again.

import { depthOf, emptyGame, grow, nameOf, type Branch } from "../branches/branch";
import { Driving, nameOfChoice, type Choice } from "../branches/driving";
import { Hands } from "../branches/hands";
import type { EngineClient } from "../engine/client";
import type { Future } from "../engine/futures";
import { SIDES, type Game, type Match, type Pair, type Side } from "../log/game";
import { byId } from "../page/dom";
import type { Playback } from "../playback";
import { BranchTree } from "./branch_tree";
import { Futures } from "./futures";

const PLANNER_MS = { min: 1, max: 100, initial: 8 };
/** Panels other than the picture follow a game that is being played so often. */
const REFRESH_TICKS = 62;

/** What the page does for it. */
export interface Stage {
  playback(): Playback | null;
  /** Shows another game, at that tick. */
  show(game: Game, index: number): void;
  /** The shown game has grown or changed. */
  refresh(): void;
  redraw(): void;
  complain(text: string): void;
}

export class TakeOver {
  private readonly button = byId<HTMLButtonElement>("take-over");
  private readonly form = byId<HTMLFormElement>("take-over-form");
  private readonly note = byId("driving-note");
  private readonly selects = SIDES.map((side) => byId<HTMLSelectElement>(`driver-${side + 1}`));
  private readonly times = SIDES.map((side) => byId<HTMLInputElement>(`driver-${side + 1}-ms`));
  readonly ghosts = new Futures(() => this.stage.redraw());
  private readonly hands = new Hands();
  private readonly tree = new BranchTree((branch, index) => this.choose(branch, index));
  private engine: EngineClient | null = null;
  private branches: Branch[] = [];
  private current: Branch | null = null;
  driving: Driving | null = null;
  /** The matches that may be played. */
  private schedule: Match[] = [];
  private refreshedAt = 0;

  constructor(private readonly stage: Stage) {
    this.button.addEventListener("click", () => (this.driving === null ? this.openForm(this.form.hidden) : this.stop()));
    byId("take-over-cancel").addEventListener("click", () => this.openForm(false));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start(SIDES.map((side) => this.choice(side)) as Pair<Choice>).catch((error: Error) => this.fail(error));
    });
    for (const side of SIDES) this.selects[side].addEventListener("change", () => this.showTimes());
  }

  /** Before another recording is looked at: there is nothing to take over. */
  forget(why: string): void {
    this.stop();
    for (const { line } of this.branches) void this.engine?.call("free", line);
    this.branches = [];
    this.current = null;
    this.openForm(false);
    this.button.disabled = true;
    this.ghosts.enable(false);
    this.button.title = why;
    this.tree.show([], null);
  }

  /** The recording is exact, and the engine has it as a line. */
  async offer(engine: EngineClient, game: Game, line: number, schedule = game.matches): Promise<void> {
    this.engine = engine;
    this.schedule = schedule;
    const recorded: Branch = { id: 0, parent: null, from: 0, line, game, over: game.finalLives !== null, drivers: game.players };
    this.branches = [recorded];
    this.current = recorded;
    const planners = (await engine.call("planners")).reverse();
    for (const select of this.selects) {
      select.replaceChildren(
        new Option("you: keys or touch", "hand"), new Option("as recorded", "recorded"),
        ...planners.map((name) => new Option(`planner ${name}`, name)));
    }
    this.selects[0].value = "hand";
    this.selects[1].value = "recorded";
    this.showTimes();
    this.button.disabled = false;
    this.ghosts.enable(true);
    this.button.title = "Play on from this tick in a branch of its own (B)";
  }

  /** What may come from the tick that is shown: not while it is driven or played. */
  futures({ playing, index }: Playback): Future[] {
    if (this.engine === null || this.current === null || playing || this.driving !== null) return [];
    return this.ghosts.at(this.engine, this.current.line, index);
  }

  toggle(): void {
    if (!this.button.disabled) this.button.click();
  }

  stop(): void {
    this.driving?.stop();
    if (this.driving === null) return;
    this.driving = null;
    const playback = this.stage.playback();
    if (playback !== null) playback.live = null;
    this.showState();
    this.stage.refresh();
    this.tree.show(this.branches, this.current);
  }

  private choose(branch: Branch, index?: number): void {
    this.stop();
    this.current = branch;
    this.stage.show(branch.game, index ?? Math.min(this.stage.playback()?.index ?? 0, branch.game.tickCount - 1));
    this.tree.show(this.branches, branch);
  }

  private openForm(open: boolean): void {
    this.form.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (open) this.stage.playback()?.pause();
  }

  private showTimes(): void {
    for (const side of SIDES) {
      this.times[side].parentElement!.hidden = ["hand", "recorded"].includes(this.selects[side].value);
    }
  }

  private choice(side: Side): Choice {
    const { value } = this.selects[side];
    if (value === "hand" || value === "recorded") return { kind: value };
    const ms = Number(this.times[side].value) || PLANNER_MS.initial;
    return { kind: "planner", planner: value, ms: Math.min(PLANNER_MS.max, Math.max(PLANNER_MS.min, ms)) };
  }

  /** Plays on from the tick that is shown. */
  async start(choices: Pair<Choice>, seed?: number): Promise<void> {
    const { engine, current: parent } = this;
    const playback = this.stage.playback();
    if (engine === null || parent === null || playback === null) return;
    this.openForm(false);
    const from = playback.index;
    const line = await engine.call("fork", parent.line, from);
    const recorded = this.branches[0].game;
    const drivers = SIDES.map((side) => nameOfChoice(choices[side], recorded.players[side])) as Pair<string>;
    const id = Math.max(...this.branches.map((branch) => branch.id)) + 1;
    const game = emptyGame(recorded, `${recorded.fileName.replace(/\.visio\.gz$/, "")} branch ${id}`, drivers);
    const branch: Branch = { id, parent, from, line, game, over: false, drivers };
    grow(game, this.schedule, await engine.call("ticks", line, 0), await engine.call("describe", line));
    this.branches.push(branch);
    this.current = branch;
    this.stage.show(game, from);
    this.tree.show(this.branches, branch);
    const live = this.stage.playback()!;
    live.live = () => this.stop();
    this.refreshedAt = from;
    this.driving = new Driving(engine, branch, this.schedule, choices, seed ?? id, this.hands, () => live.speed,
      (driving) => this.grown(driving, live), (error) => this.fail(error));
    this.showState();
  }

  private grown(driving: Driving, playback: Playback): void {
    if (this.driving !== driving) return;
    // Who has gone to another tick wants to look at it.
    if (this.stage.playback() !== playback || playback.index < this.shownIndex) return this.stop();
    playback.follow();
    const { game } = driving.branch;
    this.shownIndex = playback.index;
    const isNewMatch = game.matches[game.matches.length - 1].first > this.refreshedAt;
    if (isNewMatch || game.tickCount - this.refreshedAt >= REFRESH_TICKS) {
      this.refreshedAt = game.tickCount;
      this.stage.refresh();
      this.tree.show(this.branches, driving.branch);
    }
    if (driving.branch.over) this.stop();
  }
  private shownIndex = 0;

  private showState(): void {
    const { driving } = this;
    this.shownIndex = driving?.branch.from ?? 0;
    document.body.classList.toggle("driving", driving !== null);
    this.button.textContent = driving === null ? "Take over from here" : "Stop driving";
    const byHand = driving !== null && !byId("touch").hidden;
    this.note.textContent = driving === null ? "" : byHand ? "◀ ▶ keys, or the buttons in the picture, drive" : "";
  }

  private fail(error: Error): void {
    this.stop();
    this.stage.complain(`The engine could not go on: ${error.message}`);
  }

  state() {
    return {
      driving: this.driving !== null,
      current: this.current?.id ?? null,
      msMax: this.driving?.msMax ?? null,
      branches: this.branches.map((branch) => ({
        name: nameOf(branch), depth: depthOf(branch), parent: branch.parent?.id ?? null, from: branch.from,
        ticks: branch.game.tickCount, over: branch.over,
      })),
    };
  }
}
