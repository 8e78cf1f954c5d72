// SPDX-License-Identifier: MIT
/// <reference lib="esnext.disposable" />
/** A pair of numbers, at most 1e100 in size. A Vector that the package returns is frozen: assign a new one. */
export interface Vector {
  readonly x: number;
  readonly y: number;
}
export interface BoundingBox {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}
/** Shapes with the same group, other than 0, do not collide. Neither do shapes if one's mask has no category of the
 * other. */
export interface Filter {
  /** 0 to 65535. Default: 0. */
  readonly group: number;
  /** 32 bits. Default: all. */
  readonly categories: number;
  /** 32 bits. Default: all. */
  readonly mask: number;
}
/**
 * userData takes a number, a Uint8Array, or a string, boolean, null, array or plain object that JSON holds
 * exactly. It is copied into the space's memory and travels with its states. A Map, a class's instance, NaN or an
 * undefined field inside is refused with its path. The value that is read is frozen, and bytes are a copy: assign a new
 * one.
 */
export type Data = undefined | null | boolean | number | string | object;

/** A shape of Space.createBody(): a circle, segment, box or polygon, and any properties of a shape. */
export type ShapeOptions = Partial<Pick<Shape, "friction" | "elasticity" | "sensor" | "collisionType" | "surfaceVelocity" | "mass" | "density" | "userData">> & { filter?: Partial<Filter> }
  & ({ radius: number; offset?: Vector } | { a: Vector; b: Vector; radius?: number; neighbors?: Segment["neighbors"] } | { width: number; height: number; radius?: number } | { vertices: readonly Vector[]; radius?: number });
export type BodyOptions = Partial<Pick<Body, "type" | "mass" | "moment" | "centerOfGravity" | "angle" | "position" | "velocity" | "angularVelocity" | "force" | "torque" | "gravityScale" | "damping" | "userData">> & { shapes?: readonly ShapeOptions[] };

export interface ContactPoint {
  pointA: Vector;
  pointB: Vector;
  /** The distance of the shapes, which is negative where they overlap. */
  distance: number;
}
export interface PointHit {
  shape: Shape;
  point: Vector;
  distance: number;
  gradient: Vector;
}
export interface SegmentHit {
  shape: Shape;
  point: Vector;
  normal: Vector;
  /** The place on the line: 0 at the start, 1 at the end. */
  alpha: number;
}
export interface Contact {
  shapes: [Shape, Shape];
  /** The direction from the first shape to the second. */
  normal: Vector;
  points: ContactPoint[];
}
export interface ContactHit {
  shape: Shape;
  normal: Vector;
  points: ContactPoint[];
}
/** `begin` and `preSolve` return false to ignore the collision. step() throws a callback's exception at its end. */
export interface CollisionHandler {
  begin?(arbiter: Arbiter, space: Space): boolean | void;
  preSolve?(arbiter: Arbiter, space: Space): boolean | void;
  postSolve?(arbiter: Arbiter, space: Space): void;
  separate?(arbiter: Arbiter, space: Space): void;
}

/** The defects of Chipmunk 7.0.3 that a space has: none, those of pymunk 6.9 to 7.3, or all. */
export type Defects = "none" | "pymunk" | "stock";

