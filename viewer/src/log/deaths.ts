// Who died when, and of what. The log has a flag for each player; the oldest logs have none, but the lives of the next
// match tell. Of what a player died stands in no log: the program replays the game for it; without that, the shape that
// the button touches at that tick tells.

import { deadlineAt, SIDES } from "./game";
import type { Game, Match, Pair, Side } from "./game";
import { buttonAt, DEADLINE_RISE, FIELD_HEIGHT, FIELD_WIDTH, gapToMap, hullAt, polygonToPolygon, WALL_INSET, wheelsAt } from "./geometry";

/** How near a button must be to what killed it, in map units: a tick of a fast car, for logs that end before the deadly one. */
const TOUCH_MAX = 12;

/** What the button is nearest to. */
export function causeByPosition(game: Game, match: Match, index: number, side: Side): string {
  const button = buttonAt(game, match, index, side);
  const enemy = SIDES[1 - side];
  const hull = hullAt(game, match, index, enemy);
  const toWheels = wheelsAt(game, match, index, enemy).map((wheel) =>
    wheel.corners !== null
      ? polygonToPolygon(button, wheel.corners)
      : polygonToPolygon(button, [wheel.body, wheel.body, wheel.body]) - wheel.radius,
  );
  const toWalls = button.map(({ x, y }) =>
    Math.min(x - WALL_INSET, FIELD_WIDTH - WALL_INSET - x, y - WALL_INSET, FIELD_HEIGHT - WALL_INSET - y),
  );
  const gaps: [string, number][] = [
    ["map", gapToMap(button, match.map.segments)],
    ["enemy", Math.min(polygonToPolygon(button, hull), ...toWheels)],
    ["deadline", Math.min(...button.map(({ y }) => y)) - deadlineAt(game, index) - DEADLINE_RISE],
    ["box", Math.min(...toWalls)],
  ];
  gaps.sort((a, b) => a[1] - b[1]);
  return gaps[0][1] <= TOUCH_MAX ? gaps[0][0] : "unknown";
}

/** Ticks of the match at which each player is first dead; null who lives. */
function deathTicks(game: Game, m: number, alive: number[]): Pair<number | null> {
  const match = game.matches[m];
  const next = game.matches[m + 1]?.lives ?? game.finalLives;
  return SIDES.map((side) => {
    if (match.ticks === 0) return null;
    for (let tick = 0; tick < match.ticks; ++tick) {
      if (alive[2 * (match.first + tick) + side] === 0) return tick;
    }
    const told = alive[2 * match.first + side] !== 2;
    return !told && next !== null && next[side] < match.lives[side] ? match.ticks - 1 : null;
  }) as Pair<number | null>;
}

export function findDeaths(game: Game, alive: number[], causes: Pair<string | null>[] | null): void {
  game.matches.forEach((match, m) => {
    const ticks = deathTicks(game, m, alive);
    for (const side of SIDES) {
      const tick = ticks[side];
      if (tick === null) continue;
      const replayed = causes?.[m]?.[side] ?? null;
      match.deaths[side] =
        replayed !== null && replayed !== "none"
          ? { tick, cause: replayed, replayed: true }
          : { tick, cause: causeByPosition(game, match, match.first + tick, side), replayed: false };
    }
  });
}

/** `owner` is "its", or "each one's" where both died. */
export function causeInWords(cause: string, owner = "its"): string {
  switch (cause) {
    case "map": return `${owner} button touched the map`;
    case "box": return `${owner} button touched the outer wall`;
    case "deadline": return `${owner} button touched the deadline`;
    case "enemy": return `${owner} button was hit by the other car`;
    default: return "the log does not tell of what";
  }
}

/** "1", "2", "both" or "nobody". */
export function loserOf(match: Match): string {
  const [first, second] = match.deaths;
  if (first !== null && second !== null) return "both";
  return first !== null ? "1" : second !== null ? "2" : "nobody";
}

export function firstDeathTick(match: Match): number | null {
  const ticks = match.deaths.flatMap((death) => (death === null ? [] : [death.tick]));
  return ticks.length === 0 ? null : Math.min(...ticks);
}
