// SPDX-License-Identifier: MIT

import { checks, optionsOf, refuse } from "./checks.mjs";
import { $module } from "./private.mjs";

const byType = ({ body }) => (body.type === "dynamic" ? (body.isSleeping ? "#d8d4c8" : "#9fb8dd") : "#b9b2a3");
const LOOK = { fill: byType, stroke: "#333", joint: "#c0392b", lineWidth: 1, preview: undefined, ghosts: 8, event: undefined };

function trace(context, { vertices, radius, offset, a, b }) {
  if (vertices !== undefined) {
    for (const { x, y } of vertices) context.lineTo(x, y);
    context.closePath();
  } else if (offset !== undefined) {
    const { x, y } = offset;
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.moveTo(x, y);
    context.lineTo(x + radius, y); // shows the rotation
  } else {
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    context.arc(b.x, b.y, radius, angle - Math.PI / 2, angle + Math.PI / 2);
    context.arc(a.x, a.y, radius, angle + Math.PI / 2, angle + 1.5 * Math.PI);
    context.closePath();
  }
}

function inPose(context, shapes, x, y, angle, draw) {
  for (const shape of shapes) {
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    context.beginPath();
    trace(context, shape);
    draw(shape);
    context.restore();
  }
}

export function debugDraw(context, space, options = {}) {
  const { fill, stroke, joint, lineWidth, preview, ghosts, event = joint } = optionsOf(options, "debugDraw(): options", LOOK);
  if (typeof context?.arc !== "function") refuse("debugDraw(): context", context, "a CanvasRenderingContext2D");
  if (space?.[$module] === undefined) refuse("debugDraw(): space", space, "a Space");
  if (preview !== undefined && !Array.isArray(preview?.paths)) refuse("debugDraw(): preview", preview, "a result of preview()");
  checks.run(fill, "debugDraw(): fill");
  context.save();
  context.lineWidth = lineWidth;
  context.strokeStyle = stroke;
  for (const shape of space.shapes) {
    const { position: { x, y }, angle } = shape.body;
    inPose(context, [shape], x, y, angle, () => {
      context.fillStyle = fill(shape);
      context.fill();
      context.stroke();
    });
  }
  context.strokeStyle = joint;
  for (const { a, b, anchorA, anchorB, grooveA } of space.constraints) {
    const from = a.localToWorld(anchorA ?? grooveA ?? a.centerOfGravity), to = b.localToWorld(anchorB ?? b.centerOfGravity);
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
  }
  if (preview !== undefined) {
    const { bodies, paths, firstContact } = preview, all = space.shapes;
    const ghost = (i, step, alpha) => {
      context.globalAlpha = alpha;
      inPose(context, all.filter(({ body }) => body === bodies[i]), ...paths[i].slice(3 * step, 3 * step + 3), () => context.stroke());
    };
    context.strokeStyle = stroke;
    paths.forEach((path, i) => {
      const steps = path.length / 3 - 1, count = Math.min(ghosts, steps);
      context.globalAlpha = 0.6;
      context.beginPath();
      for (let at = 0; at < path.length; at += 3) context.lineTo(path[at], path[at + 1]);
      context.stroke();
      for (let k = count; k > 0; --k) ghost(i, Math.floor((k * steps) / count), (0.6 * (count + 1 - k)) / count);
    });
    if (firstContact) {
      const i = bodies.indexOf(firstContact.body), [x, y] = paths[i].slice(3 * firstContact.step);
      context.strokeStyle = context.fillStyle = event;
      ghost(i, firstContact.step, 1);
      context.beginPath();
      context.arc(x, y, 3 * lineWidth, 0, 2 * Math.PI);
      context.fill();
    }
  }
  context.restore();
}