/** A scene that is saved, restored and forked. */
declare class Space {
  /** A space grows by itself up to capacityBytes, by default 16 MiB. Unused capacity takes no memory. */
  constructor(options?: { capacityBytes?: number; defects?: Defects; checked?: boolean });
  /**
   * Returns a new Space of the bytes that toBytes() returned. Set callbacks again, in the same order. The space grows to 16 MiB,
   * or to twice the state if that is more. For many small spaces, restore Snapshot.fromBytes(bytes) in a Space of your capacityBytes.
   */
  static fromBytes(bytes: Uint8Array): Space;
  // {{space}}
  /** The set of defects that the space was made with; a part of its state. Default: "none". */
  readonly defects: Defects;
  /**
   * Checks each step. If a body, joint or contact becomes NaN or infinite, step() restores the state of before the step and
   * throws a ForkmunkError. The error names the first such object and has it as `object`. A checked step takes about a
   * tenth longer. A fork has its origin's choice. Default: false.
   */
  checked: boolean;
  /** A static body that is always there. */
  readonly staticBody: Body;
  /** The objects of the space, in the order of their addition. */
  readonly bodies: readonly Body[];
  readonly shapes: readonly Shape[];
  readonly constraints: readonly Constraint[];
  /** x, y and angle of each of `bodies`: a view of WebAssembly memory that is valid until the next read. */
  readonly transforms: Float64Array;
  /** A value of the game's own (see Data). Default: undefined. */
  get userData(): any;
  set userData(value: Data);
  /** The number of bytes that save() copies. */
  readonly liveBytes: number;
  /** Adds bodies, shapes and joints, all or none. Cost: O(log n) each, and Chipmunk's. */
  add<T extends Body | Shape | Constraint>(object: T): T;
  add(...objects: (Body | Shape | Constraint | (Body | Shape | Constraint)[])[]): unknown;
  /**
   * Makes and adds a body with shapes. A mass without a moment is shared among the shapes. A dynamic body without mass or
   * density has density 1.
   */
  createBody(options?: BodyOptions): Body;
  /** Removes bodies, shapes and joints, all or none. Remove a body's shapes and joints with the body or before. */
  remove(...objects: (Body | Shape | Constraint | (Body | Shape | Constraint)[])[]): void;
  /** Steps by `dt` seconds. Throws, with nothing changed, if a body is not at a finite position or has no mass. */
  step(dt: number): void;
  /** Calls `run` after the present step or removal, even if a callback throws. Otherwise calls `run` at once. */
  afterStep(run: () => void): void;
  onCollision(typeA: number, typeB: number, handler: CollisionHandler): void;
  /** Sets the handler of collisions of the type with any other type. */
  onCollision(type: number, handler: CollisionHandler): void;
  /** Sets the handler of all collisions that have no handler of their own. */
  onCollision(handler: CollisionHandler): void;
  /** Copies the state by one memcpy. Reuses the memory of the snapshot `into`, if given. */
  save(into?: Snapshot): Snapshot;
  /** Goes back to a state. Handles of all objects in the state are valid again. */
  restore(snapshot: Snapshot): void;
  /** Returns an independent twin, with the same callbacks and classes. Properties of your own stay with the handles. */
  fork(): Space;
  /**
   * Returns the twin of an object of the space that this space was forked, restored or read from. A twin in a space that was
   * read, or that a recording made, has a class of the package, not one of yours.
   */
  twinOf<T extends Body | Shape | Constraint>(object: T): T;
  /** Returns a hash of all that decides the future, which is equal in forks, on other machines, and natively. */
  hash(): bigint;
  /**
   * Returns the first field in which two spaces differ, with both values; null if they are equal. Compares positions in
   * memory, too, which differ in a space that was read from bytes: compare its hash(), or differences().
   */
  firstDifference(other: Space): string | null;
  toBytes(): Uint8Array;
  /** Returns all contacts of the last step, or the contacts of a body. Sensors have no contacts. */
  contacts(body?: Body): Contact[];
  /** Returns the shapes within maxDistance (default: 0; Infinity for all) of a point, whose distance is negative inside. */
  pointQuery(point: Vector, maxDistance?: number, filter?: Partial<Filter>): PointHit[];
  pointQueryNearest(point: Vector, maxDistance?: number, filter?: Partial<Filter>): PointHit | null;
  /** Returns the shapes that a line of a radius (default: 0) meets. */
  segmentQuery(start: Vector, end: Vector, radius?: number, filter?: Partial<Filter>): SegmentHit[];
  segmentQueryFirst(start: Vector, end: Vector, radius?: number, filter?: Partial<Filter>): SegmentHit | null;
  bbQuery(box: BoundingBox, filter?: Partial<Filter>): Shape[];
  shapeQuery(shape: Shape): ContactHit[];
  /** Updates the tree after an object was moved by hand; without an argument, after static objects were moved. */
  reindex(object?: Body | Shape): void;
  free(): void;
  [Symbol.dispose](): void;
}

