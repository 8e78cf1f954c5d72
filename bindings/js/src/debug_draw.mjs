// SPDX-License-Identifier: MIT
// A picture of a space, to see what the physics does.

function trace(context, shape) {
  if (shape.vertices !== undefined) {
    for (const { x, y } of shape.vertices) context.lineTo(x, y);
    context.closePath();
  } else if (shape.offset !== undefined) {
    const { radius, offset: { x, y } } = shape;
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.moveTo(x, y);
    context.lineTo(x + radius, y); // shows the rotation
  } else {
    const { a, b, radius } = shape, angle = Math.atan2(b.y - a.y, b.x - a.x);
    context.arc(b.x, b.y, radius, angle - Math.PI / 2, angle + Math.PI / 2);
    context.arc(a.x, a.y, radius, angle + Math.PI / 2, angle + 1.5 * Math.PI);
    context.closePath();
  }
}

/**
 * Draws the shapes and joints of a space in a canvas's 2D context, in its present transform. Set the transform so
 * that a unit of the space has the wanted size, and y goes up (`context.scale(2, -2)`).
 */
export function debugDraw(context, space, options = {}) {
  const { fill = (shape) => (shape.body.type === "dynamic" ? (shape.body.isSleeping ? "#d8d4c8" : "#9fb8dd") : "#b9b2a3"), stroke = "#333", joint = "#c0392b", lineWidth = 1, paths = [] } = options;
  context.save();
  context.lineWidth = lineWidth;
  context.strokeStyle = stroke;
  for (const shape of space.shapes) {
    const { position: { x, y }, angle } = shape.body;
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    context.beginPath();
    trace(context, shape);
    context.fillStyle = fill(shape);
    context.fill();
    context.stroke();
    context.restore();
  }
  context.strokeStyle = joint;
  for (const { a, b, anchorA, anchorB, grooveA } of space.constraints) {
    const from = a.localToWorld(anchorA ?? grooveA ?? a.centerOfGravity), to = b.localToWorld(anchorB ?? b.centerOfGravity);
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
  }
  context.strokeStyle = stroke;
  for (const path of paths) {
    context.beginPath();
    for (let i = 0; i < path.length; i += 3) context.lineTo(path[i], path[i + 1]);
    context.stroke();
  }
  context.restore();
}
