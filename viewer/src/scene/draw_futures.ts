// What may come: plans from this tick as ghost paths. The planner's own is strong; of the others those that score higher are
// stronger; those that end in the player's death have the colour of danger and a cross.

import { middleOf, placed } from "../log/geometry";
import type { Future } from "../engine/futures";
import type { Point } from "../log/game";
import type { View } from "./draw_tick";

function pointsOf({ match }: View, { side, places }: Future): Point[] {
  const middle = middleOf(match.car.body);
  const points: Point[] = [];
  for (let i = 0; i < places.length; i += 3) {
    points.push(...placed([middle], { x: places[i], y: places[i + 1], angle: places[i + 2] }, match.facing[side]));
  }
  return points;
}

export function drawFutures(view: View, futures: Future[]): void {
  const { context, camera, colours, ratio } = view;
  camera.apply(context, ratio);
  const pixel = 1 / camera.scale;
  context.lineCap = context.lineJoin = "round";
  for (const side of [0, 1] as const) {
    const mine = futures.filter((future) => future.side === side).sort((a, b) => Number(a.chosen) - Number(b.chosen) || a.score - b.score);
    mine.forEach((future, rank) => {
      const points = pointsOf(view, future);
      context.strokeStyle = future.dies ? colours.danger : colours.sides[side];
      context.globalAlpha = future.chosen ? 1 : 0.2 + (0.5 * rank) / mine.length;
      context.lineWidth = (future.chosen ? 4 : 1.5) * pixel;
      context.beginPath();
      points.forEach(({ x, y }, i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      if (future.dies) {
        const { x, y } = points[points.length - 1];
        for (const way of [-1, 1]) {
          context.moveTo(x - 5 * pixel, y - 5 * way * pixel);
          context.lineTo(x + 5 * pixel, y + 5 * way * pixel);
        }
      }
      context.stroke();
    });
  }
  context.globalAlpha = 1;
}
