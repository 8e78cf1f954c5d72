// Bodies, shapes and joints. Until Space.add() they are plain data; then handles of what is in the space's memory. A
// handle is good in every state of its space that has the object: where a restore went back to before it was added,
// using it throws.

import * as api from "./api.mjs";
import { checks, ForkmunkError, refuse } from "./checks.mjs";
import { defineMethods, defineProperties } from "./properties.mjs";
import { copyOfUserData, readUserData, writeUserData } from "./user_data.mjs";

export const Kind = { space: 0, body: 1, shape: 2, constraint: 3 };
const VERTEX_COUNT_MAX = 10_000;
const PIVOT_BY_POINT = 2; // make_joint()'s number in wasm/objects.cpp

/** Its address in its space's present state; 0: plain data. */
export function pointerOf(object, what) {
  const space = object._space;
  if (space === null) return 0;
  const registry = space._registry;
  if (object._registry === registry) return object._pointer;
  if (registry === null) throw new ForkmunkError(`${what}: the space was freed`);
  const pointer = registry.pointers.get(object);
  if (pointer === undefined) {
    if (object._isPlain) return 0;
    throw new ForkmunkError(`${what}: the object is not in its space's present state; a restore went back to before it was added`);
  }
  object._registry = registry;
  object._pointer = pointer;
  return pointer;
}

