// SPDX-License-Identifier: MIT
// The visible part of the field: converts map units (y up) to pixels of the page (y down).

import type { Point } from "../log/game";
import { FIELD_HEIGHT, FIELD_WIDTH } from "../log/geometry";

const MARGIN = 14;
const ZOOM_MAX = 12;
const ZOOM_MIN = 0.5;

export class Camera {
  private width = 1;
  private height = 1;
  private centre: Point = { x: FIELD_WIDTH / 2, y: FIELD_HEIGHT / 2 };
  private zoom = 1;
  /** Incremented by every change, so that views can detect it. */
  version = 0;

  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return;
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    ++this.version;
  }

  /** The number of pixels of the page per map unit. */
  get scale(): number {
    const fit = Math.min(this.width / (FIELD_WIDTH + 2 * MARGIN), this.height / (FIELD_HEIGHT + 2 * MARGIN));
    return fit * this.zoom;
  }

  /** The size of the scene in pixels of the page. */
  get pixelWidth(): number {
    return this.width;
  }

  get isFitted(): boolean {
    return this.zoom === 1 && this.centre.x === FIELD_WIDTH / 2 && this.centre.y === FIELD_HEIGHT / 2;
  }

  get zoomed(): number {
    return this.zoom;
  }

  fit(): void {
    this.zoom = 1;
    this.centre = { x: FIELD_WIDTH / 2, y: FIELD_HEIGHT / 2 };
    ++this.version;
  }

  /** Zooms and keeps the map's point under `at` fixed. `at` is in pixels of the scene, by default its centre. */
  zoomBy(factor: number, at: Point = { x: this.width / 2, y: this.height / 2 }): void {
    const before = this.toMap(at);
    this.zoom = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, this.zoom * factor));
    const after = this.toMap(at);
    this.moveTo({ x: this.centre.x + before.x - after.x, y: this.centre.y + before.y - after.y });
  }

  panBy(dx: number, dy: number): void {
    this.moveTo({ x: this.centre.x - dx / this.scale, y: this.centre.y + dy / this.scale });
  }

  /** Limits panning to the surroundings of the field. */
  moveTo(centre: Point): void {
    this.centre = {
      x: Math.min(FIELD_WIDTH, Math.max(0, centre.x)),
      y: Math.min(FIELD_HEIGHT, Math.max(0, centre.y)),
    };
    ++this.version;
  }

  toMap(pixel: Point): Point {
    return {
      x: this.centre.x + (pixel.x - this.width / 2) / this.scale,
      y: this.centre.y - (pixel.y - this.height / 2) / this.scale,
    };
  }

  toPixel(point: Point): Point {
    return {
      x: this.width / 2 + (point.x - this.centre.x) * this.scale,
      y: this.height / 2 - (point.y - this.centre.y) * this.scale,
    };
  }

  /** Sets the transformation for drawing in map units. */
  apply(context: CanvasRenderingContext2D, pixelRatio: number): void {
    const s = this.scale * pixelRatio;
    const origin = this.toPixel({ x: 0, y: 0 });
    context.setTransform(s, 0, 0, -s, origin.x * pixelRatio, origin.y * pixelRatio);
  }
}

// Zooms and pans with mouse, touch and wheel.

const WHEEL_ZOOM = 0.0015;

/** `changed` is called when the camera moves. */
export function followPointer(frame: HTMLElement, camera: Camera, changed: () => void): void {
  const pointers = new Map<number, Point>();
  const inFrame = (event: { clientX: number; clientY: number }): Point => {
    const box = frame.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = (): { distance: number; middle: Point } => {
    const [a, b] = [...pointers.values()];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } };
  };
  const moved = () => {
    // A touch scrolls the page unless the picture is zoomed in.
    frame.classList.toggle("zoomed", !camera.isFitted);
    changed();
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
  });
  frame.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = inFrame(event);
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
    frame.addEventListener(type, (event) => pointers.delete(event.pointerId));
  }
  frame.addEventListener("dblclick", (event) => {
    if ((event.target as Element).closest("button") !== null) return;
    camera.fit();
    moved();
  });
}
