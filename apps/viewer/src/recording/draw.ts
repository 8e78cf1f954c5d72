// SPDX-License-Identifier: MIT

import type { Colours } from "../page/dom";
import type { Camera } from "../scene/camera";
import { strokeLine, traceCircle } from "../scene/draw";
import { boxOf, endsOf, poseOf, type Frame, type Future, type Pose, type SceneShape } from "./scene";

export const LAYERS = ["shapes", "joints", "contacts", "sleeping", "boxes", "velocities", "ghosts"] as const;
export type Layer = (typeof LAYERS)[number];

export interface Picture {
  context: CanvasRenderingContext2D;
  camera: Camera;
  colours: Colours;
  /** The program's colours of shapes, by id. */
  own: Record<string, number>;
  frame: Frame;
  /** The frame before, for velocities; null at the first. */
  before: Frame | null;
  /** Frames of other branches. */
  ghosts: Frame[];
  layers: Record<Layer, boolean>;
  /** Ids of the selected body, shape or joint. */
  selected: { kind: string; id: number } | null;
  future: Future | null;
}

const FUTURE_GHOSTS = 10;

function trace(context: CanvasRenderingContext2D, { kind, radius, points }: SceneShape): void {
  context.beginPath();
  if (kind === 0) {
    context.arc(points[0], points[1], radius, 0, 2 * Math.PI);
    context.moveTo(points[0], points[1]);
    context.lineTo(points[0] + radius, points[1]); // shows how it turns
  } else if (kind === 1) {
    const [ax, ay, bx, by] = points, angle = Math.atan2(by - ay, bx - ax);
    context.arc(bx, by, radius, angle - Math.PI / 2, angle + Math.PI / 2);
    context.arc(ax, ay, radius, angle + Math.PI / 2, angle + 1.5 * Math.PI);
    context.closePath();
  } else {
    for (let i = 0; i < points.length; i += 2) context.lineTo(points[i], points[i + 1]);
    context.closePath();
  }
}

function drawShapes({ context, camera, colours, own, layers, selected }: Picture, frame: Frame, isGhost: boolean): void {
  const { scene, step } = frame;
  for (const shape of scene.shapes) {
    const moves = shape.body < scene.movingCount;
    if (isGhost && !moves) continue;
    const { x, y, angle } = poseOf(frame, shape.body);
    if (!Number.isFinite(x + y + angle)) continue;
    const sleeps = layers.sleeping && moves && (step.sleeping[shape.body >> 5] >>> (shape.body & 31) & 1) === 1;
    const type = scene.bodies[shape.body].type;
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    trace(context, shape);
    const isChosen = !isGhost && selected !== null
      && (selected.kind === "shape" ? selected.id === shape.id : selected.kind === "body" && selected.id === scene.bodies[shape.body].id);
    const colour = own?.[shape.id], given = colour === undefined ? "" : `#${(colour >>> 8).toString(16).padStart(6, "0")}`;
    context.fillStyle = given !== "" ? given : sleeps ? colours.dim : type === 2 ? colours.map : type === 1 ? colours.sides[1] : colours.sides[0];
    context.globalAlpha = isGhost ? 0.08 : given !== "" ? ((colour & 255) / 255) * (sleeps ? 0.5 : 1) : shape.sensor ? 0.1 : 0.35;
    context.fill();
    context.globalAlpha = isGhost ? 0.35 : 1;
    context.strokeStyle = isChosen ? colours.ink : context.fillStyle;
    context.lineWidth = (isChosen ? 3 : 1.2) / camera.scale;
    context.setLineDash(isGhost ? [4 / camera.scale, 3 / camera.scale] : []);
    context.stroke();
    context.restore();
  }
}

function drawJoints({ context, camera, colours, frame, selected }: Picture): void {
  for (const joint of frame.scene.joints) {
    const ends = endsOf(frame, joint);
    context.strokeStyle = context.fillStyle = selected?.kind === "joint" && selected.id === joint.id ? colours.ink : colours.sides[1];
    context.lineWidth = 1.5 / camera.scale;
    strokeLine(context, ends);
    for (const end of ends) {
      traceCircle(context, end, 2.5 / camera.scale);
      context.fill();
    }
  }
}

