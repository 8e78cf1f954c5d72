// SPDX-License-Identifier: MIT
// The replay page.

import { fromBase64, type Extras } from "./engine/bytes";
import { EngineClient } from "./engine/client";
import { commandAt, recordedGame, SIDES, type Game } from "./log/game";
import { byId, takeFiles, type Key } from "./page/dom";
import { Viewer } from "./page/viewer";
import { Check } from "./panels/check";
import { Curves } from "./panels/curves";
import { OwnGames } from "./panels/own_games";
import { Readouts, SearchTraces } from "./panels/readouts";
import { TakeOver } from "./panels/take_over";
import { Captions, MatchTable, showHeader, Timeline } from "./panels/timeline";
import { Playback } from "./playback";
import { followPointer, type Camera } from "./scene/camera";
import { Scene } from "./scene/draw";

interface Embedded {
  name?: string;
  extras?: Extras;
  /** The page starts games. */
  play?: boolean;
  /** The recording's bytes in base64. */
  bytes?: string;
}

// The moment in the address, like #match=3&tick=120, with matches from 1. A game that was played in the page has none.

/** Browsers allow about a hundred changes of the address in half a minute. */
const WRITE_MS = 400;

interface Moment {
  match: number;
  tick: number;
}

function momentIn(hash: string): Moment | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const match = Number(fields.get("match") ?? NaN);
  const tick = Number(fields.get("tick") ?? 0);
  if (!Number.isInteger(match) || match < 1 || !Number.isInteger(tick) || tick < 0) return null;
  return { match, tick };
}

function hashOf(playback: Playback): string {
  return `#match=${playback.matchIndex + 1}&tick=${playback.tick}`;
}

export class Page extends Viewer<Playback> {
  private readonly scene = new Scene(this.stage, byId("map-layer"), byId("tick-layer"));
  private readonly timeline = new Timeline();
  private readonly readouts = new Readouts();
  private readonly searchTraces = new SearchTraces();
  private readonly table = new MatchTable();
  private readonly curves = new Curves();
  private readonly captions = new Captions();
  private addressTimer = 0;
  private readonly embedded: Embedded;
  private readonly engine: Promise<EngineClient>;
  private readonly takeOver = new TakeOver(this);
  readonly check = new Check(this, this.takeOver);
  private ownGames: OwnGames | null = null;

  constructor() {
    super();
    this.embedded = JSON.parse(byId("embedded").textContent!) as Embedded;
    this.engine = EngineClient.start().catch((error: Error) => {
      throw new Error(`The page needs WebAssembly and workers, and this browser could not start them: ${error.message}`);
    });
    this.engine.catch(() => {}); // reported on its first use
    this.connect("tick", this.keys());
    this.connectFiles();
  }

  protected get camera(): Camera {
    return this.scene.camera;
  }

  async start(): Promise<void> {
    const { bytes, name, extras } = this.embedded;
    if (bytes !== undefined) await this.open(fromBase64(bytes), name ?? "game", extras);
    else document.body.dataset.view = "empty";
    if (this.embedded.play === true) await this.offerGame().catch((error: Error) => this.showMessage(error.message));
  }

  private async offerGame(): Promise<void> {
    const engine = await this.engine;
    const names = await engine.call("names");
    names.planners.reverse(); // the best first
    this.ownGames = new OwnGames(names, engine, this.takeOver, this);
    byId("invitation-text").hidden = true;
  }

  close(): void {
    this.check.forget();
    this.takeOver.forget("");
    this.playback = null;
    byId("file-name").textContent = byId("result").textContent = "";
    document.title = "Forkmunk";
    document.body.dataset.view = "empty";
    history.replaceState(null, "", location.pathname + location.search);
  }

  private connectFiles(): void {
    const input = byId<HTMLInputElement>("file");
    this.click("open-empty", () => input.click());
    takeFiles(input, byId("drop"), (files) => void this.openFiles(files));
    followPointer(this.stage, this.camera, () => this.moved());
    // Charts depend on the width. The observer also reports the initial width.
    new ResizeObserver(() => this.resized()).observe(byId("numbers"));
    // The page may have changed its address since.
    window.addEventListener("hashchange", ({ newURL }) => this.goTo(new URL(newURL).hash));
  }

  private keys(): Key[] {
    return [
      { keys: ["PageUp", "p"], shown: "P", what: "start of the match, or the previous match", button: "previous-match", run: this.on((p) => p.skipMatch(-1)) },
      { keys: ["PageDown", "n"], shown: "N", what: "next match", button: "next-match", run: this.on((p) => p.skipMatch(1)) },
      { keys: ["d"], shown: "D", what: "next death", button: "next-death", run: this.on((p) => p.skipDeath(1)) },
      { keys: ["Shift+d"], shown: "Shift D", what: "previous death", run: this.on((p) => p.skipDeath(-1)) },
      { keys: ["b"], shown: "B", what: "take over from this tick, or stop driving", run: () => byId("take-over").click() },
      { keys: ["g"], shown: "G", what: "show or hide futures", run: () => byId("futures").click() },
      { keys: ["c"], shown: "C", what: "copy a link to this moment", button: "link", run: () => void this.copyLink() },
      { keys: ["o"], shown: "O", what: "open a recording", button: "open", run: () => byId("file").click() },
      { keys: ["Escape"], shown: "Esc", what: "close the form of drivers", run: () => this.takeOver.cancel() },
    ];
  }

