// States that a page carries of a game in an arithmetic that browsers lack: from them it can be played on.

import { fromBase64, inflated } from "../log/bytes";
import type { Game } from "../log/game";
import type { EngineClient } from "./client";
import type { State } from "./module";
import { recordingNumbers } from "./numbers";

/** As the program writes them (reports/replay_page.cpp). */
export interface CarriedStates {
  /** Ticks of a match between two of them. */
  every: number;
  ticks: number[];
  sizes: number[];
  /** All of them behind each other, gzipped, in base64. */
  bytes: string;
}

/** The game's line. Rejects if these are no states of it. */
export async function adopt(engine: EngineClient, game: Game, carried: CarriedStates): Promise<number> {
  const all = await inflated(fromBase64(carried.bytes));
  let at = 0;
  const states: State[] = carried.ticks.map((index, i) => {
    const bytes = all.slice(at, at + carried.sizes[i]);
    at += carried.sizes[i];
    return { index, bytes };
  });
  return engine.call("adopt", recordingNumbers(game, game.commandsFrom !== "nowhere"), states);
}
