// SPDX-License-Identifier: MIT
// Bodies, shapes and joints: plain data until Space.add(), then handles of objects in the space's memory. A handle is
// valid in states that have the object; in other states its use throws. This file uses only symbols, because a subclass may have
// any property.

import * as api from "../api.mjs";
import { ForkmunkError, refuse } from "./checks.mjs";
import { $accessors, $at, $base, $checked, $given, $handles, $kind, $make, $own, $registry, $require, $root, $world } from "./private.mjs";
import { defineMethods, defineProperties } from "./properties.mjs";
import { newEntry } from "./registry.mjs";
import { copyOfUserData, readMotion, readUserData, writeUserData } from "./user_data.mjs";

export const Kind = { space: 0, body: 1, shape: 2, constraint: 3 };
const VERTEX_COUNT_MAX = 10_000;
const TYPES = ["dynamic", "kinematic", "static"];
export const ZERO = Object.freeze({ x: 0, y: 0 });

/** Returns the address in the space's present state; 0 for plain data. */
export function pointerOf(object, what) {
  const own = object[$own], { space } = own;
  if (space === null) return 0;
  const registry = space[$registry];
  if (own.seen === registry && registry !== null) return own.pointer;
  space[$checked](what);
  const offset = registry.offsetOf(own.entry);
  if (offset === undefined) {
    if (own.isPlain) return 0;
    throw new ForkmunkError(`${what}: the object is not in its space's present state; a restore went back to before it was added`);
  }
  own.seen = registry;
  return (own.pointer = space[$root] + offset);
}
export function spaceOf(object) {
  const { space, entry } = object[$own];
  return space?.[$registry]?.offsetOf(entry) === undefined ? null : space;
}

/** Adds data that Object.assign() and console.log() do not see. */
function prepare(object, space, entry) {
  const value = { space, entry, seen: null, pointer: 0, isPlain: space === null, data: {}, links: [] };
  return Object.defineProperty(object, $own, { value });
}
/** Returns the handle of an entry in a space, in the class of the origin's, whose constructor is not run. */
export function handleOf(space, entry) {
  const known = space[$handles].get(entry);
  if (known !== undefined) return known;
  const made = prepare(Object.create(entry.prototype), space, entry);
  space[$handles].set(entry, made);
  return made;
}
export const entryOf = (object) => (object[$own].entry ??= newEntry(object[$kind], object[$base], Object.getPrototypeOf(object)));

