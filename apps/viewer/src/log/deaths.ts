// Descriptions of deaths.

import type { Match } from "./game";

/** `owner` is "its", or "each one's" if both died. */
export function causeInWords(cause: string | null, owner = "its"): string {
  switch (cause) {
    case "map": return `${owner} button touched the map`;
    case "box": return `${owner} button touched the outer wall`;
    case "deadline": return `${owner} button touched the deadline`;
    case "enemy": return `${owner} button was hit by the other car`;
    default: return "the cause is unknown";
  }
}

/** "1", "2", "both" or "neither". */
export function loserOf(match: Match): string {
  const [first, second] = match.deaths;
  if (first !== null && second !== null) return "both";
  return first !== null ? "1" : second !== null ? "2" : "neither";
}

export function firstDeathTick(match: Match): number | null {
  const ticks = match.deaths.flatMap((death) => (death === null ? [] : [death.tick]));
  return ticks.length === 0 ? null : Math.min(...ticks);
}