/** The classes, for one WebAssembly module. */
export function defineObjects(m) {
  const { wasm } = m;

  class SpaceObject {
    constructor() {
      this._space = null;
      this._registry = null; // in which the address was found
      this._pointer = 0;
      this._isPlain = true;
      this._data = {};
    }
    get space() {
      return this._space !== null && this._space._registry?.pointers.has(this) ? this._space : null;
    }
    get userData() {
      const pointer = pointerOf(this, "userData");
      return pointer === 0 ? structuredClone(this._data.userData) : readUserData(m, pointer, this._kind);
    }
    set userData(value) {
      const pointer = pointerOf(this, "userData");
      if (pointer !== 0) writeUserData(m, this._space, pointer, this._kind, value);
      else this._data.userData = copyOfUserData(value);
    }
    /** Reads everything back before the space forgets it. */
    _takeBack() {
      const data = { userData: this.userData };
      for (const { name, set } of this.constructor._properties) if (set) data[name] = this[name];
      return data;
    }
    _apply(data) {
      for (const [name, value] of Object.entries(data)) if (value !== undefined) this[name] = value;
    }
  }

  const bodiesOf = {
    [Kind.body]: (pointer) => [pointer],
    [Kind.shape]: (pointer) => [wasm._cpShapeGetBody(pointer)],
    [Kind.constraint]: (pointer) => [wasm._cpConstraintGetBodyA(pointer), wasm._cpConstraintGetBodyB(pointer)],
  };
  const beforeChange = (object, what, pointer) => {
    if (!m.inCollision || pointer === 0) return;
    if (bodiesOf[object._kind](pointer).some((body) => wasm._cpBodyIsSleeping(body) !== 0)) {
      throw new ForkmunkError(`${what}: a sleeping body cannot be changed or woken in begin or preSolve; use space.afterStep()`);
    }
  };
  const define = (type, { name, properties, methods = [] }, inherited = []) => {
    Object.defineProperty(type, "name", { value: name }); // a minifier takes it
    type._properties = [...inherited, ...properties];
    defineProperties(m, type, name, properties, pointerOf, beforeChange);
    defineMethods(m, type, name, methods, pointerOf, beforeChange);
    return type;
  };

  class Body extends SpaceObject {
    constructor(mass = 0, moment = 0) {
      super();
      this._type = 0;
      this._isStaticBody = false;
      if (mass !== 0) this._data.mass = checks.positive(mass, "new Body(): mass");
      if (moment !== 0) this._data.moment = checks.positiveOrInfinite(moment, "new Body(): moment");
    }
    static #ofType(type) {
      const body = new Body();
      body._type = type;
      return body;
    }
    static kinematic() {
      return Body.#ofType(1);
    }
    static static() {
      return Body.#ofType(2);
    }
    get type() {
      const pointer = pointerOf(this, "Body.type");
      return ["dynamic", "kinematic", "static"][pointer === 0 ? this._type : wasm._cpBodyGetType(pointer)];
    }
    sleep() {
      const pointer = pointerOf(this, "Body.sleep()");
      if (pointer === 0 || wasm._cpBodyGetType(pointer) !== 0) throw new ForkmunkError("Body.sleep(): only a dynamic body in a space can sleep");
      if (m.current === this._space) throw new ForkmunkError("Body.sleep() was called in a callback; use space.afterStep()");
      if (this._space.sleepTimeThreshold === Infinity) throw new ForkmunkError("Body.sleep(): nothing sleeps in this space; set sleepTimeThreshold first");
      if (wasm._cpBodyIsSleeping(pointer) === 0) wasm._fm_sleep(this._space._world, pointer);
    }
    get _kind() {
      return Kind.body;
    }
    get _rank() {
      return 0;
    }
    _needed() {
      return [];
    }
    _make(space) {
      const { mass = 0, moment = 0 } = this._data;
      return wasm._fm_add_body(space._world, this._type, mass, moment);
    }
    _late() {
      const { mass: _mass, moment: _moment, ...others } = this._data;
      return others;
    }
    _takeBack() {
      const data = super._takeBack();
      if (this.type !== "dynamic") delete data.mass, delete data.moment;
      return data;
    }
  }
  define(Body, api.body);
  for (const name of ["mass", "moment"]) {
    const { get, set } = Object.getOwnPropertyDescriptor(Body.prototype, name);
    Object.defineProperty(Body.prototype, name, {
      configurable: true,
      enumerable: true,
      get() {
        return this.type === "dynamic" ? get.call(this) : Infinity;
      },
      set(value) {
        if (this.type !== "dynamic") throw new ForkmunkError(`Body.${name}: a ${this.type} body has no ${name} to set`);
        set.call(this, value);
      },
    });
  }

  const bodyAt = (object, pointer) => object._space._at(pointer);
  const checkBody = (body, what) => (body instanceof Body ? body : refuse(what, body, "a Body of the same load()"));

  class Shape extends SpaceObject {
    constructor(body, what) {
      super();
      if (new.target === Shape) throw new ForkmunkError("new Shape(): a shape is a Circle, Segment or Poly");
      this._body = checkBody(body, `${what}: body`);
    }
    get body() {
      const pointer = pointerOf(this, "Shape.body");
      return pointer === 0 ? this._body : bodyAt(this, wasm._cpShapeGetBody(pointer));
    }
    get _kind() {
      return Kind.shape;
    }
    get _rank() {
      return 1;
    }
    _needed() {
      return [this._body];
    }
    _late() {
      const { radius: _radius, offset: _offset, a: _a, b: _b, ...others } = this._data;
      for (const name of ["mass", "density"]) if (!others[name]) delete others[name]; // 0 would take the body's own mass
      return others;
    }
    _takeBack() {
      const { mass, density: _density, ...data } = super._takeBack();
      this._body = this.body;
      return { ...this._geometry(), ...data, mass };
    }
  }
  define(Shape, api.shape);

  class Circle extends Shape {
    constructor(body, radius, offset = { x: 0, y: 0 }) {
      super(body, "new Circle()");
      this._data.radius = checks.notNegative(radius, "new Circle(): radius");
      this._data.offset = { ...checks.vector(offset, "new Circle(): offset") };
    }
    _make(space, body) {
      const { radius, offset } = this._data;
      return wasm._fm_add_circle(space._world, body, radius, offset.x, offset.y);
    }
    _geometry() {
      return { radius: this.radius, offset: this.offset };
    }
  }

  class Segment extends Shape {
    constructor(body, a, b, radius = 0) {
      super(body, "new Segment()");
      this._data.a = { ...checks.vector(a, "new Segment(): a") };
      this._data.b = { ...checks.vector(b, "new Segment(): b") };
      this._data.radius = checks.notNegative(radius, "new Segment(): radius");
    }
    _make(space, body) {
      const { a, b, radius } = this._data;
      return wasm._fm_add_segment(space._world, body, m.putNumbers([a.x, a.y, b.x, b.y]), radius);
    }
    _geometry() {
      return { a: this.a, b: this.b, radius: this.radius };
    }
  }

  class Poly extends Shape {
    constructor(body, vertices, radius = 0) {
      super(body, "new Poly()");
      if (!Array.isArray(vertices)) refuse("new Poly(): vertices", vertices, "an array of vectors {x, y}");
      if (vertices.length < 3 || vertices.length > VERTEX_COUNT_MAX) refuse("new Poly(): vertices", vertices.length, `3 to ${VERTEX_COUNT_MAX} of them`);
      this._box = null;
      this._vertices = hullOf(vertices.map((v, i) => ({ ...checks.vector(v, `new Poly(): vertices[${i}]`) })));
      this._data.radius = checks.notNegative(radius, "new Poly(): radius");
    }
    /** A rectangle around the body's origin. */
    static box(body, width, height, radius = 0) {
      const x = checks.positive(width, "Poly.box(): width") / 2, y = checks.positive(height, "Poly.box(): height") / 2;
      const poly = new Poly(body, [{ x, y: -y }, { x, y }, { x: -x, y }, { x: -x, y: -y }], radius);
      poly._box = [width, height];
      return poly;
    }
    /** The corners, in the body's coordinates. */
    get vertices() {
      const pointer = pointerOf(this, "Poly.vertices");
      if (pointer === 0) return this._vertices.map((v) => ({ ...v }));
      return Array.from({ length: wasm._cpPolyShapeGetCount(pointer) }, (_, i) => m.vectorOf(wasm._cpPolyShapeGetVert, pointer, i));
    }
    _make(space, body) {
      const { radius } = this._data;
      if (this._box !== null) return wasm._fm_add_box(space._world, body, this._box[0], this._box[1], radius);
      return withVertices(this._vertices, (block) => wasm._fm_add_poly(space._world, body, block, this._vertices.length, radius));
    }
    _geometry() {
      this._vertices = this.vertices;
      this._box = null;
      return { radius: this.radius };
    }
  }

  function withVertices(vertices, run) {
    const block = m.allocate((vertices.length + 1) * 16); // cpConvexHull() reads one more, and does not use it
    try {
      const f = wasm.HEAPF64;
      vertices.forEach(({ x, y }, i) => {
        f[(block >> 3) + 2 * i] = x;
        f[(block >> 3) + 2 * i + 1] = y;
      });
      return run(block);
    } finally {
      wasm._fm_release(block);
    }
  }
  function hullOf(vertices) {
    return withVertices(vertices, (block) => {
      const count = wasm._fm_hull(block, vertices.length);
      if (count === 0) throw new ForkmunkError("new Poly(): vertices: found points in a line, expected a polygon with an area");
      return Array.from({ length: count }, (_, i) => ({ x: wasm.HEAPF64[(block >> 3) + 2 * i], y: wasm.HEAPF64[(block >> 3) + 2 * i + 1] }));
    });
  }

  const shapeClasses = [Circle, Segment, Poly];
  api.shapes.forEach((each, i) => define(shapeClasses[i], each, api.shape.properties));

  class Constraint extends SpaceObject {
    constructor(a, b, what) {
      super();
      if (new.target === Constraint) throw new ForkmunkError("new Constraint(): a constraint is one of the ten joints, like PivotJoint");
      this._a = checkBody(a, `${what}: a`);
      this._b = checkBody(b, `${what}: b`);
      if (a === b) throw new ForkmunkError(`${what}: found the same body twice, expected two`);
      if (a.type !== "dynamic" && b.type !== "dynamic") throw new ForkmunkError(`${what}: found two bodies that nothing moves, expected at least one dynamic body`);
    }
    get a() {
      const pointer = pointerOf(this, "Constraint.a");
      return pointer === 0 ? this._a : bodyAt(this, wasm._cpConstraintGetBodyA(pointer));
    }
    get b() {
      const pointer = pointerOf(this, "Constraint.b");
      return pointer === 0 ? this._b : bodyAt(this, wasm._cpConstraintGetBodyB(pointer));
    }
    get _kind() {
      return Kind.constraint;
    }
    get _rank() {
      return 2;
    }
    _needed() {
      return [this._a, this._b];
    }
    _takeBack() {
      [this._a, this._b] = [this.a, this.b];
      return super._takeBack();
    }
    _late() {
      const used = this._data.pivot === undefined ? this.constructor._parameters : ["pivot"];
      return Object.fromEntries(Object.entries(this._data).filter(([name]) => !used.includes(name)));
    }
    _make(space, a, b) {
      const { _parameters, _make } = this.constructor;
      const values = _parameters.map((name) => this._data[name]);
      return _make(space, a, b, values.flatMap((v) => (typeof v === "object" ? [v.x, v.y] : [v])));
    }
  }
  define(Constraint, api.constraint);

  const joints = api.joints.map(({ name, kind, parameters, properties }) => {
    const names = Object.keys(parameters);
    const type = { [name]: class extends Constraint {
      constructor(a, b, ...values) {
        super(a, b, `new ${name}()`);
        names.forEach((parameter, i) => {
          const check = checks[parameters[parameter] === "Vector" ? "vector" : parameters[parameter]];
          const value = check(values[i], `new ${name}(): ${parameter}`);
          this._data[parameter] = typeof value === "object" ? { ...value } : value;
        });
        if (name === "SlideJoint" && this._data.min > this._data.max) throw new ForkmunkError("new SlideJoint(): min: found one above max, expected at most max");
        if (name === "GrooveJoint" && same(this._data.grooveA, this._data.grooveB)) throw new ForkmunkError("new GrooveJoint(): found a groove of length 0, expected a longer one");
      }
    } }[name];
    type._parameters = names;
    type._make = (space, a, b, values) => wasm._fm_add_joint(space._world, kind, a, b, m.putNumbers(values));
    return define(type, { name, properties }, api.constraint.properties);
  });
  const same = (a, b) => a.x === b.x && a.y === b.y;

  /** A handle for what is in a space already: after a fork or from bytes. */
  function handleFor(space, pointer, kind) {
    const type = kind === Kind.body ? Body : [Circle, Segment, Poly, null, ...joints][wasm._fm_class(pointer)];
    const made = Object.create(type.prototype);
    Object.assign(made, { _space: space, _registry: null, _pointer: 0, _isPlain: false, _data: {} });
    if (kind === Kind.body) Object.assign(made, { _type: wasm._cpBodyGetType(pointer), _isStaticBody: false });
    return made;
  }

  /** PivotJoint.at(a, b, point): the point is in the space's coordinates, when the joint is added. */
  const pivot = joints.find((type) => type.name === "PivotJoint");
  pivot.at = (a, b, point) => {
    const joint = new pivot(a, b, { x: 0, y: 0 }, { x: 0, y: 0 });
    joint._data = { pivot: { ...checks.vector(point, "PivotJoint.at(): point") } };
    return joint;
  };
  const makeByAnchors = pivot.prototype._make;
  pivot.prototype._make = function (space, a, b) {
    const { pivot: point } = this._data;
    if (point === undefined) return makeByAnchors.call(this, space, a, b);
    return wasm._fm_add_joint(space._world, PIVOT_BY_POINT, a, b, m.putNumbers([point.x, point.y]));
  };

  return { SpaceObject, Body, Shape, Circle, Segment, Poly, Constraint, joints, handleFor };
}
