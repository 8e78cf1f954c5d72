// SPDX-License-Identifier: MIT
// Draws a player's view, and how many frames were rolled back at what cost.

import { debugDraw } from "../src/debug_draw.mjs";
import { HEIGHT, WIDTH } from "./game.mjs";

const CHART = 60; // height in pixels; a frame that is rolled back takes 3

export function drawScene(context, space) {
  const [first, second] = space.bodies;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, WIDTH, HEIGHT);
  context.setTransform(1, 0, 0, -1, 0, HEIGHT);
  debugDraw(context, space, { fill: ({ body }) => (body === first ? "#d9730d" : body === second ? "#2f6fde" : "#b9b2a3") });
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