export function defineObjects(m) {
  const { wasm, checks } = m;

  class SpaceObject {
    constructor() {
      prepare(this, null, null);
    }
    get space() {
      return spaceOf(this);
    }
  }
  SpaceObject.prototype[$accessors] = { userData: {
    get() {
      const pointer = pointerOf(this, "userData");
      if (pointer !== 0) return readUserData(m, pointer, this[$kind]);
      const { userData } = this[$own].data;
      return userData instanceof Uint8Array ? userData.slice() : userData;
    },
    set(value) {
      const copy = copyOfUserData(value), pointer = pointerOf(this, "userData");
      if (pointer !== 0) writeUserData(m, "userData", this[$own].space, pointer, this[$kind], copy);
      else this[$own].data.userData = copy;
    },
  } };
  Object.defineProperty(SpaceObject.prototype, "userData", { configurable: true, enumerable: true, ...SpaceObject.prototype[$accessors].userData });

  /** The bodies of a shape or joint. */
  const bodyPointers = (object, pointer) => (object[$kind] === Kind.shape
    ? [wasm._cpShapeGetBody(pointer)] : [wasm._cpConstraintGetBodyA(pointer), wasm._cpConstraintGetBodyB(pointer)]);
  const linksOf = (object, what) => {
    const pointer = pointerOf(object, what);
    return pointer === 0 ? object[$own].links : bodyPointers(object, pointer).map((body) => object[$own].space[$at](body));
  };
  const changing = (object, what, run) => m.run(object[$own].space, what, run);
  const typeOf = (body, what) => {
    const pointer = pointerOf(body, what);
    return pointer === 0 ? body[$own].data.type ?? 0 : wasm._cpBodyGetType(pointer);
  };
  /** Defines a class's properties. `own` replaces accessors. */
  const define = (type, { name, properties, methods = [] }, own = () => ({})) => {
    const accessors = defineProperties(m, type, name, properties, pointerOf, changing);
    for (const [each, accessor] of Object.entries(own(accessors))) {
      accessors[each] = accessor;
      Object.defineProperty(type.prototype, each, { configurable: true, enumerable: true, ...accessor });
    }
    type.prototype[$accessors] = { ...type.prototype[$accessors], ...accessors };
    type.prototype[$base] = type;
    defineMethods(m, type, name, methods, pointerOf, changing);
    return type;
  };

  class Body extends SpaceObject {
    constructor(mass = 0, moment = 0) {
      super();
      if (mass !== 0) this[$own].data.mass = checks.positive(mass, "new Body(): mass");
      if (moment !== 0) this[$own].data.moment = checks.positiveOrInfinite(moment, "new Body(): moment");
    }
    static kinematic() {
      return Object.assign(new Body(), { type: "kinematic" });
    }
    static static() {
      return Object.assign(new Body(), { type: "static" });
    }
    sleep() {
      const what = "Body.sleep()", pointer = pointerOf(this, what), space = this[$own].space;
      if (pointer === 0 || typeOf(this, what) !== 0) throw new ForkmunkError(`${what}: only a dynamic body in a space can sleep`);
      space[$require](what);
      if (wasm._cpSpaceGetSleepTimeThreshold(space[$root]) === Infinity) throw new ForkmunkError(`${what}: nothing sleeps in this space; set sleepTimeThreshold first`);
      if (wasm._cpBodyIsSleeping(pointer) !== 0) return;
      m.check(what, m.run(space, what, () => wasm._fm_sleep(space[$world], pointer)));
    }
    [$make]() {
      const { type = 0, mass = 0, moment = 0 } = this[$own].data;
      return type === 0 ? wasm._cpBodyNew(mass, moment) : type === 1 ? wasm._cpBodyNewKinematic() : wasm._cpBodyNewStatic();
    }
  }
  Body.prototype[$kind] = Kind.body;
  Body.prototype[$given] = ["type", "mass", "moment"];
  const ofMoved = (name, { get, set }) => ({
    get() {
      return typeOf(this, `Body.${name}`) === 0 ? get.call(this) : Infinity;
    },
    set(value) {
      const type = typeOf(this, `Body.${name}`);
      if (type !== 0) throw new ForkmunkError(`Body.${name}: a ${TYPES[type]} body has no ${name} to set`);
      set.call(this, value);
    },
  });
  const ofMotion = (name, check) => ({
    get() {
      const pointer = pointerOf(this, `Body.${name}`);
      return pointer === 0 ? this[$own].data[name] ?? 1 : readMotion(m, pointer)[name];
    },
    set(value) {
      const what = `Body.${name}`, good = checks[check](value, what), pointer = pointerOf(this, what);
      if (pointer === 0) this[$own].data[name] = good;
      else changing(this, what, () => writeUserData(m, what, this[$own].space, pointer, Kind.body, readUserData(m, pointer, Kind.body), { ...readMotion(m, pointer), [name]: good }));
    },
  });
  define(Body, api.body, ({ mass, moment }) => ({
    mass: ofMoved("mass", mass),
    moment: ofMoved("moment", moment),
    type: {
      get() {
        return TYPES[typeOf(this, "Body.type")];
      },
      set(value) {
        const what = "Body.type", type = TYPES.indexOf(value), pointer = pointerOf(this, what), space = this[$own].space;
        if (type < 0) refuse(what, value, `one of ${TYPES.join(", ")}`);
        if (pointer === 0) {
          this[$own].data.type = type;
          if (type !== 0) delete this[$own].data.mass, delete this[$own].data.moment;
          return;
        }
        space[$require](what);
        if (pointer === wasm._cpSpaceGetStaticBody(space[$root])) throw new ForkmunkError(`${what}: found the space's static body, which stays static`);
        m.check(what, m.run(space, what, () => wasm._fm_set_body_type(space[$world], pointer, type)));
      },
    },
    gravityScale: ofMotion("gravityScale", "number"),
    damping: ofMotion("damping", "notNegative"),
  }));

  const checkBody = (body, what) => (body instanceof Body ? body : refuse(what, body, "a Body of the same load()"));

  class Shape extends SpaceObject {
    constructor(body, what) {
      super();
      if (this[$make] === undefined) throw new ForkmunkError("new Shape(): a shape is a Circle, Segment or Poly");
      this[$own].links = [checkBody(body, `${what}: body`)];
    }
    get body() {
      return linksOf(this, "Shape.body")[0];
    }
  }
  Shape.prototype[$kind] = Kind.shape;
  define(Shape, api.shape);

  class Circle extends Shape {
    constructor(body, radius, offset = ZERO) {
      super(body, "new Circle()");
      this[$own].data.radius = checks.notNegative(radius, "new Circle(): radius");
      this[$own].data.offset = checks.vector(offset, "new Circle(): offset");
    }
    [$make](body) {
      const { radius, offset } = this[$own].data;
      return wasm._cpCircleShapeNew(body, radius, m.argument(0, offset));
    }
  }

  class Segment extends Shape {
    constructor(body, a, b, radius = 0) {
      super(body, "new Segment()");
      this[$own].data.a = checks.vector(a, "new Segment(): a");
      this[$own].data.b = checks.vector(b, "new Segment(): b");
      this[$own].data.radius = checks.notNegative(radius, "new Segment(): radius");
    }
    [$make](body) {
      const { a, b, radius } = this[$own].data;
      return wasm._cpSegmentShapeNew(body, m.argument(0, a), m.argument(1, b), radius);
    }
  }

  class Poly extends Shape {
    constructor(body, vertices, radius = 0) {
      super(body, "new Poly()");
      if (!Array.isArray(vertices)) refuse("new Poly(): vertices", vertices, "an array of vectors {x, y}");
      const points = Array.from(vertices, (v, i) => checks.vector(v, `new Poly(): vertices[${i}]`));
      if (points.length < 3 || points.length > VERTEX_COUNT_MAX) refuse("new Poly(): vertices", points.length, `3 to ${VERTEX_COUNT_MAX} of them`);
      this[$own].data.vertices = hullOf(points);
      this[$own].data.radius = checks.notNegative(radius, "new Poly(): radius");
    }
    static box(body, width, height, radius = 0) {
      const x = checks.positive(width, "Poly.box(): width") / 2, y = checks.positive(height, "Poly.box(): height") / 2;
      const poly = new Poly(body, [{ x, y: -y }, { x, y }, { x: -x, y }, { x: -x, y: -y }], radius);
      poly[$own].data.box = [width, height];
      return poly;
    }
    [$make](body) {
      const { radius, vertices, box } = this[$own].data;
      if (box !== undefined) return wasm._cpBoxShapeNew(body, ...box, radius); // its vertices are in another order than a hull's
      return m.withVertices(vertices, (block) => wasm._cpPolyShapeNewRaw(body, vertices.length, block, radius));
    }
  }
  const same = (a, b) => a.x === b.x && a.y === b.y;
  function hullOf(vertices) {
    return m.withVertices(vertices, (block) => {
      const count = wasm._cpConvexHull(vertices.length, block, block, 0, 0), area = count < 3 ? 0 : wasm._cpAreaForPoly(count, block, 0);
      if (!(area > 0 && area < Infinity)) throw new ForkmunkError("new Poly(): vertices: found points in a line, expected a polygon with an area");
      return Object.freeze(new Array(count).fill().map((_, i) => m.vectorAt((block >> wasm.numberShift) + 2 * i)));
    });
  }
  const ownOf = [{}, { neighbors: {
    get() {
      const pointer = pointerOf(this, "Segment.neighbors");
      if (pointer === 0) return this[$own].data.neighbors ?? null;
      wasm._fm_segment_neighbors(pointer, m.scratch);
      const previous = m.vectorAt(m.scratch >> wasm.numberShift), next = m.vectorAt((m.scratch >> wasm.numberShift) + 2);
      return same(previous, m.vectorOf(wasm._cpSegmentShapeGetA, pointer)) && same(next, m.vectorOf(wasm._cpSegmentShapeGetB, pointer)) ? null : Object.freeze({ previous, next });
    },
    set(value) {
      const what = "Segment.neighbors", ends = this[$accessors];
      const { previous, next } = value === null ? { previous: ends.a.get.call(this), next: ends.b.get.call(this) } : checks.options(value, what);
      const good = Object.freeze({ previous: checks.vector(previous, `${what}.previous`), next: checks.vector(next, `${what}.next`) });
      const pointer = pointerOf(this, what);
      if (pointer !== 0) changing(this, what, () => wasm._cpSegmentShapeSetNeighbors(pointer, m.argument(0, good.previous), m.argument(1, good.next)));
      else this[$own].data.neighbors = value === null ? null : good;
    },
  } }, { vertices: {
    get() {
      const pointer = pointerOf(this, "Poly.vertices");
      if (pointer === 0) return this[$own].data.vertices;
      return Object.freeze(new Array(wasm._cpPolyShapeGetCount(pointer)).fill().map((_, i) => m.vectorOf(wasm._cpPolyShapeGetVert, pointer, i)));
    },
  } }];
  const shapes = [Circle, Segment, Poly];
  api.shapes.forEach((each, i) => {
    define(shapes[i], each, () => ownOf[i]);
    shapes[i].prototype[$given] = ["box", "vertices", "radius", "offset", "a", "b"];
  });

  const checkEnds = (a, b, what) => {
    if (typeOf(a, what) !== 0 && typeOf(b, what) !== 0) throw new ForkmunkError(`${what}: found two bodies that nothing moves, expected at least one dynamic body`);
  };
  class Constraint extends SpaceObject {
    constructor(a, b, what) {
      super();
      if (this[$make] === undefined) throw new ForkmunkError("new Constraint(): a constraint is one of the ten joints, like PivotJoint");
      this[$own].links = [checkBody(a, `${what}: a`), checkBody(b, `${what}: b`)];
      if (a === b) throw new ForkmunkError(`${what}: found the same body twice, expected two`);
      checkEnds(a, b, what);
    }
    get a() {
      return linksOf(this, "Constraint.a")[0];
    }
    get b() {
      return linksOf(this, "Constraint.b")[1];
    }
  }
  Constraint.prototype[$kind] = Kind.constraint;
  define(Constraint, api.constraint);

  const checkGroove = (a, b) => {
    if (same(a, b)) throw new ForkmunkError("GrooveJoint: found a groove of length 0, expected a longer one");
  };
  const grooves = ({ grooveA, grooveB }) => {
    const end = ({ get, set }, other) => ({ get, set(value) {
      checkGroove(checks.vector(value, "GrooveJoint: an end of the groove"), other.get.call(this));
      set.call(this, value);
    } });
    return { grooveA: end(grooveA, grooveB), grooveB: end(grooveB, grooveA) };
  };

  const joints = api.joints.map(({ name, make, parameters, properties }) => {
    const names = Object.keys(parameters);
    const type = { [name]: class extends Constraint {
      constructor(a, b, ...values) {
        super(a, b, `new ${name}()`);
        names.forEach((parameter, i) => {
          this[$own].data[parameter] = checks[parameters[parameter]](values[i], `new ${name}(): ${parameter}`);
        });
        if (name === "SlideJoint" && this[$own].data.min > this[$own].data.max) throw new ForkmunkError("new SlideJoint(): min: found one above max, expected at most max");
        if (name === "GrooveJoint") checkGroove(this[$own].data.grooveA, this[$own].data.grooveB);
      }
      [$make](a, b) {
        const { data } = this[$own];
        if (data.pivot !== undefined) return wasm._cpPivotJointNew(a, b, m.argument(0, data.pivot)); // of PivotJoint.at()
        return wasm[`_${make}`](a, b, ...names.map((each, i) => (typeof data[each] === "object" ? m.argument(i, data[each]) : data[each])));
      }
      get [$given]() {
        return this[$own].data.pivot === undefined ? names : ["pivot"];
      }
    } }[name];
    return define(type, { name, properties }, name === "GrooveJoint" ? grooves : undefined);
  });

  const pivot = joints.find((type) => type.name === "PivotJoint");
  pivot.at = (a, b, point) => {
    const joint = new pivot(a, b, ZERO, ZERO);
    joint[$own].data = { pivot: checks.vector(point, "PivotJoint.at(): point") };
    return joint;
  };

  const classes = [...shapes, null, ...joints];
  return {
    assign(object, what, values) {
      const accessors = object[$accessors], names = Object.keys(accessors).filter((name) => accessors[name].set !== undefined);
      for (const [name, value] of Object.entries(values)) {
        if (!names.includes(name)) refuse(what, name, `names among ${names.join(", ")}`);
        if (value !== undefined) accessors[name].set.call(object, value);
      }
      return object;
    },
    SpaceObject, Body, Shape, Circle, Segment, Poly, Constraint, joints, typeOf, linksOf, checkEnds,
    baseAt: (pointer, kind) => (kind === Kind.body ? Body : classes[wasm._fm_class(pointer)]),
    /** Sets the values that $make() did not use, in the order in which the game set them. */
    applyRest(object) {
      const given = object[$given], isShape = object[$kind] === Kind.shape;
      for (const [name, value] of Object.entries(object[$own].data)) {
        if (value === undefined || given.includes(name)) continue;
        if (isShape && value === 0 && (name === "mass" || name === "density")) continue; // 0 would take the body's own mass
        object[$accessors][name].set.call(object, value);
      }
    },
    /** Returns everything as plain data, before the space forgets the object. */
    takeBack(object, what) {
      const data = {}, accessors = object[$accessors], isDynamic = object[$kind] !== Kind.body || typeOf(object, what) === 0;
      for (const name of [...object[$given], ...Object.keys(accessors)]) {
        const { get, set } = accessors[name] ?? {};
        if (get === undefined || (set === undefined && !object[$given].includes(name)) || name === "density") continue;
        if (isDynamic || (name !== "mass" && name !== "moment")) data[name] = get.call(object);
      }
      if (object[$kind] === Kind.body) data.type = typeOf(object, what);
      return { data, links: object[$kind] === Kind.body ? [] : linksOf(object, what) };
    },
  };
}