/** Rings show where the body begins to touch. */
function drawFuture({ context, camera, colours, frame }: Picture, { body, path, contacts }: Future, ratio: number): void {
  const count = path.length / 3 - 1, pose = (step: number): Pose => ({ x: path[3 * step], y: path[3 * step + 1], angle: path[3 * step + 2] });
  const ghost = (step: number, alpha: number) => {
    const { x, y, angle } = pose(step);
    context.globalAlpha = alpha;
    for (const shape of frame.scene.shapes) {
      if (shape.body !== body) continue;
      context.save();
      context.translate(x, y);
      context.rotate(angle);
      trace(context, shape);
      context.stroke();
      context.restore();
    }
  };
  context.strokeStyle = context.fillStyle = colours.ink;
  context.lineWidth = 1.2 / camera.scale;
  for (let k = 1; k <= FUTURE_GHOSTS; ++k) ghost(Math.round((k * count) / FUTURE_GHOSTS), 0.2 + (0.4 * k) / FUTURE_GHOSTS);
  context.globalAlpha = 1;
  context.lineWidth = 2 / camera.scale;
  strokeLine(context, Array.from({ length: count + 1 }, (_, step) => pose(step)));
  context.strokeStyle = context.fillStyle = colours.danger;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = "12px system-ui, sans-serif";
  context.lineWidth = 1.5;
  contacts.forEach(({ after }, i) => {
    const { x, y } = camera.toPixel(pose(after));
    traceCircle(context, { x, y }, 5);
    context.stroke();
    if (i > 0) return;
    context.strokeStyle = colours.field; // keeps the text legible on anything
    context.lineWidth = 3;
    context.strokeText(`+${after}`, x + 8, y - 6);
    context.fillText(`+${after}`, x + 8, y - 6);
    context.strokeStyle = colours.danger;
    context.lineWidth = 1.5;
  });
  camera.apply(context, ratio);
}

/** The largest impulse has 40 pixels. */
function drawContacts({ context, camera, colours, frame }: Picture): void {
  const { contacts } = frame.step;
  let most = 0;
  for (let i = 0; i < contacts.length; i += 4) most = Math.max(most, Math.hypot(contacts[i + 2], contacts[i + 3]));
  context.strokeStyle = context.fillStyle = colours.danger;
  context.lineWidth = 1.5 / camera.scale;
  for (let i = 0; i < contacts.length; i += 4) {
    const [x, y, jx, jy] = contacts.subarray(i, i + 4), length = most > 0 ? 40 / camera.scale / most : 0;
    traceCircle(context, { x, y }, 2 / camera.scale);
    context.fill();
    strokeLine(context, [-length / 2, length / 2].map((part) => ({ x: x + jx * part, y: y + jy * part })));
  }
}

function drawVelocities({ context, camera, colours, frame, before }: Picture): void {
  if (before === null || before.scene !== frame.scene) return;
  context.strokeStyle = colours.exact;
  context.lineWidth = 1.5 / camera.scale;
  for (let body = 0; body < frame.scene.movingCount; ++body) {
    const now = poseOf(frame, body), was = poseOf(before, body);
    strokeLine(context, [now, { x: now.x + 10 * (now.x - was.x), y: now.y + 10 * (now.y - was.y) }]);
  }
}

export function drawFrame(picture: Picture, ratio: number): void {
  const { context, camera, colours, frame, layers } = picture;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = colours.field;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  camera.apply(context, ratio);
  if (layers.ghosts) for (const ghost of picture.ghosts) drawShapes(picture, ghost, true);
  if (layers.shapes) drawShapes(picture, frame, false);
  if (layers.joints) drawJoints(picture);
  if (layers.boxes) {
    context.strokeStyle = colours.dim;
    context.lineWidth = 1 / camera.scale;
    for (const shape of frame.scene.shapes) {
      const { left, bottom, right, top } = boxOf(frame, shape);
      context.strokeRect(left, bottom, right - left, top - bottom);
    }
  }
  if (layers.velocities) drawVelocities(picture);
  if (layers.contacts) drawContacts(picture);
  if (picture.future !== null) drawFuture(picture, picture.future, ratio);
}
