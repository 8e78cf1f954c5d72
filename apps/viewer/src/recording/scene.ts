// SPDX-License-Identifier: MIT

import { pointsOf, type Point } from "../log/game";
import { distanceToPolygon, distanceToSegment, worldPoints } from "../log/measures";
import type { Box } from "../scene/camera";
import type { Forkmunk, RecordedStep, Recording, Space } from "./forkmunk.mjs";

export interface SceneBody { id: number; type: number; x: number; y: number; angle: number }
export interface SceneShape { id: number; body: number; kind: number; sensor: boolean; radius: number; points: number[] }
export interface SceneJoint { id: number; a: number; b: number; kind: number; anchors: number[] }
export interface Scene { bodies: SceneBody[]; movingCount: number; shapes: SceneShape[]; joints: SceneJoint[] }

export const SHAPE_KINDS = ["circle", "segment", "polygon"];
/** Returns the names of the joints by their numbers in recordings, like "pin joint": the order of the package's classes. */
export const jointKinds = (fm: Forkmunk): string[] =>
  Object.entries(fm).filter(([, { prototype }]) => prototype instanceof fm.Constraint).map(([name]) => name.replace(/\B[A-Z]/g, " $&").toLowerCase());
export const BODY_TYPES = ["dynamic", "kinematic", "static"];

/** docs/reference/file_formats.md has the format. */
export function readScene(words: Uint32Array): Scene {
  const numbers = new Float32Array(words.buffer, words.byteOffset, words.length);
  let at = 0;
  const word = () => words[at++], number = () => numbers[at++];
  const [bodyCount, movingCount, shapeCount, jointCount] = [word(), word(), word(), word()];
  at += 2;
  const times = <Value>(count: number, make: () => Value) => Array.from({ length: count }, make);
  return {
    movingCount,
    bodies: times(bodyCount, () => ({ id: word(), type: word(), x: number(), y: number(), angle: number() })),
    shapes: times(shapeCount, () => {
      const id = word(), body = word(), kind = word(), points = word();
      return { id, body, kind: kind & 255, sensor: (kind & 256) !== 0, radius: number(), points: times(2 * points, number) };
    }),
    joints: times(jointCount, () => ({ id: word(), a: word(), b: word(), kind: word(), anchors: times(4, number) })),
  };
}

export interface Frame { step: RecordedStep; scene: Scene }

/** Decodes each scene once. */
export class Frames {
  private readonly scenes = new Map<string, Scene>();
  constructor(readonly recording: Recording) {}

  at(state: number): Frame {
    const step = this.recording.step(state);
    const key = `${step.sceneKey} ${step.sceneWords.length}`;
    let scene = this.scenes.get(key);
    if (scene === undefined) this.scenes.set(key, (scene = readScene(step.sceneWords.slice())));
    return { step, scene };
  }
}

export interface Pose { x: number; y: number; angle: number }
export function poseOf({ step, scene }: Frame, body: number): Pose {
  if (body >= scene.movingCount) return scene.bodies[body];
  return { x: step.poses[3 * body], y: step.poses[3 * body + 1], angle: step.poses[3 * body + 2] };
}

function cornersOf(frame: Frame, { body, points }: SceneShape): Point[] {
  return worldPoints(pointsOf(points), poseOf(frame, body), 1);
}

/** Returns the points that a joint connects. A joint of angles has no anchors, and connects the middles of bodies
 * that move. */
export function endsOf(frame: Frame, { a, b, kind, anchors }: SceneJoint): Point[] {
  const points = pointsOf(anchors), ends = [a, b].flatMap((body, i) => worldPoints([points[i]], poseOf(frame, body), 1));
  return hasAnchors(kind) ? ends : ends.filter((_, i) => [a, b][i] < frame.scene.movingCount);
}
/** Joints without anchors follow the damped spring. */
export const hasAnchors = (kind: number): boolean => kind <= 4;

