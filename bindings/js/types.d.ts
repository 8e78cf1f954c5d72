// SPDX-License-Identifier: MIT
/// <reference lib="esnext.disposable" />
/** Uint8Array, which DOM's functions accept in every version of TypeScript. */
export type Bytes = ReturnType<Uint8Array["slice"]>;
/** A pair of numbers, at most 1e100 in size. The package returns frozen Vectors: assign new ones. */
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
/** Shapes do not collide if they have the same group, other than 0, or if one's mask has no category of the other. */
export interface Filter {
  /** 0 to 65535. Default: 0. */
  readonly group: number;
  /** 32 bits. Default: all. */
  readonly categories: number;
  /** 32 bits. Default: all. */
  readonly mask: number;
}
/**
 * A value for userData: a number, a Uint8Array, or what JSON holds exactly. The space's memory and states have a
 * copy. Values that are read are frozen, and bytes are copies: assign new ones.
 */
export type Data = undefined | null | boolean | number | string | object;

/** A shape of Space.createBody(). */
export type ShapeOptions = Partial<Pick<Shape, "friction" | "elasticity" | "sensor" | "collisionType" | "surfaceVelocity" | "mass" | "density" | "userData">> & { filter?: Partial<Filter> }
  & ({ radius: number; offset?: Vector } | { a: Vector; b: Vector; radius?: number; neighbors?: Segment["neighbors"] } | { width: number; height: number; radius?: number } | { vertices: readonly Vector[]; radius?: number });
export type BodyOptions = Partial<Pick<Body, "type" | "mass" | "moment" | "centerOfGravity" | "angle" | "position" | "velocity" | "angularVelocity" | "force" | "torque" | "gravityScale" | "damping" | "userData">> & { shapes?: readonly ShapeOptions[] };

