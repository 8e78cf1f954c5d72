// Data about the game that only the program that wrote the page can compute, because it has every arithmetic.

import type { Pair } from "../log/game";
import { fromBase64, inflated } from "./bytes";
import type { Difference, State } from "./module";

/** States of a game in an arithmetic that browsers lack, from which it can be continued. */
interface CarriedStates {
  /** Distance of the states in ticks. */
  every: number;
  ticks: number[];
  sizes: number[];
  /** The concatenated states, gzipped, in base64. */
  bytes: string;
}

/** Written by the program (apps/cli/reports/replay_page.cpp). */
export interface Extras {
  /** By match and side: "map", "box", "deadline", "enemy"; null for a survivor. */
  causes?: Pair<string | null>[];
  /** A string per side, a letter per tick (L, S, R or -), if the recording has no commands. */
  commands?: Pair<string>;
  verdict?: NativeVerdict;
  /** Only if the game is exact in referee arithmetic. */
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