  private async openFiles([file, ...others]: File[]): Promise<void> {
    if (file === undefined) return;
    if (others.length > 0) return this.showMessage(`${others.length + 1} files were dropped: drop one recording`);
    document.body.classList.add("busy");
    const bytes = await file.arrayBuffer().catch(() => null);
    if (bytes !== null) return this.open(new Uint8Array(bytes), file.name);
    document.body.classList.remove("busy");
    this.showMessage(`${file.name}: cannot be read; give a file, not a folder`);
  }

  private async open(bytes: Uint8Array<ArrayBuffer>, name: string, extras: Extras = {}): Promise<void> {
    document.body.classList.add("busy");
    try {
      this.showProgress("Starting the engine…");
      const engine = await this.engine;
      this.showProgress(`Reading ${name}…`);
      const { read, ticks, state } = await engine.call("open", bytes, name, extras.commands);
      const game = recordedGame(name, read, ticks, state, extras.commands !== undefined, extras.causes);
      this.show(game);
      this.ownGames?.forget();
      void this.check.run(engine, game, read.line, extras);
      this.hideMessage();
    } catch (error) {
      this.showMessage((error as Error).message);
      if (this.playback === null) document.body.dataset.view = "empty";
    } finally {
      document.body.classList.remove("busy");
    }
  }

  show(game: Game): void {
    const isFirst = this.playback === null;
    document.body.dataset.view = "game";
    this.scene.forget();
    this.fit();
    this.display(game, 0);
    if (isFirst && this.ownGames === null) this.goTo(location.hash);
  }

  display(game: Game, index: number): void {
    this.playback = new Playback(game, () => this.wantFrame(), this.playback?.speed);
    this.playback.seek(index);
    document.body.classList.toggle("branch-shown", game.isBranch === true);
    this.searchTraces.show(game);
    this.refresh();
  }

  /** Called when the shown game has grown or changed. */
  refresh(): void {
    const { playback } = this;
    if (playback === null) return;
    showHeader(playback);
    this.timeline.show(playback);
    this.readouts.show(playback.game);
    this.table.show(playback);
    this.curves.show(playback);
    this.wantFrame();
  }

  private goTo(hash: string): void {
    const moment = momentIn(hash);
    if (moment === null || this.playback === null) return;
    if (hashOf(this.playback) === hash) return;
    this.playback.playing = false;
    this.playback.seekMatch(moment.match - 1, moment.tick);
  }

  private followAddress(): void {
    if (this.addressTimer !== 0) return;
    this.addressTimer = window.setTimeout(() => {
      this.addressTimer = 0;
      this.writeAddress();
    }, WRITE_MS);
  }

  /** Returns false for a game that was played in the page. */
  private writeAddress(): boolean {
    if (this.playback === null || this.playback.game.isBranch === true) return false;
    const hash = hashOf(this.playback);
    if (hash !== location.hash) history.replaceState(null, "", hash);
    return true;
  }

  private async copyLink(): Promise<void> {
    if (this.playback === null) return;
    let text = "Copied: the address shows this moment";
    if (!this.writeAddress()) {
      text = "A link cannot contain this game: download it (↓)";
    } else {
      try {
        await navigator.clipboard.writeText(location.href);
      } catch {
        text = "The link is in the address bar";
      }
    }
    const note = byId("link-note");
    note.textContent = text;
    note.hidden = false;
    window.setTimeout(() => (note.hidden = true), 2500);
  }

  protected changeTheme(): void {
    this.scene?.changeTheme();
    this.curves?.redraw();
    this.wantFrame();
  }

  private resized(): void {
    this.curves.redraw();
    this.wantFrame();
  }

  protected draw(playback: Playback): void {
    this.scene.draw(playback.game, playback.matchIndex, playback.index, playback.share, this.takeOver.futures(playback));
    this.timeline.update(playback);
    this.readouts.update(playback);
    this.searchTraces.update(playback);
    this.table.update(playback);
    this.curves.update(playback);
    this.captions.update(playback);
    this.ownGames?.update(playback);
    this.followAddress();
  }

  /** Calls the engine in the worker, for tests and the console. */
  async ask(name: string, ...parameters: unknown[]): Promise<unknown> {
    const engine = await this.engine;
    return (engine.call as (...list: unknown[]) => Promise<unknown>).call(engine, name, ...parameters);
  }

  /** The state of the page and its last drawing, for tests and the console. */
  state() {
    const { playback, scene } = this;
    if (playback === null) return null;
    const { game, matchIndex, index } = playback;
    return {
      fileName: game.fileName,
      matches: game.matches.length,
      tickCount: game.tickCount,
      match: matchIndex + 1,
      tick: playback.tick,
      index,
      playing: playback.playing,
      speed: playback.speed,
      verdict: this.check.verdict,
      futures: playback.playing ? [] : this.takeOver.futures(playback),
      takeOver: this.takeOver.state(),
      commandsFrom: game.commandsFrom,
      commands: SIDES.map((side) => commandAt(game, index, side)),
      deaths: game.matches.map((match) => match.deaths),
      names: game.matches.map((match) => [match.map.name, match.car.name]),
      drawnIndex: scene.drawnIndex,
      drawn: [...scene.state],
      framesDrawn: scene.framesDrawn,
      zoom: scene.camera.zoomed,
      dark: this.theme.dark,
    };
  }
}

const page = new Page();
Object.assign(window, { forkmunk: { state: () => page.state(), ask: page.ask.bind(page), seek: (index: number) => page.seek(index), ready: page.start() } });
