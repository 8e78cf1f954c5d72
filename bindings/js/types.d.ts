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
/** Shapes of the same group (but 0) do not collide; nor do those of which one's mask lacks all categories of the other. */
export interface Filter {
  /** 0 to 65535. Default: 0. */
  readonly group: number;
  /** 32 bits. Default: all. */
  readonly categories: number;
  /** 32 bits. Default: all. */
  readonly mask: number;
}
/**
 * What userData takes: a number, a Uint8Array, or a string, boolean, null, array or plain object that JSON holds
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
  /** Negative: the shapes overlap. */
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
  /** 0 at the start, 1 at the end. */
  alpha: number;
}
export interface Contact {
  shapes: [Shape, Shape];
  /** From the first shape to the second. */
  normal: Vector;
  points: ContactPoint[];
}
export interface ContactHit {
  shape: Shape;
  normal: Vector;
  points: ContactPoint[];
}
/** `begin` and `preSolve` return false to ignore the collision. What a callback throws comes out of step(), after it. */
export interface CollisionHandler {
  begin?(arbiter: Arbiter, space: Space): boolean | void;
  preSolve?(arbiter: Arbiter, space: Space): boolean | void;
  postSolve?(arbiter: Arbiter, space: Space): void;
  separate?(arbiter: Arbiter, space: Space): void;
}

/** Which defects of Chipmunk 7.0.3 a space has: none, those of pymunk 6.9 to 7.3, or all of them. */
export type Defects = "none" | "pymunk" | "stock";

