// SPDX-License-Identifier: MIT

import type { Future } from "../engine/module";
import { commandAt, DEADLINE, shortName, SIDES, STATE_SIZE, type Command, type Game, type Match, type Point, type SearchTrace, type Side } from "../log/game";
import { bodyAt, DEADLINE_RISE, FIELD_HEIGHT, FIELD_WIDTH, interpolate, middleOf, worldPoints, type Body } from "../log/measures";
import { readColours, scoreColour, type Colours } from "../page/dom";
import { Camera } from "./camera";

function drawMap(context: CanvasRenderingContext2D, camera: Camera, ratio: number, match: Match, colours: Colours): void {
  const { canvas } = context;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  camera.apply(context, ratio);
  const pixel = 1 / camera.scale;

  context.fillStyle = colours.field;
  context.fillRect(0, 0, FIELD_WIDTH, FIELD_HEIGHT);
  drawGrid(context, pixel, colours);
  context.lineCap = "round";
  context.lineJoin = "round";
  context.strokeStyle = colours.map;
  // Segments of the same width in one path overlap without seams.
  const widths = new Set(match.map.segments.map(({ radius }) => radius));
  for (const radius of widths) {
    context.lineWidth = Math.max(2 * radius, 1.5 * pixel);
    context.beginPath();
    for (const { a, b, radius: own } of match.map.segments) {
      if (own !== radius) continue;
      context.moveTo(a.x, a.y);
      context.lineTo(b.x, b.y);
    }
    context.stroke();
  }
  context.strokeStyle = colours.danger;
  context.lineWidth = 1.5 * pixel;
  context.setLineDash([6 * pixel, 5 * pixel]);
  context.strokeRect(0, 0, FIELD_WIDTH, FIELD_HEIGHT);
  context.setLineDash([]);
}

/** Draws a line every 100 u. */
function drawGrid(context: CanvasRenderingContext2D, pixel: number, colours: Colours): void {
  context.strokeStyle = colours.line;
  context.globalAlpha = 0.55;
  context.lineWidth = pixel;
  context.beginPath();
  for (let x = 100; x < FIELD_WIDTH; x += 100) {
    context.moveTo(x, 0);
    context.lineTo(x, FIELD_HEIGHT);
  }
  for (let y = 100; y < FIELD_HEIGHT; y += 100) {
    context.moveTo(0, y);
    context.lineTo(FIELD_WIDTH, y);
  }
  context.stroke();
  context.globalAlpha = 1;
}

const TRAIL_TICKS = 62;
const TRAIL_PIECES = 5;
const NAME_LENGTH_MAX = 18;
const ARROW_SIZE = 7; // pixels
const LABEL_GAP = 19; // pixels between names
const LABEL_MARGIN = 26; // pixels, for the arrow
const LABEL_HEIGHT = 84; // map units above the car's centre

interface View {
  context: CanvasRenderingContext2D;
  camera: Camera;
  colours: Colours;
  ratio: number;
  game: Game;
  match: Match;
  /** `state` may be between this tick and the next. */
  index: number;
  state: Float64Array;
}

function traceLine(context: CanvasRenderingContext2D, points: Point[]): void {
  context.beginPath();
  for (const { x, y } of points) context.lineTo(x, y);
}

export function strokeLine(context: CanvasRenderingContext2D, points: Point[]): void {
  traceLine(context, points);
  context.stroke();
}

