// New games: map, car, opponent, its strength and the seats, from the form.

import type { Choice } from "../branches/driving";
import type { EngineClient } from "../engine/client";
import type { Names } from "../engine/module";
import type { Game, MatchShape, Pair, Side } from "../log/game";
import { emptyGame, grow } from "../log/lines";
import { byId } from "../page/dom";

/** Options of a new game. */
export interface GameSetup {
  map: string;
  car: string;
  matches: number;
  opponent: string;
  /** Milliseconds per tick for the opponent's search. */
  ms: number;
  /** The human's. */
  side: Side;
  seed: number;
}

const MS_MAX = 100;
export const SEED_MAX = 999_999;

/** A new game at its first tick. */
export interface NewGame {
  game: Game;
  line: number;
  /** All possible matches. */
  schedule: MatchShape[];
}

/** The drivers: the user, and the planner on the other side. */
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

function within(text: string, min: number, max: number, otherwise: number): number {
  const value = Math.trunc(Number(text));
  return Number.isFinite(value) && text.trim() !== "" ? Math.min(max, Math.max(min, value)) : otherwise;
}

export class NewGameForm {
  private readonly form = byId<HTMLFormElement>("new-game");
  private readonly map = byId<HTMLSelectElement>("new-map");
  private readonly car = byId<HTMLSelectElement>("new-car");
  private readonly matches = byId<HTMLSelectElement>("new-matches");
  private readonly opponent = byId<HTMLSelectElement>("new-opponent");
  private readonly strength = byId<HTMLInputElement>("new-ms");
  private readonly side = byId<HTMLSelectElement>("new-side");
  private readonly seed = byId<HTMLInputElement>("new-seed");

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
      ms: within(this.strength.value, 1, MS_MAX, 2),
      side: Number(this.side.value) as Side,
      seed: within(this.seed.value, 0, SEED_MAX, 1),
    };
  }
}
