// SPDX-License-Identifier: MIT
// Converts map units (y up) to pixels of the page (y down).

import type { Point } from "../log/game";
import { FIELD_HEIGHT, FIELD_WIDTH } from "../log/measures";

const MARGIN_SHARE = 14 / FIELD_WIDTH; // a share of the width that fit() shows
const ZOOM_MIN = 0.5;

export interface Box { left: number; bottom: number; right: number; top: number }
const FIELD: Box = { left: 0, bottom: 0, right: FIELD_WIDTH, top: FIELD_HEIGHT };

export class Camera {
  private width = 1;
  private height = 1;
  private centre: Point;
  private zoom = 1;
  /** Every change increments it, so that views can detect it. */
  version = 0;
  /** -1: y points down in the picture. */
  up: 1 | -1 = 1;

  /** fit() shows the field, and panning stays in it. */
  constructor(private readonly field = FIELD, private readonly zoomMax = 12) {
    this.centre = this.middle;
  }

  private get middle(): Point {
    return { x: (this.field.left + this.field.right) / 2, y: (this.field.bottom + this.field.top) / 2 };
  }

  /** Gives the size of an element to its canvases, at the resolution of the screen. Returns the pixel ratio. */
  fitInto({ clientWidth, clientHeight }: HTMLElement, ...canvases: HTMLCanvasElement[]): number {
    const ratio = window.devicePixelRatio || 1, [width, height] = [clientWidth, clientHeight].map((length) => Math.max(1, length));
    if (width !== this.width || height !== this.height) {
      [this.width, this.height] = [width, height];
      ++this.version;
    }
    for (const canvas of canvases) {
      for (const [side, length] of [["width", clientWidth], ["height", clientHeight]] as const) {
        if (canvas[side] !== Math.round(length * ratio)) canvas[side] = Math.round(length * ratio); // it is cleared
      }
    }
    return ratio;
  }

  /** Pixels of the page per map unit. */
  get scale(): number {
    const { left, bottom, right, top } = this.field;
    const margin = MARGIN_SHARE * (right - left);
    const fit = Math.min(this.width / (right - left + 2 * margin || 1), this.height / (top - bottom + 2 * margin || 1));
    return fit * this.zoom;
  }

  get pixelWidth(): number {
    return this.width;
  }

  get isFitted(): boolean {
    return this.zoom === 1 && this.centre.x === this.middle.x && this.centre.y === this.middle.y;
  }

  get zoomed(): number {
    return this.zoom;
  }

  fit(): void {
    this.zoom = 1;
    this.centre = this.middle;
    ++this.version;
  }

  /** Keeps the map's point under `at` (pixels of the scene, by default its centre) fixed. */
  zoomBy(factor: number, at: Point = { x: this.width / 2, y: this.height / 2 }): void {
    const before = this.toMap(at);
    this.zoom = Math.min(this.zoomMax, Math.max(ZOOM_MIN, this.zoom * factor));
    const after = this.toMap(at);
    this.moveTo({ x: this.centre.x + before.x - after.x, y: this.centre.y + before.y - after.y });
  }

  panBy(dx: number, dy: number): void {
    this.moveTo({ x: this.centre.x - dx / this.scale, y: this.centre.y + (this.up * dy) / this.scale });
  }

  moveTo(centre: Point): void {
    this.centre = {
      x: Math.min(this.field.right, Math.max(this.field.left, centre.x)),
      y: Math.min(this.field.top, Math.max(this.field.bottom, centre.y)),
    };
    ++this.version;
  }

  toMap(pixel: Point): Point {
    return {
      x: this.centre.x + (pixel.x - this.width / 2) / this.scale,
      y: this.centre.y - (this.up * (pixel.y - this.height / 2)) / this.scale,
    };
  }

  toPixel(point: Point): Point {
    return {
      x: this.width / 2 + (point.x - this.centre.x) * this.scale,
      y: this.height / 2 - this.up * (point.y - this.centre.y) * this.scale,
    };
  }

  apply(context: CanvasRenderingContext2D, pixelRatio: number): void {
    const s = this.scale * pixelRatio;
    const origin = this.toPixel({ x: 0, y: 0 });
    context.setTransform(s, 0, 0, -this.up * s, origin.x * pixelRatio, origin.y * pixelRatio);
  }
}

const WHEEL_ZOOM = 0.0015;

/** Returns true to take a pointer that would move the camera. */
export type Grab = (at: Point, phase: "begin" | "move" | "end") => boolean;

export function followPointer(frame: HTMLElement, camera: Camera, moved: () => void, grab: Grab = () => false): void {
  let isGrabbed = false;
  const pointers = new Map<number, Point>();
  const inFrame = (event: { clientX: number; clientY: number }): Point => {
    const box = frame.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = (): { distance: number; middle: Point } => {
    const [a, b] = [...pointers.values()];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } };
  };

  frame.addEventListener("wheel", (event) => {
    event.preventDefault();
    const delta = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 20 : event.deltaY;
    camera.zoomBy(Math.exp(-delta * WHEEL_ZOOM), inFrame(event));
    moved();
  }, { passive: false });
  frame.addEventListener("pointerdown", (event) => {
    if ((event.target as Element).closest("button") !== null) return;
    if (event.pointerType === "mouse" && event.button > 1) return;
    pointers.set(event.pointerId, inFrame(event));
    frame.setPointerCapture(event.pointerId);
    if (pointers.size === 1) isGrabbed = grab(inFrame(event), "begin");
  });
  frame.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = inFrame(event);
    if (isGrabbed) {
      grab(now, "move");
      return;
    }
    if (pointers.size === 2) {
      const old = spread();
      pointers.set(event.pointerId, now);
      const next = spread();
      if (old.distance > 0) camera.zoomBy(next.distance / old.distance, next.middle);
      camera.panBy(next.middle.x - old.middle.x, next.middle.y - old.middle.y);
    } else {
      pointers.set(event.pointerId, now);
      if (event.pointerType !== "mouse" && camera.isFitted) return;
      camera.panBy(now.x - before.x, now.y - before.y);
    }
    moved();
  });
  for (const type of ["pointerup", "pointercancel"] as const) {
    frame.addEventListener(type, (event) => {
      if (isGrabbed) grab(inFrame(event), "end");
      isGrabbed = false;
      pointers.delete(event.pointerId);
    });
  }
  frame.addEventListener("dblclick", (event) => {
    if ((event.target as Element).closest("button") !== null) return;
    camera.fit();
    moved();
  });
}
