// SPDX-License-Identifier: MIT
// Take-over: the game continues in a new branch with the drivers of a form, until the button, Play or another tick.

import { download, Driving, Hands, inheritDeaths, MIXED, nameOf, namesOfChoices, type Branch, type Choice } from "../branches";
import type { EngineClient } from "../engine/client";
import type { Future } from "../engine/module";
import type { Futures } from "../engine/worker";
import { emptyGame, grow, SIDES, type Game, type MatchShape, type Pair, type Side } from "../log/game";
import type { Page } from "../main";
import { byId, fixed, grouped, make, makeButton, numberIn, setText } from "../page/dom";
import type { Playback } from "../playback";
import { BranchTree, type Twig } from "./branch_tree";
import { deathMarks } from "./timeline";

/** While driving, panels other than the picture are updated this often. */
const REFRESH_TICKS = 62;

// "Show futures" requests the futures of the shown tick, one at a time.
const NOTHING: Futures = { tried: [0, 0], list: [] };

class FuturesPanel {
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
    this.found = null;
    this.legend.hidden = !enabled || !this.on;
  }

  private toggle(): void {
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

export class TakeOver {
  private readonly button = byId<HTMLButtonElement>("take-over");
  private readonly form = byId<HTMLFormElement>("take-over-form");
  private readonly note = byId("driving-note");
  private readonly carriedNote = byId("take-over-note");
  private readonly selects = SIDES.map((side) => byId<HTMLSelectElement>(`driver-${side + 1}`));
  private readonly times = SIDES.map((side) => byId<HTMLInputElement>(`driver-${side + 1}-ms`));
  private readonly ghosts = new FuturesPanel(() => this.page.wantFrame());
  private readonly hands = new Hands();
  private readonly tree = new BranchTree<Branch>((branch, index) => this.choose(branch, index));
  private engine: EngineClient | null = null;
  private branches: Branch[] = [];
  /** Branches that could be downloaded: leaving the page would lose them. */
  private readonly unsaved = new Set<Branch>();
  /** Null while take-over is disabled. */
  current: Branch | null = null;
  driving: Driving | null = null;
  private schedule: MatchShape[] = [];
  private refreshedTicks = 0;
  /** The distance of the embedded states of a recording in another arithmetic; 0 for strict arithmetic. */
  private carriedEvery = 0;
  /** The reason why take-over is disabled. */
  private refusal = "";
  /** The note that driving has ended, until the next action. */
  private ended = "";

  constructor(private readonly page: Page) {
    this.button.addEventListener("click", () => (this.driving === null ? this.openForm(this.form.hidden) : this.stop()));
    byId("take-over-cancel").addEventListener("click", () => this.cancel());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start(SIDES.map((side) => this.choice(side)) as Pair<Choice>).catch((error: Error) => this.fail(error));
    });
    for (const side of SIDES) this.selects[side].addEventListener("change", () => this.showTimes());
    window.addEventListener("beforeunload", (event) => this.unsaved.size > 0 && event.preventDefault()); // the browser asks
  }

  forget(why: string): void {
    this.stop();
    for (const { line } of this.branches) void this.engine?.call("free", line);
    this.branches = [];
    this.unsaved.clear();
    this.current = null;
    this.openForm(false);
    this.button.disabled = true;
    this.ghosts.enable(false);
    this.refuse(why);
    this.tree.show([], null);
  }

  refuse(why: string): void {
    this.refusal = why;
    this.button.title = why;
    this.showState();
  }

  /** Enables take-over of an exact recording, of which the engine has all states, or states at regular distances. */
  async offer(engine: EngineClient, game: Game, line: number, schedule: MatchShape[] = game.matches, carriedEvery = 0): Promise<void> {
    this.engine = engine;
    this.schedule = schedule;
    this.carriedEvery = carriedEvery;
    const ownFrom = carriedEvery > 0 ? game.tickCount : 0;
    const recorded: Branch = { id: 0, parent: null, from: 0, ownFrom, line, game, over: game.finalLives !== null, drivers: game.players };
    this.branches = [recorded];
    this.current = recorded;
    const planners = (await engine.call("names")).planners.reverse();
    for (const select of this.selects) {
      select.replaceChildren(
        new Option("you: keys or touch", "hand"), new Option(game.isBranch === true ? "as before" : "as recorded", "recorded"),
        ...planners.map((name) => new Option(`planner ${name}`, name)));
    }
    this.selects[0].value = "hand";
    this.selects[1].value = "recorded";
    this.showTimes();
    this.button.disabled = false;
    this.ghosts.enable(true);
    this.refuse("");
    this.button.title = "Continue from this tick in a new branch (B)";
  }

  /** Returns none during driving or playback. */
  futures({ playing, index }: Playback): Future[] {
    if (this.engine === null || this.current === null || playing || this.driving !== null) return [];
    return this.ghosts.at(this.engine, this.current.line, index);
  }

  stop(): void {
    this.driving?.stop();
    if (this.driving === null) return;
    this.ended = this.driving.branch.over ? "" : "Driving has stopped: take over to continue";
    this.driving = null;
    const { playback } = this.page;
    if (playback !== null) playback.live = null;
    this.showState();
    this.page.refresh();
    this.showTree(this.current);
  }

  private showTree(current: Branch | null): void {
    this.tree.show(this.branches.map((branch) => this.twigOf(branch)), current);
  }

  private twigOf(branch: Branch): Twig<Branch> {
    const { parent, game, drivers, ownFrom, id, from } = branch;
    const begin = parent === null ? "" : `, from tick ${grouped(from)} of ${nameOf(parent)}`;
    const isStrict = parent !== null && ownFrom > 0;
    const save = makeButton("branch-save", "↓", () => void this.save(branch));
    save.title = ownFrom > 0 && id > 0 ? "Why it cannot be downloaded" : "Download as visio.gz";
    save.setAttribute("aria-label", `Download ${nameOf(branch)}`);
    save.style.visibility = game.tickCount > 1 ? "" : "hidden";
    const marks = deathMarks(game).filter(([, index]) => index >= from);
    return {
      branch, parent, from, last: game.tickCount - 1, marks, name: nameOf(branch), button: save,
      title: `${drivers.join(" against ")}; ${grouped(game.tickCount)} ticks${begin}${isStrict ? `; strict arithmetic from tick ${grouped(ownFrom)} on` : ""}`,
      badge: isStrict ? make("span", "branch-strict", "strict") : undefined,
    };
  }

  private choose(branch: Branch, index?: number): void {
    this.stop();
    this.forgetEnd();
    this.enter(branch, index ?? Math.min(this.page.playback?.index ?? 0, branch.game.tickCount - 1));
  }

  suggest(choices: Pair<Choice>): void {
    for (const side of SIDES) {
      const choice = choices[side];
      this.selects[side].value = choice.kind === "planner" ? choice.planner : choice.kind;
      if (choice.kind === "planner") this.times[side].value = String(choice.ms);
    }
    this.showTimes();
  }

  private forgetEnd(): void {
    this.ended = "";
    this.showState();
  }

  private openForm(open: boolean): void {
    this.forgetEnd();
    this.form.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (!open) return;
    this.page.playback?.pause();
    this.describeStart();
    this.selects[0].focus();
  }

  cancel(): void {
    if (this.form.hidden) return;
    this.openForm(false);
    this.button.focus();
  }

  private describeStart(): void {
    const { current } = this;
    const { playback } = this.page;
    const isAdopted = current !== null && playback !== null && playback.index < current.ownFrom;
    this.carriedNote.hidden = !isAdopted;
    if (!isAdopted) return;
    const match = playback.game.matches[playback.matchIndex];
    const from = playback.tick - (playback.tick % this.carriedEvery);
    const between = from === playback.tick ? "" : `, with the recorded commands up to tick ${playback.tick}`;
    setText(this.carriedNote, "This recording is in referee arithmetic, which browsers lack. The branch starts with the embedded state at " +
      `tick ${from} of match ${playback.game.matches.indexOf(match) + 1}, and continues in strict arithmetic${between}: ` +
      "a close approximation of the referee.");
  }

  private showTimes(): void {
    for (const side of SIDES) {
      const time = this.times[side];
      time.disabled = time.parentElement!.hidden = ["hand", "recorded"].includes(this.selects[side].value);
    }
  }

  private choice(side: Side): Choice {
    const { value } = this.selects[side];
    if (value === "hand" || value === "recorded") return { kind: value };
    return { kind: "planner", planner: value, ms: numberIn(this.times[side].id, 8) };
  }

  /** Uses the same branch if the same drivers stopped there. */
  async start(choices: Pair<Choice>, seed?: number): Promise<void> {
    const { engine, current: parent } = this;
    const { playback } = this.page;
    if (engine === null || parent === null || playback === null || this.driving !== null) return;
    this.openForm(false);
    const from = playback.index;
    const drivers = namesOfChoices(choices, this.branches[0].game.players);
    const stoppedHere = parent.parent !== null && !parent.over && from === parent.game.tickCount - 1;
    const goesOn = stoppedHere && drivers.join() === parent.drivers.join();
    const branch = goesOn ? parent : await this.branchAt(engine, parent, from, drivers);
    this.enter(branch, branch.game.tickCount - 1);
    if (branch.ownFrom === 0) this.unsaved.add(branch);
    byId("scene").scrollIntoView({ block: "nearest" }); // the form is below it
    const live = this.page.playback!;
    live.live = () => this.stop();
    this.refreshedTicks = branch.game.tickCount;
    this.driving = new Driving(engine, branch, this.schedule, choices, seed ?? branch.id, this.hands, () => live.speed,
      (driving, added) => this.grown(driving, live, added), (error) => this.fail(error));
    this.showState();
    this.page.refresh();
  }

  private async branchAt(engine: EngineClient, parent: Branch, index: number, drivers: Pair<string>): Promise<Branch> {
    const recorded = this.branches[0].game;
    const line = await engine.call("fork", parent.line, index);
    const state = await engine.call("describe", line);
    const { ownFrom } = state;
    const id = Math.max(...this.branches.map((branch) => branch.id)) + 1;
    const isFirst = recorded.isBranch === true && id === 1;
    const name = recorded.fileName.replace(/\.visio\.gz$/, "") + (isFirst ? "" : ` branch ${id}`);
    const game = emptyGame(name, drivers);
    const from = index < parent.ownFrom ? ownFrom : index;
    const branch: Branch = { id, parent, from, ownFrom, line, game, over: state.over, drivers };
    grow(game, this.schedule, await engine.call("ticks", line, 0), state);
    inheritDeaths(game, parent.game);
    this.branches.push(branch);
    return branch;
  }

  private enter(branch: Branch, index: number): void {
    this.current = branch;
    this.page.display(branch.game, index);
    this.showTree(branch);
  }

  /** The engine first verifies that the branch's replay is exact. */
  private async save(branch: Branch): Promise<void> {
    if (branch === this.driving?.branch) this.stop();
    const isPlayed = branch.parent !== null;
    if (isPlayed && branch.ownFrom > 0) return this.page.showMessage(MIXED(branch.ownFrom));
    try {
      const text = await this.engine!.call("recording", branch.line, branch.game.players, isPlayed);
      await download(text, branch.game.fileName);
      this.unsaved.delete(branch);
    } catch (error) {
      this.page.showMessage(`${nameOf(branch)} cannot be downloaded: ${(error as Error).message}`);
    }
  }

  private grown(driving: Driving, playback: Playback, added: number): void {
    const isShown = this.page.playback === playback;
    if (this.driving !== driving) {
      // Ticks that were requested before driving stopped belong to the game.
      if (isShown && playback.index === playback.last - added) playback.follow();
      return this.refresh(driving.branch);
    }
    if (!isShown || playback.index < this.shownIndex) return this.stop();
    playback.follow();
    const { game } = driving.branch;
    this.shownIndex = playback.index;
    const isNewMatch = game.matches[game.matches.length - 1].first >= this.refreshedTicks;
    if (isNewMatch || game.tickCount - this.refreshedTicks >= REFRESH_TICKS) this.refresh(driving.branch);
    if (driving.branch.over) this.stop();
  }
  private shownIndex = 0;

  private refresh(branch: Branch): void {
    if (branch !== this.current) return;
    this.refreshedTicks = branch.game.tickCount;
    this.page.refresh();
    this.showTree(branch);
  }

  private showState(): void {
    const { driving } = this;
    this.shownIndex = driving?.branch.from ?? 0;
    document.body.classList.toggle("driving", driving !== null);
    this.button.textContent = driving === null ? "Take over from here" : "Stop driving";
    const byHand = driving !== null && !byId("touch").hidden;
    const strict = driving !== null && driving.branch.ownFrom > 0 ? `strict arithmetic from tick ${grouped(driving.branch.ownFrom)} on` : "";
    const how = !byHand ? "" : this.hands.driveBoth ? "Car 1: ◀ ▶ · car 2: keys A D" : "Drive with ◀ ▶, keys or buttons";
    const note = driving === null ? this.refusal || this.ended : [how, strict].filter((text) => text !== "").join(" · ");
    setText(this.note, note);
    this.note.title = note; // the note is truncated to one line
  }

  private fail(error: Error): void {
    this.stop();
    this.page.showMessage(`The engine failed: ${error.message}`);
  }

  state() {
    return {
      driving: this.driving !== null,
      current: this.current?.id ?? null,
      msMax: this.driving?.msMax ?? null,
      branches: this.branches.map((branch) => ({
        name: nameOf(branch), parent: branch.parent?.id ?? null, from: branch.from,
        ticks: branch.game.tickCount, over: branch.over, ownFrom: branch.ownFrom,
      })),
    };
  }
}
