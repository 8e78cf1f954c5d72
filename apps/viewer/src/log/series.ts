// SPDX-License-Identifier: MIT
// The data of the curves: one number per tick and side, computed from positions. Velocities are differences of
// positions, so the first tick of a match has the velocity of the second.

import { carOffset, deadlineAt, SIDES, TICK_SECONDS, type Game, type Match, type Pair, type Side } from "./game";
import { bodyAt, buttonAt, hullAt, inAir, middleOf } from "./geometry";

export interface Measures {
  /** The speed of the body's origin, u/s. */
  speed: number;
  /** The angle in degrees, not wrapped, 0 upright. Positive angles turn counter-clockwise. */
  angle: number;
  /** The height of the button's lowest corner, u. */
  buttonHeight: number;
  inAir: boolean;
}

export function speedAt(game: Game, match: Match, index: number, side: Side): number {
  if (match.ticks < 2) return 0;
  const later = carOffset(Math.max(index, match.first + 1), side);
  const earlier = carOffset(Math.max(index, match.first + 1) - 1, side);
  const { states } = game;
  return Math.hypot(states[later] - states[earlier], states[later + 1] - states[earlier + 1]) / TICK_SECONDS;
}

export function measuresAt(game: Game, match: Match, index: number, side: Side): Measures {
  return {
    speed: speedAt(game, match, index, side),
    angle: (bodyAt(game, index, side, 0).angle * 180) / Math.PI,
    buttonHeight: Math.min(...buttonAt(game, match, index, side).map(({ y }) => y)),
    inAir: inAir(game, match, index, side),
  };
}

/** Returns the distance of the centres of both bodies, u. */
export function distanceAt(game: Game, match: Match, index: number): number {
  const [a, b] = SIDES.map((side) => middleOf(hullAt(game, match, index, side)));
  return Math.hypot(a.x - b.x, a.y - b.y);
}

export interface MatchSeries {
  ticks: number[];
  speed: Pair<number[]>;
  angle: Pair<number[]>;
  buttonHeight: Pair<number[]>;
  inAir: Pair<number[]>;
  distance: number[];
  deadline: number[];
  /** Null without a search trace. */
  score: Pair<(number | null)[]>;
}

export function seriesOf(game: Game, match: Match): MatchSeries {
  const series: MatchSeries = {
    ticks: [], speed: [[], []], angle: [[], []], buttonHeight: [[], []], inAir: [[], []], distance: [], deadline: [],
    score: [[], []],
  };
  for (let tick = 0; tick < match.ticks; ++tick) {
    const index = match.first + tick;
    series.ticks.push(tick);
    for (const side of SIDES) {
      const measures = measuresAt(game, match, index, side);
      series.speed[side].push(measures.speed);
      series.angle[side].push(measures.angle);
      series.buttonHeight[side].push(measures.buttonHeight);
      series.inAir[side].push(measures.inAir ? 1 : 0);
      series.score[side].push(game.searchTraces?.[2 * index + side]?.score ?? null);
    }
    series.distance.push(distanceAt(game, match, index));
    series.deadline.push(deadlineAt(game, index));
  }
  return series;
}

/** Returns an evaluator term over a match, by its name; null if a side has no such term or no search trace. */
export function termSeries(game: Game, match: Match, name: string): Pair<(number | null)[]> {
  return SIDES.map((side) => {
    const term = game.termNames[side].indexOf(name);
    return Array.from({ length: match.ticks }, (_, tick) => {
      const trace = game.searchTraces?.[2 * (match.first + tick) + side];
      return term < 0 || !trace ? null : (trace.terms[term] ?? null);
    });
  }) as Pair<(number | null)[]>;
}