/** A state of a Space, in WebAssembly memory. */
declare class Snapshot {
  /** Makes an empty snapshot, for Space.save(). */
  constructor();
  static fromBytes(bytes: Uint8Array): Snapshot;
  toBytes(): Uint8Array;
  readonly sizeBytes: number;
  free(): void;
  [Symbol.dispose](): void;
}

/** A step of a Recording, for drawing. Its numbers are copies. */
export interface RecordedStep {
  /** Seconds; 0 for the first state of a recording. */
  dt: number;
  /** x, y and angle of each body that moves. */
  poses: Float32Array;
  /** A point and the impulse on the second body, four numbers for each contact. */
  contacts: Float32Array;
  /** A bit for each body that moves. */
  sleeping: Uint32Array;
  /** The objects, in the words of docs/reference/file_formats.md: good until the next step. Equal keys are equal scenes. */
  sceneWords: Uint32Array;
  sceneKey: number;
}
/** The verdict on steps that follow a keyframe: whether they follow from it, bit for bit. */
export interface Verdict {
  first: number;
  last: number;
  /** null: the keyframe cannot be replayed. */
  exact: boolean | null;
  /** The first step that differs. */
  step: number | null;
  /** One sentence; "" where the steps are exact. */
  reason: string;
}
/** The steps of a Space. State 0 is where the recording begins; a state is just before the next step. */
declare class Recording {
  private constructor();
  /** Reads what toBytes() of any language returned. Throws a ForkmunkError that names the damage. */
  static fromBytes(bytes: Uint8Array): Recording;
  /** The bodies, shapes and joints of a space in the order of scenes. */
  static objectsOf(space: Space): { bodies: Body[]; shapes: Shape[]; joints: Constraint[] };
  /** The first state that is left, and the last one; -1 while nothing is recorded. */
  readonly first: number;
  readonly last: number;
  step(state: number): RecordedStep;
  /** The events that the program added; names and colours (0xrrggbbaa) by id. */
  describe(): {
    events: { step: number; kind: "mark" | "number" | "text" | "input"; name: string; value: number | string | null }[];
    /** Changes that no replay makes, such as objects that were added: a keyframe follows each. */
    interventions: { step: number; what: string }[];
    names: Record<string, string>;
    colors: Record<string, number>;
    keyframes: number[];
  };
  /**
   * Returns a new Space in a state: the nearest keyframe, then steps, which call no collision handlers. In a Recorder's
   * recording, objects that the recorded Space has have its classes.
   */
  at(state: number): Space;
  /** Computes the steps from the last keyframe at or before `state` to the next one again. */
  verify(state: number): Verdict;
  toBytes(): Uint8Array;
}

/** A field of bodies, with the unit of Body. Vectors are two numbers, x and y. */
export type BodyField = "position" | "angle" | "velocity" | "angularVelocity" | "force" | "torque";
/** A field of SimpleMotors: rate and maxForce. */
export type MotorField = "motorRate" | "motorMaxForce";
/** A field of an object that a rollout reads. */
export type Observed = { field: BodyField; body: Body } | { field: MotorField; motor: SimpleMotor };
/**
 * An effect of an action's numbers before each step: they set a field; with stiffness (1/s^2) and damping (1/s) they are the
 * target of a servo, which adds (stiffness * (action - position) + damping * (0 - velocity)) * dt to the body's velocity; as
 * "localForce" they are the force of a thruster, as of applyForceAtLocalPoint(action, point). Default of the point: { x: 0,
 * y: 0 }.
 */
