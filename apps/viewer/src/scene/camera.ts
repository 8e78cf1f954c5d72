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

  /** Pixels of the page per map unit. */
  get scale(): number {
    const fit = Math.min(this.width / (FIELD_WIDTH + 2 * MARGIN), this.height / (FIELD_HEIGHT + 2 * MARGIN));
    return fit * this.zoom;
  }

  /** Size of the scene in pixels of the page. */
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

  /** Keeps the map's point under `at` fixed; `at` is in pixels of the scene, by default its centre. */
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
