// Draws the static part of a match: the field, its walls and the map.

import type { Match } from "../log/game";
import { FIELD_HEIGHT, FIELD_WIDTH } from "../log/geometry";
import type { Camera } from "./camera";
import type { Colours } from "./colours";

export function drawMap(context: CanvasRenderingContext2D, camera: Camera, ratio: number, match: Match, colours: Colours): void {
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

/** A line every 100 u. */
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
