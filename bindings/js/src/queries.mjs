// SPDX-License-Identifier: MIT
import { FILTER, ForkmunkError, refuse } from "./checks.mjs";
import { pointsAt } from "./collisions.mjs";
import { Kind, pointerOf, spaceOf, ZERO } from "./objects.mjs";
import { $at, $checked, $kind, $require, $root } from "./private.mjs";

export function defineQueries(m, Space, { Shape }) {
  const { wasm, checks, functions } = m;
  const vector = (address) => m.vectorAt(address >> wasm.numberShift);
  // cpPointQueryInfo and cpSegmentQueryInfo begin with the shape; their numbers follow.
  const info = m.scratch + 64, part = (i) => info + (i << wasm.numberShift);
  const number = (i) => wasm.NUMBERS[part(i) >> wasm.numberShift];
  const contact = (set) => {
    const at = set >> wasm.numberShift;
    return { normal: m.vectorAt(at + 1), points: pointsAt(m, at + 3, wasm.HEAP32[set >> 2]) };
  };

  let space = null, found = null; // of the present query
  const object = (pointer) => space[$at](pointer);
  const hit = Object.assign(wasm.onHit, {
    pointHit: (shape, point, distance, gradient) => found.push({ shape: object(shape), point: vector(point), distance, gradient: vector(gradient) }),
    segmentHit: (shape, point, normal, alpha) => found.push({ shape: object(shape), point: vector(point), normal: vector(normal), alpha }),
    boxHit: (shape) => found.push(object(shape)),
    shapeHit: (shape, set) => found.push({ shape: object(shape), ...contact(set) }),
    contactHit: (shape, set, other) => found.push({ shapes: [object(shape), object(other)], ...contact(set) }),
  });
  function hits(of, what, call) {
    of[$checked](what);
    const all = (found = []);
    space = of;
    m.run(of, what, () => call(of[$root]));
    space = found = null; // which would keep the space from the garbage collector
    return all;
  }

  function pointQuery(of, what, point, distance, filter, call) {
    const from = checks.vector(point, `${what}: point`);
    checks.notNegativeOrInfinite(distance, `${what}: maxDistance`);
    const good = checks.filter(filter, `${what}: filter`);
    return hits(of, what, (root) => call(root, m.argument(0, from), distance, m.putFilter(good)));
  }
  function segmentQuery(of, what, a, b, radius, filter, call) {
    const from = checks.vector(a, `${what}: start`), to = checks.vector(b, `${what}: end`);
    checks.notNegative(radius, `${what}: radius`);
    const good = checks.filter(filter, `${what}: filter`);
    return hits(of, what, (root) => call(root, m.argument(0, from), m.argument(1, to), radius, m.putFilter(good)));
  }

  Object.assign(Space.prototype, {
    pointQuery(point, maxDistance = 0, filter = FILTER) {
      return pointQuery(this, "Space.pointQuery()", point, maxDistance, filter, (...given) => wasm._cpSpacePointQuery(...given, functions.pointHit, 0));
    },
    pointQueryNearest(point, maxDistance = 0, filter = FILTER) {
      return pointQuery(this, "Space.pointQueryNearest()", point, maxDistance, filter, (...given) => {
        const shape = wasm._cpSpacePointQueryNearest(...given, info);
        if (shape !== 0) hit.pointHit(shape, part(1), number(3), part(4));
      })[0] ?? null;
    },
    segmentQuery(start, end, radius = 0, filter = FILTER) {
      return segmentQuery(this, "Space.segmentQuery()", start, end, radius, filter, (...given) => wasm._cpSpaceSegmentQuery(...given, functions.segmentHit, 0));
    },
    segmentQueryFirst(start, end, radius = 0, filter = FILTER) {
      return segmentQuery(this, "Space.segmentQueryFirst()", start, end, radius, filter, (...given) => {
        const shape = wasm._cpSpaceSegmentQueryFirst(...given, info);
        if (shape !== 0) hit.segmentHit(shape, part(1), part(3), number(5));
      })[0] ?? null;
    },
    bbQuery(box, filter = FILTER) {
      const what = "Space.bbQuery()";
      const sides = checks.box(box, `${what}: box`);
      const good = checks.filter(filter, `${what}: filter`);
      return hits(this, what, (root) => wasm._cpSpaceBBQuery(root, m.putNumbers(sides), m.putFilter(good), functions.boxHit, 0));
    },
    shapeQuery(shape) {
      const what = "Space.shapeQuery()";
      if (!(shape instanceof Shape) || spaceOf(shape) !== this) refuse(`${what}: shape`, shape, "a shape of this space");
      return hits(this, what, (root) => wasm._cpSpaceShapeQuery(root, pointerOf(shape, what), functions.shapeHit, 0));
    },
    contacts(body) {
      const what = "Space.contacts()";
      if (body !== undefined && (body?.[$kind] !== Kind.body || spaceOf(body) !== this)) refuse(`${what}: body`, body, "a body of this space");
      return hits(this, what, (root) => wasm._fm_contacts(root, body === undefined ? 0 : pointerOf(body, what)));
    },
    reindex(object) {
      const what = "Space.reindex()";
      this[$require](what);
      if (object === undefined) return m.run(this, what, () => wasm._cpSpaceReindexStatic(this[$root]));
      const call = { [Kind.body]: wasm._cpSpaceReindexShapesForBody, [Kind.shape]: wasm._cpSpaceReindexShape }[object?.[$kind]];
      if (call === undefined) refuse(what, object, "a body or shape");
      if (spaceOf(object) !== this) throw new ForkmunkError(`${what}: the object is not in this space`);
      return m.run(this, what, () => call(this[$root], pointerOf(object, what)));
    },
  });
}

export function momentFunctions(m) {
  const { wasm, checks } = m;
  const mass = (value) => checks.notNegative(value, "mass");
  return {
    momentForCircle: (ofMass, innerRadius, outerRadius, offset = ZERO) =>
      wasm._cpMomentForCircle(mass(ofMass), checks.notNegative(innerRadius, "innerRadius"), checks.notNegative(outerRadius, "outerRadius"), m.argument(0, checks.vector(offset, "offset"))),
    momentForBox: (ofMass, width, height) => wasm._cpMomentForBox(mass(ofMass), checks.number(width, "width"), checks.number(height, "height")),
    momentForSegment(ofMass, a, b, radius = 0) {
      const ends = [checks.vector(a, "a"), checks.vector(b, "b")];
      return wasm._cpMomentForSegment(mass(ofMass), m.argument(0, ends[0]), m.argument(1, ends[1]), checks.notNegative(radius, "radius"));
    },
    momentForPoly(ofMass, vertices, offset = ZERO, radius = 0) {
      if (!Array.isArray(vertices) || vertices.length < 2) refuse("vertices", vertices, "an array of at least 2 vectors {x, y}");
      const points = Array.from(vertices, (v, i) => checks.vector(v, `vertices[${i}]`));
      return m.withVertices(points, (block) =>
        wasm._cpMomentForPoly(mass(ofMass), points.length, block, m.argument(0, checks.vector(offset, "offset")), checks.notNegative(radius, "radius")));
    },
  };
}