export type Control = Observed | { field: "position"; body: Body; stiffness: number; damping: number } | { field: "localForce"; body: Body; point?: Vector };
/** An event that is true where two shapes touch, whatever their filters are, or where a body's position is outside of a box. */
export type RolloutEvent = { touching: readonly [Shape, Shape] } | { body: Body; outside: BoundingBox };
/** The plans of a rollout: each plan is a sequence of actions, which are numbers for the controls. */
export interface RolloutOptions {
  /** The length of a step in seconds. */
  dt: number;
  /** The steps of an action. A plan has at most 1,000,000 steps. Default: 1. */
  substeps?: number;
  /** The number t of actions of each plan, 1 or more. */
  actionCount: number;
  /** The controls' numbers, width in all: 2 for vectors and thrusters, else 1. Default: none. */
  controls?: readonly Control[];
  /** plans x t x width finite numbers. */
  actions?: ArrayLike<number>;
  /** The number of plans where there are no controls. With controls it follows from `actions`. */
  planCount?: number;
  /** The numbers of a state, in this order. Default: none. */
  observe?: readonly Observed[];
  /** The number n of actions from row to row of `states`. Default: 0, no states. */
  every?: number;
  /** The pairs of shapes of Rollout.contacts. Default: none. */
  contacts?: readonly (readonly [Shape, Shape])[];
  /** The events of Rollout.events. Default: none. */
  events?: readonly RolloutEvent[];
}
/** The results of a rollout of plans. The arrays are copies. */
export interface Rollout {
  planCount: number;
  /** plans x state: the state after the last action. NaN if the plan did not get there. */
  final: Float64Array;
  /** plans x floor(t / n) x state: the states after each n actions. */
  states: Float64Array;
  /** plans x t x pairs: 1 if the pair touched after a step of the action. */
  contacts: Uint8Array;
  /** plans x events: the first step after which the event was true, from 1 on; 0 if there was none. */
  events: Int32Array;
  /** plans: the computed steps, which are fewer than the plan has if a body left the finite numbers. */
  steps: Int32Array;
}
/**
 * Many worlds, forks of one space, that are stepped together on this thread. Each world has the same states as a Space that
 * is stepped alone, bit for bit. Functions of onCollision() are not called. Calls name objects by the handles of the
 * space, which may be freed, or of its forks.
 *
 * Errors: a refused call changes nothing. A world that fails, as by numbers that are not finite, does not stop the others;
 * then the error of the first such world is thrown. All worlds share the 2 GiB of a load(), so that at most about 120
 * worlds fit with the default capacity: give the space a smaller capacityBytes.
 */
declare class SpaceBatch {
  /** Makes `count` worlds, 1 or more. A space with functions of onCollision() is refused, unless `callbacks` is "drop". */
  constructor(space: Space, count: number, options?: { callbacks?: "refuse" | "drop" });
  /** The number of worlds. */
  readonly size: number;
  /** Steps every world `count` times (default: 1) by `dt` seconds. */
  step(dt: number, count?: number): void;
  /** Returns a field of objects in all worlds: worlds x objects x 2 or 1 numbers. Fills `into`, if given. */
  read(field: BodyField, objects: readonly Body[], into?: Float64Array): Float64Array;
  read(field: MotorField, objects: readonly SimpleMotor[], into?: Float64Array): Float64Array;
  /** Sets a field of objects in all worlds, from finite numbers in the order of read(). */
  write(field: BodyField, objects: readonly Body[], values: ArrayLike<number>): void;
  write(field: MotorField, objects: readonly SimpleMotor[], values: ArrayLike<number>): void;
  /** Returns the state of a world, for restore() and Space.restore(). Reuses the memory of `into`, if given. */
  save(world: number, into?: Snapshot): Snapshot;
  /** Restores a state, of any space, in the given worlds (default: all), or of an array of states each in its world. */
  restore(snapshots: Snapshot | readonly Snapshot[], worlds?: readonly number[]): void;
  /** Makes the given worlds (default: all) copies of world `from`. */
  fork(from: number, worlds?: readonly number[]): void;
  /** Returns Space.hash() of every world. */
  hashes(): BigUint64Array;
  /** Returns an independent copy of a world. Its twinOf() finds the space's objects. */
  world(index: number): Space;
  /** Plays plans from a state, each in a world of its own. The batch's worlds do not change. */
  rollout(snapshot: Snapshot, options: RolloutOptions): Rollout;
  /** Frees the worlds. Snapshots and copies stay. */
  free(): void;
}

