// SPDX-License-Identifier: MIT
// The page's colours, for canvases; page.css defines them for both themes.

import type { Pair } from "../log/game";

export interface Colours {
  ink: string;
  dim: string;
  line: string;
  panel: string;
  map: string;
  field: string;
  danger: string;
  exact: string;
  sides: Pair<string>;
  /** The colours from the worst to the best score, as red, green and blue. */
  scores: number[][];
}

/** Returns the numbers of "#rrggbb". */
function rgbOf(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

/** Returns the colour of a score. `relative`: 0 for the worst, 1 for the best. */
export function scoreColour({ scores }: Colours, relative: number): string {
  const at = Math.min(scores.length - 2, Math.floor(relative * (scores.length - 1)));
  const share = relative * (scores.length - 1) - at;
  return `rgb(${scores[at].map((value, i) => Math.round(value + share * (scores[at + 1][i] - value))).join(" ")})`;
}

export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: read("--ink"),
    dim: read("--dim"),
    line: read("--line"),
    panel: read("--panel"),
    map: read("--map"),
    field: read("--field"),
    danger: read("--danger"),
    exact: read("--exact"),
    sides: [read("--side-1"), read("--side-2")],
    scores: [0, 1, 2].map((i) => rgbOf(read(`--score-${i}`))),
  };
}
