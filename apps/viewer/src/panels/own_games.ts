// SPDX-License-Identifier: MIT

import type { Branch, Choice } from "../branches";
import type { EngineClient } from "../engine/client";
import type { Names } from "../engine/module";
import { emptyGame, grow, scoreAt, SIDES, type Game, type MatchShape, type Pair, type Side } from "../log/game";
import { byId, numberIn, setText } from "../page/dom";
import type { Playback } from "../playback";
import type { TakeOver } from "./take_over";

export interface GameSetup {
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

export const SEED_MAX = 999_999;

export interface NewGame {
  game: Game;
  line: number;
  /** All possible matches. */
  schedule: MatchShape[];
}

export function choicesOf({ opponent, ms, side }: GameSetup): Pair<Choice> {
  const planner: Choice = { kind: "planner", planner: opponent, ms };
  return side === 0 ? [{ kind: "hand" }, planner] : [planner, { kind: "hand" }];
}

export async function makeGame({ map, car, matches, side, opponent }: GameSetup, engine: EngineClient): Promise<NewGame> {
  const { line, matches: schedule } = await engine.call("create", map, car, matches);
  const game = emptyGame(`${map} ${car}`, side === 0 ? ["you", opponent] : [opponent, "you"]);
  grow(game, schedule, await engine.call("ticks", line, 0), await engine.call("describe", line));
  return { game, line, schedule };
}

export class NewGameForm {
  private readonly form = byId<HTMLFormElement>("new-game");
  private readonly map = byId<HTMLSelectElement>("new-map");
  private readonly car = byId<HTMLSelectElement>("new-car");
  private readonly matches = byId<HTMLSelectElement>("new-matches");
  private readonly opponent = byId<HTMLSelectElement>("new-opponent");
  private readonly side = byId<HTMLSelectElement>("new-side");

  constructor({ maps, cars, planners }: Names, start: (setup: GameSetup) => void) {
    for (const name of maps) this.map.add(new Option(name));
    for (const name of cars) this.car.add(new Option(name));
    for (const name of planners) this.opponent.add(new Option(name));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      start(this.read());
    });
    this.form.hidden = false;
  }

  private read(): GameSetup {
    return {
      map: this.map.value,
      car: this.car.value,
      matches: Number(this.matches.value),
      opponent: this.opponent.value,
      ms: numberIn("new-ms", 2),
      side: Number(this.side.value) as Side,
      seed: numberIn("new-seed", 1),
    };
  }
}

// The play page.

/** Callbacks to the page. */
export interface Table {
  playback(): Playback | null;
  show(game: Game): void;
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