/** A step after which a number was not finite, or that used up the memory. */
export interface StepFailure {
  /** The last good state, which recover() restored. */
  step: number;
  /** The object and field that became NaN or infinite first, or changed most. */
  culprit: string;
  /** The largest dt / 2 ** n whose 2 ** n steps pass; null if none does. */
  dtThatPasses: number | null;
}
/** Records every step of a space from its next step on. Nothing else in the program changes. */
declare class Recorder {
  /**
   * `steps`: the last steps that are kept at least; all, if not given. `memoryBytes`: the memory that the recording may
   * take, 64 MiB if not given. `keyframeSteps`: the steps between copies of the whole space, 120 if not given.
   */
  constructor(space: Space, options?: { steps?: number; memoryBytes?: number; keyframeSteps?: number });
  readonly recording: Recording;
  /** Adds a mark, a value that the page draws as a curve, a text, or an input to the present state. */
  mark(name: string): void;
  log(name: string, value: number | string): void;
  input(name: string, value: unknown): void;
  /** Names an object in pages and reports. */
  name(object: Body | Shape | Constraint, name: string): void;
  /** Sets the colour of a shape in pages: red, green, blue and opacity, from 0 to 255. */
  color(shape: Shape, color: readonly [number, number, number, number?]): void;
  /** Restores the last good state after a step that failed. Returns null, with nothing changed, if none did. */
  recover(): StepFailure | null;
  /**
   * Writes a file, in node. A name that ends in .html becomes a page that any browser opens offline, made of the package's
   * scene.html. Other files are recordings, as of recording.toBytes(). Throws ForkmunkError if scene.html is not beside the
   * package's script, as in a bundle, and node's error if the file cannot be written.
   */
  save(path: string): Promise<void>;
  /** Ends the recording, and frees it. */
  free(): void;
}

/** A field in which two spaces differ. */
export interface Difference {
  /** "body 3", or "contact of polygon 3 and segment 0"; "" where a number of objects differs. */
  object: string;
  /** The object's id in recordings, and of a contact both shapes'; 0: none. */
  id: number;
  otherId: number;
  /** "v", or a sentence where there is no object. */
  field: string;
  one: string;
  other: string;
}
/** The result of preview(). */
export interface Preview {
  /** The bodies of the paths. */
  bodies: Body[];
  /** x, y and angle of each body in the present state and after each step. */
  paths: Float64Array[];
  /** A body that begins to touch a shape, in the order of steps. Shapes that the control made are null. */
  contacts: { step: number; body: Body; shape: Shape | null; other: Shape | null }[];
  firstContact: Preview["contacts"][number] | null;
}

/** A body, shape or joint. */
declare abstract class SpaceObject {
  /** The space that has the object in its present state, or null. */
  readonly space: Space | null;
  /** A value of the game's own (see Data). Default: undefined. */
  get userData(): any;
  set userData(value: Data);
}