export function traceCircle(context: CanvasRenderingContext2D, { x, y }: Point, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

function tracePolygon(context: CanvasRenderingContext2D, points: Point[]): void {
  traceLine(context, points);
  context.closePath();
}

function drawDeadline({ context, camera, colours, state }: View): void {
  const top = state[DEADLINE] + DEADLINE_RISE;
  const bottom = Math.min(top, 0) - 40;
  context.fillStyle = colours.danger;
  context.globalAlpha = 0.18;
  context.fillRect(0, bottom, FIELD_WIDTH, top - bottom);
  context.globalAlpha = 1;
  context.strokeStyle = colours.danger;
  context.lineWidth = 2 / camera.scale;
  strokeLine(context, [{ x: 0, y: top }, { x: FIELD_WIDTH, y: top }]);
}

/** Draws the way of the last second, fading. */
function drawTrail({ context, camera, colours, game, match, index }: View, side: Side): void {
  const from = Math.max(match.first, index - TRAIL_TICKS);
  const middle = middleOf(match.car.body);
  context.strokeStyle = colours.sides[side];
  context.lineWidth = 2.5 / camera.scale;
  context.lineCap = "butt";
  for (let piece = 0; piece < TRAIL_PIECES; ++piece) {
    const begin = Math.round(from + ((index - from) * piece) / TRAIL_PIECES);
    const end = Math.round(from + ((index - from) * (piece + 1)) / TRAIL_PIECES);
    if (begin === end) continue;
    context.globalAlpha = (0.75 * (piece + 1)) / TRAIL_PIECES;
    const ticks = Array.from({ length: end - begin + 1 }, (_, i) => begin + i);
    strokeLine(context, ticks.flatMap((tick) => worldPoints([middle], bodyAt(game.states, tick, side, 0), match.facing[side])));
  }
  context.globalAlpha = 1;
}

function drawWheel({ context, camera, colours, match }: View, body: Body, radius: number, side: Side): void {
  context.save();
  context.translate(body.x, body.y);
  context.rotate(body.angle);
  context.beginPath();
  if (match.car.squareWheels) context.rect(-radius, -radius, 2 * radius, 2 * radius);
  else context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fillStyle = colours.panel;
  context.fill();
  context.strokeStyle = colours.sides[side];
  context.lineWidth = 2 / camera.scale;
  context.stroke();
  context.beginPath();
  context.moveTo(0, 0);
  context.lineTo(radius, 0);
  context.moveTo(0, -0.4 * radius);
  context.lineTo(0, 0.4 * radius);
  context.lineWidth = 1.5 / camera.scale;
  context.stroke();
  context.restore();
}

function drawCar(view: View, side: Side): void {
  const { context, camera, colours, match, state } = view;
  const body = bodyAt(state, 0, side, 0);
  tracePolygon(context, worldPoints(match.car.body, body, match.facing[side]));
  context.fillStyle = colours.sides[side];
  context.globalAlpha = 0.28;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = colours.sides[side];
  context.lineWidth = 2 / camera.scale;
  context.lineJoin = "round";
  context.stroke();
  drawWheel(view, bodyAt(state, 0, side, 1), match.car.rearRadius, side);
  drawWheel(view, bodyAt(state, 0, side, 2), match.car.frontRadius, side);
  // A button is 1 u high: it needs a minimum width.
  tracePolygon(context, worldPoints(match.car.button, body, match.facing[side]));
  context.fillStyle = context.strokeStyle = colours.danger;
  context.lineWidth = 3 / camera.scale;
  context.fill();
  context.stroke();
}

function drawPath({ context, camera }: View, points: Point[], colour: string, dash: number[]): void {
  if (points.length < 2) return;
  const pixel = 1 / camera.scale;
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.5 * pixel;
  context.setLineDash(dash.map((length) => length * pixel));
  strokeLine(context, points);
  context.setLineDash([]);
  traceCircle(context, points[points.length - 1], 4 * pixel);
  context.fill();
}

/** The enemy's path is dotted. */
function drawPlans(view: View, side: Side): void {
  const trace: SearchTrace | null = view.game.searchTraces?.[2 * view.index + side] ?? null;
  if (trace === null) return;
  drawPath(view, trace.path, view.colours.sides[side], [7, 4]);
  drawPath(view, trace.enemyPath, view.colours.sides[side], [1.5, 4]);
}

function arrow(context: CanvasRenderingContext2D, command: Command, x: number, y: number): void {
  const s = ARROW_SIZE;
  context.beginPath();
  if (command === "stop") {
    context.rect(x - 0.7 * s, y - 0.7 * s, 1.4 * s, 1.4 * s);
  } else {
    const way = command === "right" ? 1 : -1;
    context.moveTo(x + way * s, y);
    context.lineTo(x - way * 0.6 * s, y - s);
    context.lineTo(x - way * 0.6 * s, y + s);
    context.closePath();
  }
}

interface Label {
  side: Side;
  text: string;
  left: number;
  y: number;
  width: number;
}

/** Returns positions in pixels above the cars, inside the picture, without overlap. */
function layoutLabels({ context, camera, game, match, state }: View): Label[] {
  const labels = SIDES.map((side): Label => {
    const [middle] = worldPoints([middleOf(match.car.body)], bodyAt(state, 0, side, 0), match.facing[side]);
    const at = camera.toPixel({ x: middle.x, y: middle.y + LABEL_HEIGHT });
    const text = `${side + 1} ${shortName(game.players[side], NAME_LENGTH_MAX)}`;
    const width = context.measureText(text).width;
    const left = Math.max(LABEL_MARGIN, Math.min(camera.pixelWidth - LABEL_MARGIN - width, at.x - width / 2));
    return { side, text, left, y: Math.max(at.y, LABEL_GAP), width };
  });
  const [upper, lower] = labels[0].y <= labels[1].y ? labels : [labels[1], labels[0]];
  const apart = upper.left > lower.left
    ? upper.left - lower.left - lower.width
    : lower.left - upper.left - upper.width;
  if (apart < 2 * LABEL_MARGIN && lower.y - upper.y < LABEL_GAP) {
    upper.y = Math.max(LABEL_GAP, lower.y - LABEL_GAP);
    lower.y = Math.max(lower.y, upper.y + LABEL_GAP);
  }
  return labels;
}

/** A dead player has a cross instead of a command. */
function drawLabel(view: View, { side, text, left, y, width }: Label): void {
  const { context, colours, game, match, index } = view;
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = colours.field;
  context.strokeText(text, left, y);
  context.fillStyle = context.strokeStyle = colours.sides[side];
  context.fillText(text, left, y);
  const death = match.deaths[side];
  if (death !== null && index - match.first >= death.tick) {
    return drawCross(view, { x: left - 14, y }, 5, 3);
  }
  const command = commandAt(game, index, side);
  if (command === "none") return;
  arrow(context, command, left + (command === "right" ? width + 14 : -14), y);
  // An inferred command is drawn hollow.
  context.lineWidth = 1.5;
  if (game.commandsFrom === "log") context.fill();
  else context.stroke();
}

function drawLabels(view: View): void {
  const { context, ratio } = view;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = "600 12px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const label of layoutLabels(view)) drawLabel(view, label);
}

function drawCross({ context, colours }: View, { x, y }: Point, size: number, lineWidth: number): void {
  context.strokeStyle = colours.danger;
  context.lineWidth = lineWidth;
  context.lineCap = "round";
  for (const way of [-1, 1]) {
    strokeLine(context, [{ x: x - size, y: y - way * size }, { x: x + size, y: y + way * size }]);
  }
}

function drawDeath({ context, camera, colours, match, index, state }: View, side: Side): void {
  const death = match.deaths[side];
  if (death === null || index - match.first < death.tick) return;
  const middle = middleOf(worldPoints(match.car.button, bodyAt(state, 0, side, 0), match.facing[side]));
  context.strokeStyle = colours.danger;
  context.lineWidth = 2.5 / camera.scale;
  for (const [units, pixels] of [[14, 5], [23, 9]]) {
    traceCircle(context, middle, Math.max(units, pixels / camera.scale));
    context.stroke();
  }
}

function drawTick(view: View): void {
  const { context, camera, ratio } = view;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  camera.apply(context, ratio);
  drawDeadline(view);
  for (const side of SIDES) drawTrail(view, side);
  for (const side of SIDES) drawPlans(view, side);
  for (const side of SIDES) drawCar(view, side);
  for (const side of SIDES) drawDeath(view, side);
  drawLabels(view);
}

// Futures, the better ones on top. The player's death has the colour of danger and a cross.

function pointsOf({ match }: View, { side, poses }: Future): Point[] {
  const middle = middleOf(match.car.body);
  const points: Point[] = [];
  for (let i = 0; i < poses.length; i += 3) {
    points.push(...worldPoints([middle], { x: poses[i], y: poses[i + 1], angle: poses[i + 2] }, match.facing[side]));
  }
  return points;
}

function drawWay({ context, colours }: View, points: Point[], width: number, colour: string, halo: boolean): void {
  const line = (lineWidth: number, style: string) => {
    context.lineWidth = lineWidth;
    context.strokeStyle = style;
    context.stroke();
  };
  traceLine(context, points);
  if (halo) line(1.8 * width, colours.field); // separates it from paths below
  line(width, colour);
}

function drawEnd(view: View, { dies, chosen }: Future, end: Point, colour: string): void {
  const { context, camera, colours } = view, pixel = 1 / camera.scale;
  if (dies) return drawCross(view, end, 5 * pixel, 2 * pixel);
  traceCircle(context, end, (chosen ? 5 : 2.5) * pixel);
  context.fillStyle = colour;
  context.fill();
  context.strokeStyle = colours.field;
  context.lineWidth = 0.8 * pixel;
  context.stroke();
}

function drawFutures(view: View, futures: Future[]): void {
  const { context, camera, colours, ratio } = view;
  camera.apply(context, ratio);
  context.lineCap = context.lineJoin = "round";
  const drawn = SIDES.flatMap((side) => {
    const mine = futures.filter((future) => future.side === side);
    const lives = mine.filter(({ dies }) => !dies).length;
    let rank = 0;
    return mine.map((future) => {
      const share = future.chosen || lives < 3 ? 1 : rank / (lives - 2);
      if (!future.dies && !future.chosen) ++rank;
      return { future, points: pointsOf(view, future), colour: future.dies ? colours.danger : scoreColour(colours, share) };
    });
  });
  // The ends come last, because a chosen path may not hide them.
  for (const wanted of [false, true]) {
    context.globalAlpha = wanted ? 1 : 0.85;
    for (const { future, points, colour } of drawn) {
      if (future.chosen === wanted) drawWay(view, points, (wanted ? 4.5 : 1.8) / camera.scale, colour, wanted);
    }
  }
  for (const { future, points, colour } of drawn) drawEnd(view, future, points[points.length - 1], colour);
  context.globalAlpha = 1;
}

// The map has a canvas of its own, and is drawn when it changes.

export class Scene {
  readonly camera = new Camera();
  readonly state = new Float64Array(STATE_SIZE);
  drawnIndex = -1;
  framesDrawn = 0;
  private readonly mapContext: CanvasRenderingContext2D;
  private readonly tickContext: CanvasRenderingContext2D;
  private colours: Colours = readColours();
  private mapKey = "";
  private themeVersion = 0;

  constructor(private readonly frame: HTMLElement, mapLayer: HTMLCanvasElement, private readonly tickLayer: HTMLCanvasElement) {
    this.mapContext = mapLayer.getContext("2d")!;
    this.tickContext = tickLayer.getContext("2d")!;
  }

  changeTheme(): void {
    this.colours = readColours();
    ++this.themeVersion;
  }

  /** @param share  of the way to the next tick, in the same match */
  draw(game: Game, matchIndex: number, index: number, share: number, futures: Future[] = []): void {
    const ratio = this.camera.fitInto(this.frame, this.mapContext.canvas, this.tickLayer);
    const match = game.matches[matchIndex];
    const mapKey = [game.fileName, matchIndex, this.camera.version, ratio, this.themeVersion, this.tickLayer.width].join();
    if (mapKey !== this.mapKey) {
      drawMap(this.mapContext, this.camera, ratio, match, this.colours);
      this.mapKey = mapKey;
    }
    interpolate(game, index, share, this.state);
    this.drawnIndex = index;
    const view = {
      context: this.tickContext, camera: this.camera, colours: this.colours, ratio, game, match, index, state: this.state,
    };
    drawTick(view);
    drawFutures(view, futures);
    ++this.framesDrawn;
  }

  forget(): void {
    this.mapKey = "";
  }
}
