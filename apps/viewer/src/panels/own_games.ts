// SPDX-License-Identifier: MIT

import type { Choice } from "../branches";
import type { EngineClient } from "../engine/client";
import type { Names } from "../engine/module";
import { emptyGame, grow, scoreAt, type Game, type Pair, type Side } from "../log/game";
import type { Page } from "../main";
import { byId, numberIn, setText } from "../page/dom";
import type { Playback } from "../playback";
import type { TakeOver } from "./take_over";

interface GameSetup {
  map: string;
  car: string;
  matches: number;
  opponent: string;
  /** Milliseconds per tick for the opponent's search. */
  ms: number;
  /** The side of the human. */
  side: Side;
  seed: number;
}

const SEED_MAX = 999_999;

function enteredSetup(): GameSetup {
  const value = (id: string) => byId<HTMLSelectElement>(id).value;
  return {
    map: value("new-map"), car: value("new-car"), matches: Number(value("new-matches")), opponent: value("new-opponent"),
    ms: numberIn("new-ms", 2), side: Number(value("new-side")) as Side, seed: numberIn("new-seed", 1),
  };
}

function choicesOf({ opponent, ms, side }: GameSetup): Pair<Choice> {
  const planner: Choice = { kind: "planner", planner: opponent, ms };
  return side === 0 ? [{ kind: "hand" }, planner] : [planner, { kind: "hand" }];
}

export class OwnGames {
  private readonly panel = byId("offer");
  private readonly text = byId("offer-text");
  private readonly go = byId("offer-go");
  private readonly other = byId("offer-other");
  /** Null while a recording is shown. */
  private setup: GameSetup | null = null;
  private isBusy = false;

  constructor(
    { maps, cars, planners }: Names, private readonly engine: EngineClient, private readonly takeOver: TakeOver, private readonly page: Page,
  ) {
    for (const [id, names] of [["new-map", maps], ["new-car", cars], ["new-opponent", planners]] as const) {
      byId(id).append(...names.map((name) => new Option(name)));
    }
    const form = byId("new-game");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.run(() => this.begin(enteredSetup()));
    });
    form.hidden = false;
    this.go.addEventListener("click", () => this.run(() => this.goOn()));
    this.other.addEventListener("click", () => this.leave());
  }

  private run(what: () => Promise<void>): void {
    if (this.isBusy) return;
    this.isBusy = true;
    what()
      .catch((error: Error) => this.page.showMessage(`The game cannot continue: ${error.message}`))
      .finally(() => (this.isBusy = false));
  }

  private async begin(setup: GameSetup): Promise<void> {
    const { engine, page } = this, { map, car, matches, side, opponent } = setup;
    page.hideMessage();
    const { line, matches: schedule } = await engine.call("create", map, car, matches);
    const game = emptyGame(`${map} ${car}`, side === 0 ? ["you", opponent] : [opponent, "you"]);
    grow(game, schedule, await engine.call("ticks", line, 0), await engine.call("describe", line));
    this.takeOver.forget("");
    this.setup = setup;
    page.show(game);
    page.check.forget();
    await this.takeOver.offer(engine, game, line, schedule);
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
    this.page.close();
  }

  private isAtItsEnd(): boolean {
    const { playback } = this.page;
    return playback !== null && playback.game.finalLives !== null && playback.index === playback.last;
  }

  forget(): void {
    this.setup = null;
  }

  update({ game }: Playback): void {
    const { setup } = this, isOver = setup !== null && this.isAtItsEnd();
    this.panel.hidden = this.takeOver.driving !== null || (setup !== null && this.takeOver.current === null);
    this.panel.classList.toggle("over", isOver);
    this.go.hidden = setup === null;
    setText(this.other, setup === null ? "Play a game" : "Another game");
    if (setup === null) return setText(this.text, "A recorded game");
    setText(this.text, isOver ? this.resultOf(game, setup) : `You are player ${setup.side + 1}, against ${setup.opponent}`);
    setText(this.go, isOver ? "Play again" : game.tickCount === 1 ? "Play" : "Continue from here");
  }

  private resultOf(game: Game, { side }: GameSetup): string {
    const score = scoreAt(game, game.tickCount - 1);
    const [mine, other] = [score[side], score[1 - side]];
    const who = game.players[side] === "you" ? "You" : `Player ${side + 1}`;
    return mine === other ? `A draw, ${mine} : ${other}` : `${who} ${mine > other ? "won" : "lost"}, ${mine} : ${other}`;
  }
}
