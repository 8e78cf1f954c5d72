/// <reference lib="esnext.disposable" />
/** A pair of finite numbers. */
export interface Vector {
  x: number;
  y: number;
}
export interface BoundingBox {
  left: number;
  bottom: number;
  right: number;
  top: number;
}
/** Shapes of the same group (but 0) do not collide; nor do those of which one's mask lacks all categories of the other. */
export interface Filter {
  group: number;
  categories: number;
  mask: number;
}
/** What userData holds: it is copied into the space's memory, as JSON, and travels with its states. */
export type Data = undefined | null | boolean | number | string | Data[] | { [name: string]: Data };

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

/** A scene that is saved, restored and forked. */
declare class Space {
  /** It grows by itself, up to capacityBytes: 16 MiB if it is not given. What is not used takes no memory. */
  constructor(options?: { capacityBytes?: number });
  /** A new Space of what toBytes() returned. Callbacks are to be set again, in the same order. */
  static fromBytes(bytes: Uint8Array): Space;
  // {{space}}
  /** A static body that is always there. */
  readonly staticBody: Body;
  /** All that was added, in that order. */
  readonly bodies: readonly Body[];
  readonly shapes: readonly Shape[];
  readonly constraints: readonly Constraint[];
  /** x, y and angle of each of `bodies`: a view of WebAssembly memory, good until the next read of it. */
  readonly transforms: Float64Array;
  get userData(): Data;
  set userData(value: Data);
  /** Bytes that save() copies. */
  readonly liveBytes: number;
  add<T extends Body | Shape | Constraint>(object: T): T;
  add(...objects: (Body | Shape | Constraint | (Body | Shape | Constraint)[])[]): unknown;
  remove(...objects: (Body | Shape | Constraint | (Body | Shape | Constraint)[])[]): void;
  /** dt in seconds. */
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
  /** An independent twin, with the same callbacks. */
  fork(): Space;
  /** What an object of the space that this one was forked or restored from is here. */
  twinOf<T extends Body | Shape | Constraint>(object: T): T;
  /** Of all that decides the future: equal in forks, on other machines, and natively. */
  hash(): bigint;
  /** The first field in which the two differ, with both values; null if they are equal. */
  firstDifference(other: Space): string | null;
  toBytes(): Uint8Array;
  pointQuery(point: Vector, maxDistance?: number, filter?: Partial<Filter>): PointHit[];
  pointQueryNearest(point: Vector, maxDistance?: number, filter?: Partial<Filter>): PointHit | null;
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
  /** An empty one, for Space.save(). */
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
  readonly type: "dynamic" | "kinematic" | "static";
  readonly space: Space | null;
  get userData(): Data;
  set userData(value: Data);
  // {{body}}
  sleep(): void;
}

declare abstract class Shape {
  readonly body: Body;
  readonly space: Space | null;
  get userData(): Data;
  set userData(value: Data);
  // {{shape}}
}
// {{shapes}}

declare abstract class Constraint {
  readonly a: Body;
  readonly b: Body;
  readonly space: Space | null;
  get userData(): Data;
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
export declare class ForkmunkError extends Error {}

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
  momentForCircle(mass: number, innerRadius: number, outerRadius: number, offset?: Vector): number;
  momentForBox(mass: number, width: number, height: number): number;
  momentForSegment(mass: number, a: Vector, b: Vector, radius?: number): number;
  momentForPoly(mass: number, vertices: readonly Vector[], offset?: Vector, radius?: number): number;
  /** The module's memory, which grows and never shrinks. */
  memory: { readonly bytes: number };
}

/** Makes an instance of the module; objects of different instances do not mix. `wasm`: the module, if not the package's own. */
export declare function load(options?: {
  wasm?: WebAssembly.Module | BufferSource | Response | URL | string;
}): Promise<Forkmunk>;

export interface Desync {
  /** Before it the states differ. */
  frame: number;
  /** The player that it was found with. */
  from?: number;
  /** Hashes; null where only the other player noticed. */
  ours?: string | null;
  theirs?: string | null;
  /** The first field that differs, with both values; null if a state was not kept. */
  difference: string | null;
}
export declare class DesyncError extends ForkmunkError implements Desync {
  frame: number;
  difference: string | null;
}

export interface RollbackOptions<Input> {
  players: number;
  /** This player's number, from 0. */
  local: number;
  /** Applies the inputs of all players and steps the space. All that decides the future must be in the space. */
  advance(space: Space, inputs: readonly Input[], frame: number): void;
  /** Sends a plain object to all others; it may get lost. */
  send(message: object): void;
  /** Before the first; 0 if not given. */
  input?: Input;
  /** Frames from a local input to its effect; 2 if not given. */
  delay?: number;
  /** Frames simulated ahead of others' inputs at most; 8 if not given. */
  prediction?: number;
  /** Frames from checksum to checksum; 30 if not given. */
  checkEvery?: number;
  /** The input to expect after `last`; the same if not given. */
  predict?(last: Input, player: number, frame: number): Input;
  onDesync?(desync: Desync): void;
}
export declare class RollbackSession<Input = number> {
  constructor(space: Space, options: RollbackOptions<Input>);
  readonly frame: number;
  readonly confirmedFrame: number;
  readonly desync: Desync | null;
  readonly stats: { rolledBack: number; rollbacks: number; framesRolledBack: number; longest: number; stalls: number; checksums: number };
  /** Simulates a frame. Returns false, and does nothing, while inputs of others are missing for too long. */
  tick(input: Input): boolean;
  /** Takes what another player sent. */
  receive(message: object): void;
  free(): void;
}
/** Simulates frames again, after each one, and compares the states. */
export declare class SyncTest<Input = unknown> {
  constructor(space: Space, options: { advance(space: Space, inputs: Input, frame: number): void; distance?: number });
  readonly frame: number;
  /** Throws DesyncError where a frame that is simulated again ends in another state. */
  tick(inputs: Input): void;
  free(): void;
}

// What load() returns has the classes.
export type { Space, Snapshot, Body, Shape, Constraint, Arbiter };
// {{exports}}
