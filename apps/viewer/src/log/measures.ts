// SPDX-License-Identifier: MIT
// Shapes and distances in the world. A body's position is that of its origin.

import { CAR_SIZE, deadlineAt, SIDES, STATE_SIZE, TICK_SECONDS, type Game, type Match, type Pair, type Point, type Side } from "./game";

export const FIELD_WIDTH = 1200;
export const FIELD_HEIGHT = 800;
/** The height of the deadline's upper edge above its body. */
export const DEADLINE_RISE = 2;

export interface Body {
  x: number;
  y: number;
  angle: number;
}

/** Part 0 is the car, 1 its rear wheel, 2 its front wheel. */
export function bodyAt(states: Float64Array, index: number, side: Side, part: 0 | 1 | 2): Body {
  const at = index * STATE_SIZE + side * CAR_SIZE + 3 * part;
  return { x: states[at], y: states[at + 1], angle: states[at + 2] };
}

/** A car that faces left is mirrored first. */
export function worldPoints(points: Point[], body: Body, facing: number): Point[] {
  const cos = Math.cos(body.angle);
  const sin = Math.sin(body.angle);
  return points.map(({ x, y }) => {
    const mirrored = facing * x;
    return { x: body.x + mirrored * cos - y * sin, y: body.y + mirrored * sin + y * cos };
  });
}

export function squareAround(body: Body, radius: number): Point[] {
  const corners = [{ x: -radius, y: -radius }, { x: radius, y: -radius }, { x: radius, y: radius }, { x: -radius, y: radius }];
  return worldPoints(corners, body, 1);
}

export function middleOf(points: Point[]): Point {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point.x / points.length;
    y += point.y / points.length;
  }
  return { x, y };
}

export function distanceToSegment(point: Point, a: Point, b: Point): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : ((point.x - a.x) * dx + (point.y - a.y) * dy) / squared;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - a.x - t * dx, point.y - a.y - t * dy);
}

export function isInside(point: Point, polygon: Point[]): boolean {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const a = polygon[i];
    const b = polygon[j];
    if (a.y > point.y !== b.y > point.y && point.x < ((b.x - a.x) * (point.y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

/** Returns 0 inside. */
export function distanceToPolygon(point: Point, polygon: Point[]): number {
  if (isInside(point, polygon)) return 0;
  let nearest = Infinity;
  polygon.forEach((a, i) => {
    nearest = Math.min(nearest, distanceToSegment(point, a, polygon[(i + 1) % polygon.length]));
  });
  return nearest;
}

/** Square wheels have corners. */
export function wheelsAt(game: Game, match: Match, index: number, side: Side) {
  return ([1, 2] as const).map((part) => {
    const body = bodyAt(game.states, index, side, part);
    const radius = part === 1 ? match.car.rearRadius : match.car.frontRadius;
    return { body, radius, corners: match.car.squareWheels ? squareAround(body, radius) : null };
  });
}

export function buttonAt(game: Game, match: Match, index: number, side: Side): Point[] {
  return worldPoints(match.car.button, bodyAt(game.states, index, side, 0), match.facing[side]);
}

export function hullAt(game: Game, match: Match, index: number, side: Side): Point[] {
  return worldPoints(match.car.body, bodyAt(game.states, index, side, 0), match.facing[side]);
}

/** Returns whether no wheel is within 1 u of anything except its own car, as the referee does. */
export function inAir(game: Game, match: Match, index: number, side: Side): boolean {
  const enemy = SIDES[1 - side];
  const hull = hullAt(game, match, index, enemy);
  const enemyWheels = wheelsAt(game, match, index, enemy);
  return wheelsAt(game, match, index, side).every(({ body, radius }) => {
    const reach = radius + 1;
    if (match.map.segments.some(({ a, b, radius: thick }) => distanceToSegment(body, a, b) - thick < reach)) return false;
    if (distanceToPolygon(body, hull) < reach) return false;
    return enemyWheels.every((wheel) => {
      const gap = wheel.corners !== null
        ? distanceToPolygon(body, wheel.corners)
        : Math.hypot(body.x - wheel.body.x, body.y - wheel.body.y) - wheel.radius;
      return gap >= reach;
    });
  });
}

/** Interpolates between two ticks: writes STATE_SIZE numbers to `to`. */
export function interpolate(game: Game, index: number, share: number, to: Float64Array): void {
  const at = index * STATE_SIZE;
  for (let i = 0; i < STATE_SIZE; ++i) {
    const now = game.states[at + i];
    to[i] = share === 0 ? now : now + share * (game.states[at + STATE_SIZE + i] - now);
  }
}

// The curves: one number per tick and side. Velocities are differences of positions, so the first tick of a match has
// the velocity of the second.

/** Returns the speed of the body's origin, u/s. */
function speedAt(game: Game, match: Match, index: number, side: Side): number {
  if (match.ticks < 2) return 0;
  const later = Math.max(index, match.first + 1);
  const [from, to] = [later - 1, later].map((tick) => bodyAt(game.states, tick, side, 0));
  return Math.hypot(to.x - from.x, to.y - from.y) / TICK_SECONDS;
}

export function measuresAt(game: Game, match: Match, index: number, side: Side) {
  return {
    speed: speedAt(game, match, index, side),
    /** Degrees, not wrapped, 0 upright. */
    angle: (bodyAt(game.states, index, side, 0).angle * 180) / Math.PI,
    /** The height of the button's lowest corner, u. */
    buttonHeight: Math.min(...buttonAt(game, match, index, side).map(({ y }) => y)),
    inAir: inAir(game, match, index, side),
  };
}

export function distanceAt(game: Game, match: Match, index: number): number {
  const [a, b] = SIDES.map((side) => middleOf(hullAt(game, match, index, side)));
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function ofSides<Value>(match: Match, valueAt: (index: number, side: Side) => Value): Pair<Value[]> {
  return SIDES.map((side) => Array.from({ length: match.ticks }, (_, tick) => valueAt(match.first + tick, side))) as Pair<Value[]>;
}

export type MatchSeries = ReturnType<typeof seriesOf>;

export function seriesOf(game: Game, match: Match) {
  const ticks = Array.from({ length: match.ticks }, (_, tick) => tick);
  const measures = ofSides(match, (index, side) => measuresAt(game, match, index, side));
  const columns = (of: (each: ReturnType<typeof measuresAt>) => number) => measures.map((list) => list.map(of));
  return {
    ticks,
    speed: columns(({ speed }) => speed),
    angle: columns(({ angle }) => angle),
    buttonHeight: columns(({ buttonHeight }) => buttonHeight),
    inAir: columns((each) => (each.inAir ? 1 : 0)),
    distance: ticks.map((tick) => distanceAt(game, match, match.first + tick)),
    deadline: ticks.map((tick) => deadlineAt(game, match.first + tick)),
    /** Null without a search trace. */
    score: ofSides(match, (index, side) => game.searchTraces?.[2 * index + side]?.score ?? null),
  };
}

/** Null without the term. */
export function termSeries(game: Game, match: Match, name: string): Pair<(number | null)[]> {
  return ofSides(match, (index, side) => game.searchTraces?.[2 * index + side]?.terms[game.termNames[side].indexOf(name)] ?? null);
}
