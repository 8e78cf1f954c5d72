// The page's colours, for canvases: one place (page.css) has them for both themes.

import type { Pair } from "../log/game";

export interface Colours {
  ink: string;
  dim: string;
  line: string;
  panel: string;
  map: string;
  field: string;
  danger: string;
  sides: Pair<string>;
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
    sides: [read("--side-1"), read("--side-2")],
  };
}