/** A rigid body, which is plain data until Space.add(). */
declare class Body extends SpaceObject {
  /** Without mass and moment, a body takes both from the mass or density of its shapes. */
  constructor(mass?: number, moment?: number);
  static kinematic(): Body;
  static static(): Body;
  /** A body that becomes dynamic has the mass of its shapes, or needs mass and moment. Default: "dynamic". */
  get type(): "dynamic" | "kinematic" | "static";
  set type(value: "dynamic" | "kinematic" | "static");
  /** The factor of the space's gravity for this body. Default: 1. */
  get gravityScale(): number;
  set gravityScale(value: number);
  /** The part of its velocity that the body keeps for a second, in addition to the space's damping. Default: 1. */
  get damping(): number;
  set damping(value: number);
  // {{body}}
  /** Puts a dynamic body to sleep, if sleepTimeThreshold is finite. */
  sleep(): void;
}

declare abstract class Shape extends SpaceObject {
  readonly body: Body;
  // {{shape}}
}
// {{shapes}}

declare abstract class Constraint extends SpaceObject {
  readonly a: Body;
  readonly b: Body;
  // {{constraint}}
}
// {{joints}}

/** The contact of two shapes. An Arbiter is valid in its callback only. */
declare class Arbiter {
  readonly shapes: [Shape, Shape];
  readonly bodies: [Body, Body];
  readonly points: ContactPoint[];
  // {{arbiter}}
}

/** Thrown for wrong arguments, objects that are gone, and full memory. */
export declare class ForkmunkError extends Error {
  /** The object that became NaN or infinite in a checked step (Space.checked). A shape stands for one of its contacts. */
  object?: Body | Shape | Constraint;
}

export interface Forkmunk {
  Space: typeof Space;
  Snapshot: typeof Snapshot;
  SpaceBatch: typeof SpaceBatch;
  Recorder: typeof Recorder;
  Recording: typeof Recording;
  /** All fields in which two spaces differ: those of bodies, shapes, joints, the space and contacts. Empty if hash() is equal. */
  differences(one: Space, other: Space): Difference[];
  /**
   * The future of bodies over at most 1,000,000 `steps`, without a change to the space. `control` is called before each step with a
   * fork, whose twinOf() finds its bodies. `dt` is 1 / 60 if not given.
   */
  preview(space: Space, bodies: Body[], steps: number, options?: { dt?: number; control?(twin: Space, step: number): void }): Preview;
  Body: typeof Body;
  Shape: typeof Shape;
  Circle: typeof Circle;
  Segment: typeof Segment;
  Poly: typeof Poly;
  Constraint: typeof Constraint;
  // {{jointNames}}
  Arbiter: typeof Arbiter;
  ForkmunkError: typeof ForkmunkError;
  /** Returns a moment of inertia. Defaults: offset { x: 0, y: 0 }, radius 0. */
  momentForCircle(mass: number, innerRadius: number, outerRadius: number, offset?: Vector): number;
  momentForBox(mass: number, width: number, height: number): number;
  momentForSegment(mass: number, a: Vector, b: Vector, radius?: number): number;
  momentForPoly(mass: number, vertices: readonly Vector[], offset?: Vector, radius?: number): number;
  /** The precision that load() was asked for. */
  precision: "double" | "single";
  /** The module's memory, which grows and never shrinks. */
  memory: { readonly bytes: number };
}

/** The part of CanvasRenderingContext2D that debugDraw() uses. */
export interface DrawContext {
  fillStyle: any;
  globalAlpha: number;
  strokeStyle: any;
  lineWidth: number;
  save(): void;
  restore(): void;
  translate(x: number, y: number): void;
  rotate(angle: number): void;
  beginPath(): void;
  closePath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  arc(x: number, y: number, radius: number, start: number, end: number): void;
  fill(): void;
  stroke(): void;
}
export interface DrawOptions {
  /** The colour of a shape. Default: by the body's type. */
  fill?(shape: Shape): string;
  /** The colour of outlines. Default: "#333". */
  stroke?: string;
  /** The colour of joints. Default: "#c0392b". */
  joint?: string;
  /** The width of lines in the space's units. Default: 1. */
  lineWidth?: number;
  /**
   * A result of preview(). Its paths are drawn as lines, and its bodies along the paths as ghosts, which fade into the
   * future. The body of `firstContact` has a ghost and a dot in its step.
   */
  preview?: Preview;
  /** The number of ghosts of each body, at equal distances in time up to the last step. 0 draws lines only. Default: 8. */
  ghosts?: number;
  /** The colour of the first contact. Default: the colour of joints. */
  event?: string;
}
/** Draws shapes and joints in the context's present transform, for example after `context.setTransform(2, 0, 0, -2, 0, height)`. */
export declare function debugDraw(context: DrawContext, space: Space, options?: DrawOptions): void;

