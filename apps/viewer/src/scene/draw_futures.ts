// Draws futures: plans that the planner tried from this tick on, as paths in the colour of their score, better ones on top.
// The chosen plan is thick; plans that end in the player's death have the colour of danger and a cross.

import { middleOf, worldPoints } from "../log/geometry";
import { SIDES, type Point } from "../log/game";
import type { Future } from "../engine/module";
import { scoreColour } from "./colours";
import type { View } from "./draw_tick";

const CROSS = 5; // pixels

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
  context.beginPath();
  points.forEach(({ x, y }, i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  if (halo) line(1.8 * width, colours.field); // separates it from paths below
  line(width, colour);
}

function drawEnd({ context, camera, colours }: View, { dies, chosen }: Future, { x, y }: Point, colour: string): void {
  const pixel = 1 / camera.scale;
  context.beginPath();
  if (dies) {
    for (const way of [-1, 1]) {
      context.moveTo(x - CROSS * pixel, y - CROSS * way * pixel);
      context.lineTo(x + CROSS * pixel, y + CROSS * way * pixel);
    }
    context.strokeStyle = colours.danger;
    context.lineWidth = 2 * pixel;
    context.stroke();
  } else {
    context.arc(x, y, (chosen ? 5 : 2.5) * pixel, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
    context.strokeStyle = colours.field;
    context.lineWidth = 0.8 * pixel;
    context.stroke();
  }
}

export function drawFutures(view: View, futures: Future[]): void {
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
  // The worst first, then both sides' choices, then all ends: a chosen path may hide other paths, but not their ends.
  for (const wanted of [false, true]) {
    context.globalAlpha = wanted ? 1 : 0.85;
    for (const { future, points, colour } of drawn) {
      if (future.chosen === wanted) drawWay(view, points, (wanted ? 4.5 : 1.8) / camera.scale, colour, wanted);
    }
  }
  for (const { future, points, colour } of drawn) drawEnd(view, future, points[points.length - 1], colour);
  context.globalAlpha = 1;
}