/** A scene that is saved, restored and forked. */
declare class Space {
  /** It grows by itself, up to capacityBytes: 16 MiB if it is not given. What is not used takes no memory. */
  constructor(options?: { capacityBytes?: number; defects?: Defects; checked?: boolean });
  /** A new Space of what toBytes() returned. Callbacks are to be set again, in the same order. */
  static fromBytes(bytes: Uint8Array): Space;
  // {{space}}
  /** The set of defects that the space was made with; a part of its state. Default: "none". */
  readonly defects: Defects;
  /**
   * Where a body, joint or contact becomes NaN or infinite in a checked step, step() restores the state of before the step
   * and throws a ForkmunkError that names the first one, and has it as `object`. A checked step also takes the time of a
   * save(), about a tenth of a step. Forks have their origin's choice. Default: false.
   */
  checked: boolean;
  /** A static body that is always there. */
  readonly staticBody: Body;
  /** All that was added, in that order. */
  readonly bodies: readonly Body[];
  readonly shapes: readonly Shape[];
  readonly constraints: readonly Constraint[];
  /** x, y and angle of each of `bodies`: a view of WebAssembly memory, good until the next read of it. */
  readonly transforms: Float64Array;
  /** Data of the game's own (see Data). Default: undefined. */
  get userData(): any;
  set userData(value: Data);
  /** Bytes that save() copies. */
  readonly liveBytes: number;
  /** Adds bodies, shapes and joints, all or none. Cost: O(log n) each, and Chipmunk's. */
  add<T extends Body | Shape | Constraint>(object: T): T;
  add(...objects: (Body | Shape | Constraint | (Body | Shape | Constraint)[])[]): unknown;
  /**
   * Makes and adds a body with shapes. A mass without a moment is shared among the shapes. A dynamic body without mass or
   * density has density 1.
   */
  createBody(options?: BodyOptions): Body;
  /** Removes bodies, shapes and joints, all or none; a body's shapes and joints with it or before it. */
  remove(...objects: (Body | Shape | Constraint | (Body | Shape | Constraint)[])[]): void;
  /** Steps by `dt` seconds. Throws, with nothing changed, if a body is not at a finite position or has no mass. */
  step(dt: number): void;
  /** Calls `run` when the step or removal that is under way is over, also if a callback throws; outside of one at once. */
  afterStep(run: () => void): void;
  onCollision(typeA: number, typeB: number, handler: CollisionHandler): void;
  /** For collisions of the type with any other. */
  onCollision(type: number, handler: CollisionHandler): void;
  /** For all collisions without a handler of their own. */
  onCollision(handler: CollisionHandler): void;
  /** Copies the state: one memcpy. A snapshot that is given is used again, and takes no more memory. */
  save(into?: Snapshot): Snapshot;
  /** Goes back to a state. All handles of what it has are good again. */
  restore(snapshot: Snapshot): void;
  /** Returns an independent twin, with the same callbacks and classes. Properties of your own stay with the handles. */
  fork(): Space;
  /** What an object of the space that this one was forked, restored or read from is here. */
  twinOf<T extends Body | Shape | Constraint>(object: T): T;
  /** Of all that decides the future: equal in forks, on other machines, and natively. */
  hash(): bigint;
  /** The first field in which the two differ, with both values; null if they are equal. */
  firstDifference(other: Space): string | null;
  toBytes(): Uint8Array;
  /** All contacts as of the last step, or those of a body; sensors have none. */
  contacts(body?: Body): Contact[];
  /** maxDistance is 0 and filter all, if not given; a negative distance: the point is inside. */
  pointQuery(point: Vector, maxDistance?: number, filter?: Partial<Filter>): PointHit[];
  pointQueryNearest(point: Vector, maxDistance?: number, filter?: Partial<Filter>): PointHit | null;
  /** radius is 0 and filter all, if not given. */
  segmentQuery(start: Vector, end: Vector, radius?: number, filter?: Partial<Filter>): SegmentHit[];
  segmentQueryFirst(start: Vector, end: Vector, radius?: number, filter?: Partial<Filter>): SegmentHit | null;
  bbQuery(box: BoundingBox, filter?: Partial<Filter>): Shape[];
  shapeQuery(shape: Shape): ContactHit[];
  /** After an object, or without one all that is static, was moved by hand. */
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

/** A rigid body. Plain data until Space.add(). */
declare class Body {
  /** Mass and moment of inertia; without them, those of its shapes' mass or density. */
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
  readonly space: Space | null;
  /** Data of the game's own (see Data). Default: undefined. */
  get userData(): any;
  set userData(value: Data);
  // {{body}}
  /** Puts a dynamic body to sleep, if sleepTimeThreshold is finite. */
  sleep(): void;
}

declare abstract class Shape {
  readonly body: Body;
  readonly space: Space | null;
  /** Data of the game's own (see Data). Default: undefined. */
  get userData(): any;
  set userData(value: Data);
  // {{shape}}
}
// {{shapes}}

declare abstract class Constraint {
  readonly a: Body;
  readonly b: Body;
  readonly space: Space | null;
  /** Data of the game's own (see Data). Default: undefined. */
  get userData(): any;
  set userData(value: Data);
  // {{constraint}}
}
// {{joints}}

/** What two shapes have to do with each other: only in a callback. */
declare class Arbiter {
  readonly shapes: [Shape, Shape];
  readonly bodies: [Body, Body];
  readonly points: ContactPoint[];
  // {{arbiter}}
}

/** Thrown for wrong arguments, objects that are gone, and full memory. */
export declare class ForkmunkError extends Error {
  /** In a checked step (Space.checked): what became NaN or infinite; a shape stands for one of its contacts. */
  object?: Body | Shape | Constraint;
}

export interface Forkmunk {
  Space: typeof Space;
  Snapshot: typeof Snapshot;
  Body: typeof Body;
  Shape: typeof Shape;
  Circle: typeof Circle;
  Segment: typeof Segment;
  Poly: typeof Poly;
  Constraint: typeof Constraint;
  // {{jointNames}}
  Arbiter: typeof Arbiter;
  ForkmunkError: typeof ForkmunkError;
  /** Moments of inertia. offset is { x: 0, y: 0 } and radius 0, if not given. */
  momentForCircle(mass: number, innerRadius: number, outerRadius: number, offset?: Vector): number;
  momentForBox(mass: number, width: number, height: number): number;
  momentForSegment(mass: number, a: Vector, b: Vector, radius?: number): number;
  momentForPoly(mass: number, vertices: readonly Vector[], offset?: Vector, radius?: number): number;
  /** The module's memory, which grows and never shrinks. */
  memory: { readonly bytes: number };
}

/** The part of CanvasRenderingContext2D that debugDraw() uses. */
export interface DrawContext {
  fillStyle: any;
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
  /** Default: "#333". */
  stroke?: string;
  /** The colour of joints. Default: "#c0392b". */
  joint?: string;
  /** In the space's units. Default: 1. */
  lineWidth?: number;
}
/** Draws shapes and joints in the context's present transform, for example after `context.setTransform(2, 0, 0, -2, 0, height)`. */
export declare function debugDraw(context: DrawContext, space: Space, options?: DrawOptions): void;

/** Makes an instance of the module; objects of different instances do not mix. `wasm`: the module, if not the package's own. */
export declare function load(options?: {
  wasm?: WebAssembly.Module | BufferSource | Response | URL | string;
}): Promise<Forkmunk>;

export interface Desync {
  /** Before it the states differ. */
  frame: number;
  /** The player that it was found with. */
  player: number;
  /** Hashes. */
  ours: bigint;
  theirs: bigint;
  /** The fields that differ, with both values; the reason, or "", if the other player's state did not come. */
  difference: string;
}
export declare class DesyncError extends ForkmunkError {
  frame: number;
  difference: string;
}

/** What a session tells its program: docs/guide/rollback.md. Events of the game have `event` and `data`, others have `text`. */
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
/** Inputs are numbers, strings, booleans, null, and arrays and plain objects of these; or Uint8Arrays, if `input` is. -0 becomes 0, and NaN is refused. */
export interface RollbackOptions<Input, World = Space> {
  /** The number of seats, 2 to 16. */
  players: number;
  /** This player's seat, from 0; null: a spectator. */
  local: number | null;
  /** Applies the inputs of all players and steps the space. All that decides the future must be in the space. */
  advance(space: World, inputs: readonly Input[], frame: number): void;
  /** Sends a message to all others; it may get lost. `to`: the instance that it is for, or 0. */
  send(message: Uint8Array, to: number): void;
  /** Before the first, and of an empty seat; 0 if not given. */
  input?: Input;
  /** Frames from a local input to its effect; 2 if not given. */
  delay?: number;
  /** Frames simulated before all inputs are known, at most; 8 if not given. */
  prediction?: number;
  /** Frames from checksum to checksum; 30 if not given. */
  checkEvery?: number;
  /** The input to expect after `last`; the same if not given. */
  predict?(last: Input, player: number, frame: number): Input;
  /** Called once, when the states of two players differ. */
  onDesync?(desync: Desync): void;
  onNotice?(notice: SessionNotice): void;
  /** The largest input in bytes, at most 1,024; 64 if not given. */
  inputBytesMax?: number;
  /** The ticks after which the host empties the seat of a silent player; 0, never, if not given. */
  silence?: number;
  /** The seats that are taken at first; all if not given. */
  seats?: readonly number[];
  /** Numbers of the game's session, of the game's version, and of this run of the program; the last is random if not given. */
  session?: number | bigint;
  game?: number;
  instance?: number;
  stateBytesMax?: number;
  /** For a state of your own: what load() returned. */
  module?: Forkmunk;
}
/** One player's part of a game. */
export declare class RollbackSession<Input = number, World = Space> {
  constructor(space: World, options: RollbackOptions<Input, World>);
  readonly space: World;
  readonly frame: number;
  /** Frames before it are final. */
  readonly confirmedFrame: number;
  readonly desync: Desync | null;
  readonly isPlaying: boolean;
  readonly isHost: boolean;
  /** Why the last tick() simulated nothing. */
  readonly wait: "inputs" | "acknowledgement" | "pace" | "joining" | null;
  readonly waitingFor: number[];
  readonly stats: { rolledBack: number; rollbacks: number; framesRolledBack: number; longest: number; stalls: number; checksums: number; badMessages: number };
  /** 0 to 64 frames. It may be changed during play. */
  delay: number;
  /**
   * Simulates a frame, and sends messages. Returns false while the session waits; call it at the rate of the frames also then.
   * Where advance() throws, tick() throws it, and the session is as before.
   */
  tick(input?: Input): boolean;
  /** Processes a message of another program. Returns whether the message is valid and of this session. */
  receive(message: Uint8Array | ArrayBuffer): boolean;
  /** Reports an event of the game, in advance() only: onNotice gets it as predicted, undone and confirmed. */
  event(kind: number, data?: unknown): void;
  /** Empties a player's seat; for the host. */
  drop(player: number): void;
  /** Tells the host that this player leaves. Call tick() for some more frames. */
  leave(): void;
  free(): void;
}
/** Simulates frames again, after each one, and compares the states. */
export declare class SyncTest<Input = unknown, World = Space> {
  constructor(space: World, options: { advance(space: World, inputs: readonly Input[], frame: number): void; distance?: number; module?: Forkmunk });
  readonly frame: number;
  /** Throws DesyncError where a frame that is simulated again ends in another state. */
  tick(inputs: readonly Input[]): void;
  free(): void;
}

// What load() returns has the classes.
export type { Space, Snapshot, Body, Shape, Constraint, Arbiter };
// {{exports}}