export function boxOf(frame: Frame, shape: SceneShape): Box {
  const corners = cornersOf(frame, shape), xs = corners.map(({ x }) => x), ys = corners.map(({ y }) => y), { radius } = shape;
  return { left: Math.min(...xs) - radius, bottom: Math.min(...ys) - radius, right: Math.max(...xs) + radius, top: Math.max(...ys) + radius };
}

const SAMPLES = 20;

/** Returns the first view: joints and what moves in the first frame, static shapes that are not far larger, and what
 * moves later. Leaves out objects farther away than half the size of the first frame, unless these are the majority. */
export function boundsOf(frames: Frames): Box {
  const all = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  const add = ({ left, bottom, right, top }: Box) => {
    if (![left, bottom, right, top].every(Number.isFinite)) return;
    all.left = Math.min(all.left, left), all.bottom = Math.min(all.bottom, bottom);
    all.right = Math.max(all.right, right), all.top = Math.max(all.top, top);
  };
  const boxesAt = (state: number) => {
    const frame = frames.at(state), { shapes, joints, movingCount } = frame.scene;
    const ends = joints.flatMap((joint) => endsOf(frame, joint));
    return [...shapes.filter(({ body }) => body < movingCount).map((shape) => boxOf(frame, shape)), ...ends.map(({ x, y }) => ({ left: x, bottom: y, right: x, top: y }))];
  };
  const { first, last } = frames.recording;
  boxesAt(first).forEach(add);
  const frame = frames.at(first), limit = 6 * Math.max(all.right - all.left, all.top - all.bottom, 0);
  for (const shape of frame.scene.shapes) {
    if (shape.body < frame.scene.movingCount) continue;
    const box = boxOf(frame, shape);
    if (limit === 0 || !Number.isFinite(limit) || (box.right - box.left <= limit && box.top - box.bottom <= limit)) add(box);
  }
  const later = Array.from({ length: SAMPLES }, (_, k) => boxesAt(Math.round(first + ((k + 1) * (last - first)) / SAMPLES))).flat();
  const near = () => {
    const { left, bottom, right, top } = all, size = Math.max(right - left, top - bottom, 0) / 2;
    return later.filter((box) => box.left > left - size && box.right < right + size && box.bottom > bottom - size && box.top < top + size);
  };
  if (near().length < later.length / 2) {
    const quartile = (side: keyof Box, share: number) => later.map((box) => box[side]).sort((a, b) => a - b)[Math.floor(share * later.length)];
    add({ left: quartile("left", 0.25), bottom: quartile("bottom", 0.25), right: quartile("right", 0.75), top: quartile("top", 0.75) });
  }
  near().forEach(add);
  return Number.isFinite(all.left) ? all : { left: -10, bottom: -10, right: 10, top: 10 };
}

/** The nearest shape to a point of the map, the last drawn of several; null if none is within `slack`. */
export function shapeAt(frame: Frame, at: Point, slack: number): SceneShape | null {
  let found: SceneShape | null = null, nearest = slack;
  for (const shape of frame.scene.shapes) {
    const corners = cornersOf(frame, shape);
    const outline = shape.kind === 2 ? distanceToPolygon(at, corners) : distanceToSegment(at, corners[0], corners[corners.length - 1]);
    const distance = Math.max(0, outline - shape.radius);
    if (distance <= nearest) [found, nearest] = [shape, distance];
  }
  return found;
}

/** A body's preview(). */
export interface Future {
  body: number;
  /** x, y and angle from this step on. */
  path: Float64Array;
  /** The shapes that the body begins to touch, by the number of steps until then; -1 for one outside of the space. */
  contacts: { after: number; other: number }[];
}

export function futureOf(fm: Forkmunk, space: Space, body: number, steps: number, dt: number): Future {
  const { bodies, shapes } = fm.Recording.objectsOf(space), { paths: [path], contacts } = fm.preview(space, [bodies[body]], steps, { dt });
  return { body, path, contacts: contacts.map(({ step, other }) => ({ after: step, other: other === null ? -1 : shapes.indexOf(other) })) };
}
