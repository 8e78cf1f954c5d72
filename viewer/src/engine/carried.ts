// What only the program that wrote the page knows of its game: it has replayed it in every arithmetic.

import type { Pair } from "../log/game";
import { fromBase64, inflated } from "./bytes";
import type { Difference, State } from "./module";

/** States of a game in an arithmetic that browsers lack: from them it can be played on. */
interface CarriedStates {
  /** Ticks of a match between two of them. */
  every: number;
  ticks: number[];
  sizes: number[];
  /** All of them behind each other, gzipped, in base64. */
  bytes: string;
}

/** As the program writes it (reports/replay_page.cpp). */
export interface Extras {
  /** By match and side: "map", "box", "deadline", "enemy"; null for who lives. */
  causes?: Pair<string | null>[];
  /** One string a side, a letter a tick (L, S, R or -), if the log has no commands of its own. */
  commands?: Pair<string>;
  verdict?: NativeVerdict;
  /** If the game is exact in the referee's arithmetic. */
  states?: CarriedStates;
}

export interface NativeVerdict {
  arithmetic: "strict" | "referee";
  mismatching: number;
  first: Difference | null;
}

export async function statesOf(carried: CarriedStates): Promise<State[]> {
  const all = await inflated(fromBase64(carried.bytes));
  let at = 0;
  return carried.ticks.map((index, i) => {
    const bytes = all.slice(at, at + carried.sizes[i]);
    at += carried.sizes[i];
    return { index, bytes };
  });
}