/** Makes an instance of the module. Objects of different instances do not mix. `wasm` replaces the package's own module. */
export declare function load(options?: {
  wasm?: WebAssembly.Module | BufferSource | Response | URL | string;
  /** True makes "forkmunk/separate" load forkmunk_recorder.wasm, which Recorder, Recording and SpaceBatch need. "forkmunk" always has them. */
  recorder?: boolean;
  /** The precision of the numbers in all spaces of the result. "single" computes in floats, which is faster and needs
   * less memory; the guide has the losses. Numbers are at most 1e12 in size, with doubles 1e100. Snapshots are read in
   * their own precision only. Default: "double". */
  precision?: "double" | "single";
}): Promise<Forkmunk>;

export interface Desync {
  /** The frame before which the states differ. */
  frame: number;
  /** The player whose state differs. */
  player: number;
  /** The hashes of both states. */
  ours: bigint;
  theirs: bigint;
  /** The fields that differ, with both values. If the other player's state did not come: the reason, or "". */
  difference: string;
}
export declare class DesyncError extends ForkmunkError {
  frame: number;
  difference: string;
}

/** A message of a session to its program (docs/guide/rollback.md). Events of the game have `event` and `data`, others `text`. */
export interface SessionNotice {
  kind: "predicted" | "undone" | "confirmed" | "joined" | "left" | "desync" | "settingsDiffer" | "seatTaken" | "refused" | "loaded" | "dropped" | "badMessage";
  player: number | null;
  frame: number;
  event?: number;
  data?: unknown;
  text?: string;
}
/** A state of your own in place of a Space. `save` may reuse the state that it gets. */
export interface SessionState<State = unknown> {
  save(into?: State): State;
  restore(state: State): void;
  hash(): number | bigint;
  /** Writes the state for late players and for reports of desyncs. */
  toBytes?(state: State): Uint8Array;
  fromBytes?(bytes: Uint8Array): State;
  differences?(one: State, other: State): string;
}
/** The inputs of a frame by seat. `present` tells which seats are taken; the others have the option `input`. */
export type FrameInputs<Input> = readonly Input[] & { readonly present: readonly boolean[] };
/** Inputs are numbers, strings, booleans, null, and arrays and plain objects of these, or Uint8Arrays if `input` is one. -0 becomes 0, and NaN is refused. */
export interface RollbackOptions<Input, World = Space> {
  /** The number of seats, 2 to 16. */
  players: number;
  /** This player's seat, from 0. null makes a spectator. */
  local: number | null;
  /** Applies the inputs of all players and steps the space. All that decides the future must be in the space. */
  advance(space: World, inputs: FrameInputs<Input>, frame: number): void;
  /** Sends a message to the instance `to`, or to all others if `to` is 0. Messages may get lost, and a transport may send all of them to everybody. */
  send(message: Uint8Array, to: number): void;
  /** The input before the first one, and of an empty seat. Default: 0. */
  input?: Input;
  /** The frames from a local input to its effect. Default: 2. */
  delay?: number;
  /** The most frames that are simulated before all inputs are known. Default: 8. */
  prediction?: number;
  /** The frames from checksum to checksum. Default: 30. */
  checkEvery?: number;
  /** Returns the input to expect after `last`. Default: `last`. */
  predict?(last: Input, player: number, frame: number): Input;
  /** Called once, when the states of two players differ. */
  onDesync?(desync: Desync): void;
  onNotice?(notice: SessionNotice): void;
  /** The largest input in bytes, at most 1,024. Default: 64. */
  inputBytesMax?: number;
  /** The ticks after which the host empties the seat of a silent player. Default: 0, never. */
  silence?: number;
  /** The seats that are taken at first. Default: all. */
  seats?: readonly number[];
  /** Numbers of the game's session, of the game's version, and of this run of the program, which is random by default. */
  session?: number | bigint;
  game?: number;
  instance?: number;
  stateBytesMax?: number;
  /** The number of frames back for which `history` keeps states, at most 1,024. Default: `prediction`. */
  history?: number;
  /** The object that load() returned, for a state of your own. */
  module?: Forkmunk;
}
/** One player's part of a game. */
export declare class RollbackSession<Input = number, World = Space> {
  constructor(space: World, options: RollbackOptions<Input, World>);
  readonly space: World;
  readonly frame: number;
  /** The frame before which all frames are final. */
  readonly confirmedFrame: number;
  readonly desync: Desync | null;
  /**
   * The world as it was. `at(frame)` returns the state before a frame as a Space to ask and to draw, `at(frame + 0.5)` with
   * bodies half of the way to the next state. The Space is a copy, which the next call overwrites; twinOf() leads to its objects
   * and back. Frames from `first` to the present one are kept; those after confirmedFrame are predictions.
   */
  readonly history: { readonly first: number; at(frame: number): Space };
  readonly isPlaying: boolean;
  readonly isHost: boolean;
  /** The reason why the last tick() simulated nothing. */
  readonly wait: "inputs" | "acknowledgement" | "pace" | "joining" | null;
  readonly waitingFor: number[];
  readonly stats: { rolledBack: number; rollbacks: number; framesRolledBack: number; longest: number; stalls: number; checksums: number; badMessages: number };
  /** The frames from an input to its effect, 0 to 64. The delay may be changed during play. */
  delay: number;
  /**
   * Simulates a frame, and sends messages. Returns false while the session waits: go on calling tick() at the rate of the
   * frames. If advance() throws, tick() passes the exception on, and the session is as before. If send(), onNotice() or
   * onDesync() throws, the frame is simulated all the same, and tick() passes the first exception on when it is done: a
   * message that was not sent counts as lost.
   */
  tick(input?: Input): boolean;
  /** Processes a message of another program. Returns whether the message is valid and of this session. */
  receive(message: Uint8Array | ArrayBuffer): boolean;
  /** Reports an event of the game, in advance() only: onNotice gets it as predicted, undone and confirmed. */
  event(kind: number, data?: unknown): void;
  /** Empties a player's seat. Only the host may do so. */
  drop(player: number): void;
  /** Tells the host that this player leaves. Call tick() for some more frames. */
  leave(): void;
  free(): void;
}
/** A test that simulates frames again, after each one, and compares the states. */
export declare class SyncTest<Input = unknown, World = Space> {
  constructor(space: World, options: {
    advance(space: World, inputs: FrameInputs<Input>, frame: number): void;
    /** A Uint8Array makes all inputs Uint8Arrays, as in a session. Default: 0. */
    input?: Input;
    /** The frames to go back, 1 to 64. Default: 4. */
    distance?: number;
    module?: Forkmunk;
  });
  readonly frame: number;
  /** Throws DesyncError where a frame that is simulated again ends in another state. */
  tick(inputs: readonly Input[]): void;
  free(): void;
}

// The classes are members of the object that load() returns.
export type { Space, Snapshot, SpaceBatch, Recorder, Recording, Body, Shape, Constraint, Arbiter };
// {{exports}}
