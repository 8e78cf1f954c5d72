// Zoom and pan with mouse, touch and wheel.

import type { Point } from "../log/game";
import type { Camera } from "./camera";

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