export interface ContactPoint {
  pointA: Vector;
  pointB: Vector;
  /** The distance is negative where the shapes overlap. */
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
  /** The part of the line before the hit: 0 at its start, 1 at its end. */
  alpha: number;
}
export interface ContactHit {
  shape: Shape;
  /** The direction from the first shape to the second. */
  normal: Vector;
  points: ContactPoint[];
}
export interface Contact extends Omit<ContactHit, "shape"> {
  shapes: [Shape, Shape];
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

declare class Space {
  /** A space grows up to capacityBytes, by default 16 MiB. Unused capacity takes no memory. */
  constructor(options?: { capacityBytes?: number; defects?: Defects; checked?: boolean });
  /**
   * Returns a new Space of the bytes of toBytes(). Set callbacks again, in the same order. The capacity is 16 MiB, or
   * more for a large state; for another one, restore Snapshot.fromBytes(bytes) in a Space of your own.
   */
  static fromBytes(bytes: Uint8Array): Space;
  // {{space}}
  /** A part of the state. Default: "none". */
  readonly defects: Defects;
  /**
   * If a body, joint or contact becomes NaN or infinite, a checked step() restores the state before the step and throws a
   * ForkmunkError, whose `object` is the first such object. It takes about a tenth longer. Forks keep the choice.
   * Default: false.
   */
  checked: boolean;
  readonly staticBody: Body;
  /** In the order of their addition. */
  readonly bodies: readonly Body[];
  readonly shapes: readonly Shape[];
  readonly constraints: readonly Constraint[];
  /** x, y and angle of each of `bodies`: a view of memory, valid until the next read or free(). */
  readonly transforms: Float64Array;
  /** A value of the game's own. Default: undefined. */
  get userData(): any;
  set userData(value: Data);
  /** The number of bytes that save() copies. */
  readonly liveBytes: number;
  /** Adds bodies, shapes and joints, all or none. */
  add<T extends Body | Shape | Constraint>(object: T): T;
  add(...objects: (Body | Shape | Constraint | (Body | Shape | Constraint)[])[]): unknown;
  /** Makes and adds a body with shapes. A mass without a moment is shared among the shapes. Without mass and density, a dynamic body has density 1. */
  createBody(options?: BodyOptions): Body;
  /** Removes objects, all or none. A body's shapes and joints go with the body or before it. */
  remove(...objects: (Body | Shape | Constraint | (Body | Shape | Constraint)[])[]): void;
  /** Steps by `dt` seconds. Throws, with nothing changed, if a body has no mass or no finite position. */
  step(dt: number): void;
  /** Calls `run` after the present step or removal, even if a callback throws; at other times at once. */
  afterStep(run: () => void): void;
  onCollision(typeA: number, typeB: number, handler: CollisionHandler): void;
  /** Sets the handler of collisions of the type with any other type. */
  onCollision(type: number, handler: CollisionHandler): void;
  /** Sets the handler of all collisions that have no other handler. */
  onCollision(handler: CollisionHandler): void;
  /** Copies the state by one memcpy. Reuses the memory of `into`, if given. */
  save(into?: Snapshot): Snapshot;
  /**
   * Goes back to a state, in which the handles of all its objects are valid again. In a state that was read from bytes, an
   * object that the space has removed has a new handle.
   */
  restore(snapshot: Snapshot): void;
  /** Returns an independent twin with the same callbacks and classes. Properties of your own stay with the handles. */
  fork(): Space;
  /**
   * Returns the twin of an object of the space that this space was forked, restored, recorded or read from. In a space that
   * was read from bytes, twins have the package's classes, not yours.
   */
  twinOf<T extends Body | Shape | Constraint>(object: T): T;
  /** Returns a hash of all that decides the future, equal in forks, on other machines and natively. */
  hash(): bigint;
  /**
   * Returns the first field that differs, with both values, or null. Positions in memory count, which differ in a space that
   * was read from bytes: use hash() or differences() there.
   */
  firstDifference(other: Space): string | null;
  toBytes(): Bytes;
  /** Returns the contacts of the last step, of all bodies or of one. Sensors have none. */
  contacts(body?: Body): Contact[];
  /** Returns the shapes within maxDistance (default: 0; Infinity for all) of a point. Distances are negative inside. */
  pointQuery(point: Vector, maxDistance?: number, filter?: Partial<Filter>): PointHit[];
  pointQueryNearest(point: Vector, maxDistance?: number, filter?: Partial<Filter>): PointHit | null;
  /** Returns the shapes that a line of a radius (default: 0) meets. */
  segmentQuery(start: Vector, end: Vector, radius?: number, filter?: Partial<Filter>): SegmentHit[];
  segmentQueryFirst(start: Vector, end: Vector, radius?: number, filter?: Partial<Filter>): SegmentHit | null;
  bbQuery(box: BoundingBox, filter?: Partial<Filter>): Shape[];
  shapeQuery(shape: Shape): ContactHit[];
  /** Updates queries after an object was moved by hand; without an argument, after static objects were. */
  reindex(object?: Body | Shape): void;
  free(): void;
  [Symbol.dispose](): void;
}

/** A state of a Space, in WebAssembly memory. */
declare class Snapshot {
  /** Makes an empty snapshot, for Space.save(). */
  constructor();
  static fromBytes(bytes: Uint8Array): Snapshot;
  toBytes(): Bytes;
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
  /** Four numbers for each contact: a point, and the impulse on the second body. */
  contacts: Float32Array;
  /** A bit for each body that moves. */
  sleeping: Uint32Array;
  /** The objects, in words of docs/reference/file_formats.md, valid until the next step. Equal keys are equal scenes. */
  sceneWords: Uint32Array;
  sceneKey: number;
}
/** Tells whether steps follow from their keyframe, bit for bit. */
export interface Verdict {
  first: number;
  last: number;
  /** null: the keyframe cannot be replayed. */
  exact: boolean | null;
  /** The first step that differs. */
  step: number | null;
  /** "" for exact steps. */
  reason: string;
}
/** The steps of a Space. State 0 is before the first recorded step. */
declare class Recording {
  private constructor();
  /** Reads the bytes of toBytes() of any language. A ForkmunkError names damage. */
  static fromBytes(bytes: Uint8Array): Recording;
  /** Lists objects in the order of scenes. */
  static objectsOf(space: Space): { bodies: Body[]; shapes: Shape[]; joints: Constraint[] };
  /** The first state that is left, and the last one; -1 while nothing is recorded. */
  readonly first: number;
  readonly last: number;
  step(state: number): RecordedStep;
  /** Returns the events that the program added, and names and colours (0xrrggbbaa) by id. */
  describe(): {
    events: { step: number; kind: "mark" | "number" | "text" | "input"; name: string; value: number | string | null }[];
    /** Changes that no replay makes, such as new objects. A keyframe follows each. */
    interventions: { step: number; what: string }[];
    names: Record<string, string>;
    colors: Record<string, number>;
    keyframes: number[];
  };
  /**
   * Returns a new Space in a state, by steps from a keyframe that call no collision handlers. In a Recorder's recording,
   * objects that the recorded Space has keep their classes.
   */
  at(state: number): Space;
  /** Computes the steps between the keyframes around `state` again. */
  verify(state: number): Verdict;
  toBytes(): Bytes;
}

/** A field with Body's unit. Vectors are two numbers. */
export type BodyField = "position" | "angle" | "velocity" | "angularVelocity" | "force" | "torque";
/** SimpleMotor's rate and maxForce. */
export type MotorField = "motorRate" | "motorMaxForce";
export type Observed = { field: BodyField; body: Body } | { field: MotorField; motor: SimpleMotor };
/**
 * The effect of an action's numbers before each step. They set a field. With stiffness (1/s^2) and damping (1/s) a servo adds
 * (stiffness * (action - position) + damping * (0 - velocity)) * dt to the velocity. "localForce" is a thruster's
 * applyForceAtLocalPoint(action, point), by default at { x: 0, y: 0 }.
 */
export type Control = Observed | { field: "position"; body: Body; stiffness: number; damping: number } | { field: "localForce"; body: Body; point?: Vector };
/** True where two shapes touch, whatever their filters are, or where a body's position is outside of a box. */
export type RolloutEvent = { touching: readonly [Shape, Shape] } | { body: Body; outside: BoundingBox };
/** Plans are sequences of actions, which are numbers for the controls. */
export interface RolloutOptions {
  /** The length of a step in seconds. */
  dt: number;
  /** The steps of an action; at most 1,000,000 in a plan. Default: 1. */
  substeps?: number;
  /** The number t of actions in a plan, from 1. */
  actionCount: number;
  /** The width is the sum of their numbers: 2 for vectors and thrusters, else 1. Default: none. */
  controls?: readonly Control[];
  /** plans x t x width finite numbers. */
  actions?: ArrayLike<number>;
  /** For plans without controls. With controls the number follows from `actions`. */
  planCount?: number;
  /** The numbers of a state. Default: none. */
  observe?: readonly Observed[];
  /** The number n of actions from row to row of Rollout.states. Default: 0, no states. */
  every?: number;
  /** Default: none. */
  contacts?: readonly (readonly [Shape, Shape])[];
  /** Default: none. */
  events?: readonly RolloutEvent[];
}
/** The results of plans, as copies. */
export interface Rollout {
  planCount: number;
  /** plans x state: after the last action; NaN if the plan did not get there. */
  final: Float64Array;
  /** plans x floor(t / n) x state: after each n actions. */
  states: Float64Array;
  /** plans x t x pairs: 1 if the pair touched after a step of the action. */
  contacts: Uint8Array;
  /** plans x events: the first step, from 1, after which the event was true; 0: none. */
  events: Int32Array;
  /** plans: the computed steps. A body that leaves the finite numbers ends its plan. */
  steps: Int32Array;
}
/**
 * Worlds that are forks of one space, stepped together on this thread, with the bits of a Space that is stepped alone.
 * Functions of onCollision() are not called. Calls name objects by the handles of the space, which may be freed, or of its
 * forks. A world that fails does not stop the others; then the error of the first such world is thrown. All worlds share
 * the 2 GiB of a load(): about 120 fit with the default capacityBytes.
 */
declare class SpaceBatch {
  /** Makes `count` worlds, 1 or more. Refuses a space with functions of onCollision(), unless `callbacks` is "drop". */
  constructor(space: Space, count: number, options?: { callbacks?: "refuse" | "drop" });
  readonly size: number;
  /** Steps every world `count` times (default: 1) by `dt` seconds. */
  step(dt: number, count?: number): void;
  /** Returns worlds x objects x 2 or 1 numbers. Fills `into`, if given. */
  read(field: BodyField, objects: readonly Body[], into?: Float64Array): Float64Array;
  read(field: MotorField, objects: readonly SimpleMotor[], into?: Float64Array): Float64Array;
  /** Sets a field from finite numbers in the order of read(). */
  write(field: BodyField, objects: readonly Body[], values: ArrayLike<number>): void;
  write(field: MotorField, objects: readonly SimpleMotor[], values: ArrayLike<number>): void;
  /** Returns a state, also for Space.restore(). Reuses the memory of `into`, if given. */
  save(world: number, into?: Snapshot): Snapshot;
  /** Restores a state of any space in worlds (default: all), or an array of states, each in its world. */
  restore(snapshots: Snapshot | readonly Snapshot[], worlds?: readonly number[]): void;
  /** Makes worlds (default: all) copies of world `from`. */
  fork(from: number, worlds?: readonly number[]): void;
  hashes(): BigUint64Array;
  /** Returns an independent copy, whose twinOf() finds the space's objects. */
  world(index: number): Space;
  /** Plays plans from a state. The batch's worlds do not change. */
  rollout(snapshot: Snapshot, options: RolloutOptions): Rollout;
  /** Snapshots and copies stay. */
  free(): void;
}

export interface StepFailure {
  /** The last good state, which recover() restored. */
  step: number;
  /** The object and field that became NaN or infinite first, or changed most. */
  culprit: string;
  /** The largest dt / 2 ** n whose 2 ** n steps pass; null if none does. */
  dtThatPasses: number | null;
}
/** Records every step of a space from the next one on. */
declare class Recorder {
  /** Keeps at least the last `steps`. Defaults: all, in 64 MiB, with a copy of the whole space each 120 steps. */
  constructor(space: Space, options?: { steps?: number; memoryBytes?: number; keyframeSteps?: number });
  readonly recording: Recording;
  /** Adds a mark to the present state. */
  mark(name: string): void;
  /** Adds a text, or a number, which the page draws as a curve. */
  log(name: string, value: number | string): void;
  input(name: string, value: unknown): void;
  name(object: Body | Shape | Constraint, name: string): void;
  /** Sets the colour of a shape in pages: red, green, blue and opacity, from 0 to 255. */
  color(shape: Shape, color: readonly [number, number, number, number?]): void;
  /** Restores the last good state after a step that used up the memory or led to NaN; null, with nothing changed, if none did. */
  recover(): StepFailure | null;
  /**
   * Writes a file in node: recording.toBytes(), or for a name that ends in .html a page that works offline. The page needs
   * scene.html beside the package's script, which a bundle does not have.
   */
  save(path: string): Promise<void>;
  /** Ends and frees the recording. */
  free(): void;
}

export interface Difference {
  /** For example "body 3", "contact of polygon 3 and segment 0"; "" where a number of objects differs. */
  object: string;
  /** The ids in recordings of the object, or of a contact's shapes; 0: none. */
  id: number;
  otherId: number;
  /** A sentence where there is no object. */
  field: string;
  one: string;
  other: string;
}
export interface Preview {
  bodies: Body[];
  /** x, y and angle of each body in the present state and after each step. */
  paths: Float64Array[];
  /** Bodies that begin to touch a shape, in the order of steps. Shapes that the control made are null. */
  contacts: { step: number; body: Body; shape: Shape | null; other: Shape | null }[];
  firstContact: Preview["contacts"][number] | null;
}

declare abstract class SpaceObject {
  /** The space that has the object in its present state, or null. */
  readonly space: Space | null;
  /** A value of the game's own. Default: undefined. */
  get userData(): any;
  set userData(value: Data);
}

/** A rigid body, which is plain data until Space.add(). */
declare class Body extends SpaceObject {
  /** Without mass and moment, a body takes both from the mass or density of its shapes. */
  constructor(mass?: number, moment?: number);
  static kinematic(): Body;
  static static(): Body;
  /** A body that becomes dynamic needs mass and moment, or shapes with mass. Default: "dynamic". */
  get type(): "dynamic" | "kinematic" | "static";
  set type(value: "dynamic" | "kinematic" | "static");
  /** The factor of the space's gravity for this body. Default: 1. */
  get gravityScale(): number;
  set gravityScale(value: number);
  /** The part of the velocity that is left after a second, in addition to the space's damping. Default: 1. */
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

/** The contact of two shapes, valid in its callback only. */
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
  // {{classes}}
  ForkmunkError: typeof ForkmunkError;
  /** Returns all fields that differ; none if hash() is equal. */
  differences(one: Space, other: Space): Difference[];
  /**
   * Returns the future of bodies over at most 1,000,000 `steps` in a fork. `control` is called before each step, and twinOf() of
   * the fork finds its bodies. Default of dt: 1 / 60.
   */
  preview(space: Space, bodies: Body[], steps: number, options?: { dt?: number; control?(twin: Space, step: number): void }): Preview;
  /** Returns a moment of inertia. Defaults: offset { x: 0, y: 0 }, radius 0. */
  momentForCircle(mass: number, innerRadius: number, outerRadius: number, offset?: Vector): number;
  momentForBox(mass: number, width: number, height: number): number;
  momentForSegment(mass: number, a: Vector, b: Vector, radius?: number): number;
  momentForPoly(mass: number, vertices: readonly Vector[], offset?: Vector, radius?: number): number;
  precision: "double" | "single";
  /** The memory grows and never shrinks. */
  memory: { readonly bytes: number };
}

/** The part of CanvasRenderingContext2D that debugDraw() uses. */
export type DrawContext = Record<"fillStyle" | "strokeStyle" | "lineWidth" | "globalAlpha", any>
  & Record<"save" | "restore" | "translate" | "rotate" | "beginPath" | "closePath", (...values: any[]) => void>
  & Record<"moveTo" | "lineTo" | "arc" | "fill" | "stroke", (...values: any[]) => void>;
export interface DrawOptions {
  /** Default: a colour by the body's type. */
  fill?(shape: Shape): string;
  /** The outlines' colour. Default: "#333". */
  stroke?: string;
  /** The joints' colour. Default: "#c0392b". */
  joint?: string;
  /** In the space's units. Default: 1. */
  lineWidth?: number;
  /** A result of preview(): paths, ghosts that fade into the future, and a ghost and a dot for `firstContact`. */
  preview?: Preview;
  /** The number of each body's ghosts, at equal distances in time; 0 draws lines only. Default: 8. */
  ghosts?: number;
  /** The first contact's colour. Default: the joints'. */
  event?: string;
}
/** Draws shapes and joints in the present transform, for example of `context.setTransform(2, 0, 0, -2, 0, height)`. */
export declare function debugDraw(context: DrawContext, space: Space, options?: DrawOptions): void;

/** Makes an instance of the module. Objects of different instances do not mix. */
export declare function load(options?: {
  /** The module, in place of the package's own: an address, a Response, bytes or a WebAssembly.Module. */
  wasm?: string | object;
  /** True makes "forkmunk/separate" load forkmunk_recorder.wasm, which Recorder, Recording and SpaceBatch need; "forkmunk" always has them. */
  recorder?: boolean;
  /** "single" computes in floats, which is faster and needs less memory; docs/guide/single_precision.md has the losses.
   * Numbers are at most 1e12 in size. Snapshots are read in their own precision only. Default: "double". */
  precision?: "double" | "single";
}): Promise<Forkmunk>;

export interface Desync {
  /** The frame before which the states differ. */
  frame: number;
  player: number;
  /** The hashes of both states. */
  ours: bigint;
  theirs: bigint;
  /** The differing fields with both values; if the other state did not come, the reason or "". */
  difference: string;
}
export declare class DesyncError extends ForkmunkError {
  frame: number;
  difference: string;
}

/** A message of a session to its program (docs/guide/rollback.md). Events have `event` and `data`, others `text`. */
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
  /** For late players and reports of desyncs. */
  toBytes?(state: State): Uint8Array;
  fromBytes?(bytes: Uint8Array): State;
  differences?(one: State, other: State): string;
}
/** The inputs of a frame by seat. `present` tells which seats are taken; others have the option `input`. */
export type FrameInputs<Input> = readonly Input[] & { readonly present: readonly boolean[] };
/** Inputs are what JSON holds, or Uint8Arrays if `input` is one. -0 becomes 0, and NaN is refused. */
export interface RollbackOptions<Input, World = Space> {
  /** The number of seats, 2 to 16. */
  players: number;
  /** This player's seat, from 0; null: a spectator. */
  local: number | null;
  /** Applies the inputs and steps the space, in which all must be that decides the future. */
  advance(space: World, inputs: FrameInputs<Input>, frame: number): void;
  /** Sends a message to the instance `to`, or to all others for 0. Messages may get lost, and may all go to everybody. */
  send(message: Bytes, to: number): void;
  /** The input before the first one, and of an empty seat. Default: 0. */
  input?: Input;
  /** The frames from a local input to its effect. Default: 2. */
  delay?: number;
  /** The most frames that are simulated without all inputs. Default: 8. */
  prediction?: number;
  /** The frames from checksum to checksum. Default: 30. */
  checkEvery?: number;
  /** Returns the input to expect after `last`. Default: `last`. */
  predict?(last: Input, player: number, frame: number): Input;
  /** Called once, when the states of two players differ. */
  onDesync?(desync: Desync): void;
  onNotice?(notice: SessionNotice): void;
  /** The largest size of an input in bytes, at most 1,024. Default: 64. */
  inputBytesMax?: number;
  /** The ticks after which the host empties a silent player's seat. Default: 0, never. */
  silence?: number;
  /** The seats that are taken at first. Default: all. */
  seats?: readonly number[];
  /** Numbers of the game's session, its version, and this run of the program, by default random. */
  session?: number | bigint;
  game?: number;
  instance?: number;
  stateBytesMax?: number;
  /** The frames back that `history` keeps, at most 1,024. Default: `prediction`. */
  history?: number;
  /** The result of load(), for a state of your own. */
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
   * The world as it was. `at(frame)` returns the state before a frame, `at(frame + 0.5)` bodies half of the way to the next
   * state, as a copy of the Space that the next call overwrites. twinOf() leads to its objects and back. Frames from `first`
   * on are kept; frames after confirmedFrame are predictions.
   */
  readonly history: { readonly first: number; at(frame: number): Space };
  readonly isPlaying: boolean;
  readonly isHost: boolean;
  /** The reason why the last tick() simulated nothing. */
  readonly wait: "inputs" | "acknowledgement" | "pace" | "joining" | null;
  readonly waitingFor: number[];
  readonly stats: { rolledBack: number; rollbacks: number; framesRolledBack: number; longest: number; stalls: number; checksums: number; badMessages: number };
  /** The frames from an input to its effect, 0 to 64; may be changed during play. */
  delay: number;
  /**
   * Simulates a frame, and sends messages. Returns false while the session waits: go on calling tick() at the rate of frames.
   * An exception of advance() leaves the session as before the call. After an exception of send(), onNotice() or onDesync()
   * tick() does its work, and then throws the first one; the message counts as lost.
   */
  tick(input?: Input): boolean;
  /** Processes a message. Returns whether it is valid and of this session. */
  receive(message: Uint8Array | ArrayBuffer): boolean;
  /** Reports an event, in advance() only: onNotice gets it as predicted, undone and confirmed. */
  event(kind: number, data?: unknown): void;
  /** Empties a seat, for the host only. */
  drop(player: number): void;
  /** Tells the host that this player leaves. Call tick() for some more frames, so that the message arrives. */
  leave(): void;
  free(): void;
}
/** Simulates frames again after each one, and compares the states. */
export declare class SyncTest<Input = number, World = Space> {
  constructor(space: World, options: {
    advance(space: World, inputs: FrameInputs<Input>, frame: number): void;
    /** A Uint8Array makes all inputs Uint8Arrays. Default: 0. */
    input?: Input;
    /** The frames to go back, 1 to 64. Default: 4. */
    distance?: number;
    module?: Forkmunk;
  });
  readonly frame: number;
  /** Throws a DesyncError where a frame ends in another state when it is simulated again. */
  tick(inputs: readonly Input[]): void;
  free(): void;
}

// Members of what load() returns:
// {{exports}}
