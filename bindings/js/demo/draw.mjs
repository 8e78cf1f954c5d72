// Draws a player's view, and how many frames were rolled back at what cost.

import { HEIGHT, WIDTH } from "./game.mjs";

const CHART = 60; // height in pixels; a frame that is rolled back takes 3

export function drawScene(context, { space, local }) {
  const view = space.transforms, { shapes } = space;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, WIDTH, HEIGHT);
  context.setTransform(1, 0, 0, -1, 0, HEIGHT);
  for (let i = 0; i < view.length / 3; ++i) {
    context.save();
    context.translate(view[3 * i], view[3 * i + 1]);
    context.rotate(view[3 * i + 2]);
    context.beginPath();
    if (i < 2) {
      context.fillStyle = i === 0 ? "#d9730d" : "#2f6fde";
      context.arc(0, 0, shapes[3 + i].radius, 0, 7);
      context.moveTo(0, 0);
      context.lineTo(shapes[3 + i].radius, 0);
      context.lineWidth = i === local ? 3 : 1;
    } else {
      context.fillStyle = "#b9b2a3";
      context.rect(-11, -11, 22, 22);
      context.lineWidth = 1;
    }
    context.fill();
    context.strokeStyle = "#333";
    context.stroke();
    context.restore();
  }
}

/** @param history {rolledBack, microseconds} of the last frames */
export function drawChart(context, history) {
  context.clearRect(0, 0, WIDTH, CHART);
  history.forEach(({ rolledBack, microseconds }, i) => {
    context.fillStyle = "#d9730d";
    context.fillRect(2 * i, CHART - 3 * rolledBack, 2, 3 * rolledBack);
    context.fillStyle = "#2f6fde";
    context.fillRect(2 * i, CHART - Math.min(CHART - 1, microseconds / 50), 2, 1);
  });
}
