// SPDX-License-Identifier: MIT
// What the page calls of the npm package (bindings/js), whose module the build copies next to this file.

export interface Vector { readonly x: number; readonly y: number }
export interface Thing { [name: string]: unknown }
export interface Body extends Thing { position: Vector; velocity: Vector; angularVelocity: number; readonly type: string }
export interface Contact { shapes: [Thing, Thing]; points: { pointA: Vector }[] }
export interface Space { gravity: Vector; step(dt: number): void; hash(): bigint; contacts(body?: Body): Contact[]; free(): void }
export interface Difference { object: string; id: number; otherId: number; field: string; one: string; other: string }
export interface Step { dt: number; sceneKey: number; poses: Float32Array; contacts: Float32Array; sleeping: Uint32Array; sceneWords: Uint32Array }
export interface Verdict { first: number; last: number; exact: boolean | null; step: number | null; reason: string }
export interface Description {
  events: { step: number; kind: "mark" | "number" | "text" | "input"; name: string; value: number | string | null }[];
  interventions: { step: number; what: string }[];
  names: Record<string, string>;
  /** 0xrrggbbaa */
  colors: Record<string, number>;
  keyframes: number[];
}
export interface Recording {
  readonly first: number;
  readonly last: number;
  step(state: number): Step;
  describe(): Description;
  at(state: number): Space;
  verify(state: number): Verdict;
  toBytes(): Uint8Array;
}
export interface Forkmunk {
  Constraint: new () => Thing;
  Recorder: new (space: Space, options?: { keyframeSteps?: number; memoryBytes?: number }) => { recording: Recording };
  differences(one: Space, other: Space): Difference[];
  preview(space: Space, bodies: Body[], steps: number, options: { dt: number }): { paths: Float64Array[]; contacts: { step: number; other: Thing | null }[] };
  Recording: { fromBytes(bytes: Uint8Array): Recording; objectsOf(space: Space): { bodies: Body[]; shapes: Thing[]; joints: Thing[] } };
}
export function load(options: { wasm: Uint8Array }): Promise<Forkmunk>;
