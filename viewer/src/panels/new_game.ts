// A page without a recording can begin a game of its own: map, car, opponent and its strength, who sits where; then it is driven
// like a branch, from its first tick on.

import { emptyGame, grow } from "../branches/branch";
import type { Choice } from "../branches/driving";
import type { EngineClient } from "../engine/client";
import { scheduleNumbers } from "../engine/numbers";
import type { Catalogue } from "../log/catalogue";
import type { Game, Match, Pair, Side } from "../log/game";
import { readMatchShape } from "../log/read_log";
import { byId } from "../page/dom";

/** A game at its first tick, as the engine has it. */
export interface NewGame {
  game: Game;
  line: number;
  /** All matches that may be played. */
  schedule: Match[];
  choices: Pair<Choice>;
  seed: number;
}

const NOBODY: Game = {
  fileName: "", players: ["", ""], matches: [], finalLives: null, tickCount: 0, states: new Float64Array(),
  tickNums: new Int32Array(), alive: new Uint8Array(), commands: new Uint8Array(), commandsFrom: "log", said: null,
  thoughts: null, termNames: [[], []],
};

export class NewGameForm {
  private readonly form = byId<HTMLFormElement>("new-game");
  private readonly map = byId<HTMLSelectElement>("new-map");
  private readonly car = byId<HTMLSelectElement>("new-car");
  private readonly matches = byId<HTMLSelectElement>("new-matches");
  private readonly opponent = byId<HTMLSelectElement>("new-opponent");
  private readonly strength = byId<HTMLInputElement>("new-ms");
  private readonly side = byId<HTMLSelectElement>("new-side");
  private readonly seed = byId<HTMLInputElement>("new-seed");

  constructor(
    private readonly catalogue: Catalogue, private readonly engine: EngineClient, start: (game: NewGame) => void,
    failed: (error: Error) => void,
  ) {
    for (const { name } of catalogue.maps) this.map.add(new Option(name));
    for (const { name } of catalogue.cars) this.car.add(new Option(name));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.make().then(start, failed);
    });
  }

  async show(): Promise<void> {
    for (const name of (await this.engine.call("planners")).reverse()) this.opponent.add(new Option(name));
    this.form.hidden = false;
  }

  private async make(): Promise<NewGame> {
    const { maps, cars } = this.catalogue;
    const shape = { map: maps[this.map.selectedIndex].shape, car: cars[this.car.selectedIndex].shape };
    const count = Number(this.matches.value);
    const lives: Pair<number> = [Math.ceil(count / 2), Math.ceil(count / 2)];
    const schedule = Array.from({ length: count }, () => readMatchShape(shape.map, shape.car, lives, this.catalogue));
    const line = await this.engine.call("create", scheduleNumbers(lives, schedule.map((match) => match.shape)));
    const mine = Number(this.side.value) as Side;
    const planner: Choice = { kind: "planner", planner: this.opponent.value, ms: Math.min(100, Math.max(1, Number(this.strength.value) || 8)) };
    const choices: Pair<Choice> = mine === 0 ? [{ kind: "hand" }, planner] : [planner, { kind: "hand" }];
    const names: Pair<string> = mine === 0 ? ["you", planner.planner] : [planner.planner, "you"];
    const game = emptyGame(NOBODY, `${this.map.value} ${this.car.value}`, names);
    grow(game, schedule, await this.engine.call("ticks", line, 0), await this.engine.call("describe", line));
    return { game, line, schedule, choices, seed: Math.trunc(Math.abs(Number(this.seed.value) || 0)) };
  }
}
