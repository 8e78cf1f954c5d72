// The play page: starts games from the form, shows their results, and offers another game.

import type { Branch } from "../branches/branch";
import type { EngineClient } from "../engine/client";
import type { Names } from "../engine/module";
import { scoreAt, SIDES, type Game } from "../log/game";
import { byId, setText } from "../page/dom";
import type { Playback } from "../playback";
import { choicesOf, makeGame, NewGameForm, SEED_MAX, type GameSetup } from "./new_game";
import type { TakeOver } from "./take_over";

/** Callbacks to the page. */
export interface Table {
  playback(): Playback | null;
  /** Shows a game that is not a recording. */
  show(game: Game): void;
  /** Returns to the form. */
  leave(): void;
  complain(text: string): void;
  clearMessage(): void;
}

export class OwnGames {
  private readonly panel = byId("offer");
  private readonly text = byId("offer-text");
  private readonly go = byId("offer-go");
  private setup: GameSetup | null = null;
  private isBusy = false;

  constructor(
    names: Names, private readonly engine: EngineClient, private readonly takeOver: TakeOver, private readonly table: Table,
  ) {
    new NewGameForm(names, (setup) => this.run(() => this.begin(setup)));
    this.go.addEventListener("click", () => this.run(() => this.goOn()));
    byId("offer-other").addEventListener("click", () => this.leave());
  }

  /** Runs tasks sequentially, and shows their errors. */
  private run(what: () => Promise<void>): void {
    if (this.isBusy) return;
    this.isBusy = true;
    what()
      .catch((error: Error) => this.table.complain(`The game cannot continue: ${error.message}`))
      .finally(() => (this.isBusy = false));
  }

  private async begin(setup: GameSetup): Promise<void> {
    this.table.clearMessage();
    const { game, line, schedule } = await makeGame(setup, this.engine);
    this.takeOver.forget("");
    this.setup = setup;
    this.table.show(game);
    await this.takeOver.offer(this.engine, game, line, schedule);
    this.takeOver.suggest(choicesOf(setup));
    await this.takeOver.start(choicesOf(setup), setup.seed);
  }

  private async goOn(): Promise<void> {
    const { setup } = this;
    if (setup === null) return;
    if (this.isAtItsEnd()) await this.begin({ ...setup, seed: (setup.seed + 1) % (SEED_MAX + 1) });
    else await this.takeOver.start(choicesOf(setup), setup.seed);
  }

  private leave(): void {
    this.takeOver.stop();
    this.setup = null;
    this.panel.hidden = true;
    this.table.leave();
  }

  private isAtItsEnd(): boolean {
    const playback = this.table.playback();
    return playback !== null && playback.game.finalLives !== null && playback.index === playback.last;
  }

  /** Called when a recording is shown instead. */
  forget(): void {
    this.setup = null;
  }

  update({ game }: Playback): void {
    const { setup } = this;
    const branch: Branch | null = this.takeOver.shown;
    this.panel.hidden = setup === null || branch === null || this.takeOver.driving !== null;
    if (this.panel.hidden || setup === null) return;
    const isOver = this.isAtItsEnd();
    setText(this.text, isOver ? this.resultOf(game, setup) : `You are player ${setup.side + 1}, against ${setup.opponent}`);
    setText(this.go, isOver ? "Play again" : game.tickCount === 1 ? "Play" : "Continue from here");
    this.panel.classList.toggle("over", isOver);
  }

  private resultOf(game: Game, { side }: GameSetup): string {
    const score = scoreAt(game, game.tickCount - 1);
    const [mine, other] = [score[side], score[1 - side]];
    const drivenByYou = SIDES.some((any) => any === side && game.players[any] === "you");
    const who = drivenByYou ? "You" : `Player ${side + 1}`;
    return mine === other ? `A draw, ${mine} : ${other}` : `${who} ${mine > other ? "won" : "lost"}, ${mine} : ${other}`;
  }
}
