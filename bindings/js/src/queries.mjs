// SPDX-License-Identifier: MIT
import { FILTER, ForkmunkError, refuse } from "./checks.mjs";
import { pointsAt } from "./collisions.mjs";
import { Kind, pointerOf, spaceOf, ZERO } from "./objects.mjs";
import { $at, $checked, $kind, $require, $root } from "./private.mjs";

const HIT_NUMBERS = 13; // kHitNumbers in wasm/exports.h

export function defineQueries(m, Space, { Shape }) {
  const { wasm, checks } = m;
  const pointHit = (f, at, shape) => ({ shape, point: m.vectorAt(at), distance: f[at + 2], gradient: m.vectorAt(at + 3) });
  const segmentHit = (f, at, shape) => ({ shape, point: m.vectorAt(at), normal: m.vectorAt(at + 2), alpha: f[at + 4] });
  const contactHit = (f, at, shape) => ({ shape, normal: m.vectorAt(at + 1), points: pointsAt(m, at + 3, f[at]) });

  function hits(space, what, hit, call) {
    space[$checked](what);
    const count = m.run(space, what, () => call(space[$root]));
    if (count < 0) m.fail(what);
    const numbers = wasm._fm_numbers() >> wasm.numberShift;
    return Array.from(m.listed(count), (shape, i) => hit(wasm.NUMBERS, numbers + HIT_NUMBERS * i, space[$at](shape)));
  }

  function pointQuery(space, what, call, point, distance, filter) {
    const { x, y } = checks.vector(point, `${what}: point`);
    checks.notNegativeOrInfinite(distance, `${what}: maxDistance`);
    const good = checks.filter(filter, `${what}: filter`);
    return hits(space, what, pointHit, (root) => call(root, x, y, distance, m.putFilter(good)));
  }
  function segmentQuery(space, what, a, b, radius, filter, firstOnly) {
    const from = checks.vector(a, `${what}: start`), to = checks.vector(b, `${what}: end`);
    checks.notNegative(radius, `${what}: radius`);
    const good = checks.filter(filter, `${what}: filter`);
    return hits(space, what, segmentHit, (root) =>
      wasm._fm_segment_query(root, m.putNumbers([from.x, from.y, to.x, to.y, radius]), m.putFilter(good), firstOnly));
  }

  Object.assign(Space.prototype, {
    pointQuery(point, maxDistance = 0, filter = FILTER) {
      return pointQuery(this, "Space.pointQuery()", wasm._fm_point_query, point, maxDistance, filter);
    },
    pointQueryNearest(point, maxDistance = 0, filter = FILTER) {
      return pointQuery(this, "Space.pointQueryNearest()", wasm._fm_point_query_nearest, point, maxDistance, filter)[0] ?? null;
    },
    segmentQuery(start, end, radius = 0, filter = FILTER) {
      return segmentQuery(this, "Space.segmentQuery()", start, end, radius, filter, 0);
    },
    segmentQueryFirst(start, end, radius = 0, filter = FILTER) {
      return segmentQuery(this, "Space.segmentQueryFirst()", start, end, radius, filter, 1)[0] ?? null;
    },
    bbQuery(box, filter = FILTER) {
      const what = "Space.bbQuery()";
      const sides = checks.box(box, `${what}: box`);
      const good = checks.filter(filter, `${what}: filter`);
      return hits(this, what, (_f, _at, shape) => shape, (root) => wasm._fm_bb_query(root, m.putNumbers(sides), m.putFilter(good)));
    },
    shapeQuery(shape) {
      const what = "Space.shapeQuery()";
      if (!(shape instanceof Shape) || spaceOf(shape) !== this) refuse(`${what}: shape`, shape, "a shape of this space");
      return hits(this, what, contactHit, (root) => wasm._fm_shape_query(root, pointerOf(shape, what)));
    },
    contacts(body) {
      const what = "Space.contacts()";
      if (body !== undefined && (body?.[$kind] !== Kind.body || spaceOf(body) !== this)) refuse(`${what}: body`, body, "a body of this space");
      const found = hits(this, what, contactHit, (root) => wasm._fm_contacts(root, body === undefined ? 0 : pointerOf(body, what)));
      const others = m.listed(2 * found.length).slice(found.length);
      return found.map(({ shape, normal, points }, i) => ({ shapes: [shape, this[$at](others[i])], normal, points }));
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
      wasm._cpMomentForCircle(mass(ofMass), checks.notNegative(innerRadius, "innerRadius"), checks.notNegative(outerRadius, "outerRadius"), m.first(checks.vector(offset, "offset"))),
    momentForBox: (ofMass, width, height) => wasm._cpMomentForBox(mass(ofMass), checks.number(width, "width"), checks.number(height, "height")),
    momentForSegment(ofMass, a, b, radius = 0) {
      const ends = [checks.vector(a, "a"), checks.vector(b, "b")];
      return wasm._cpMomentForSegment(mass(ofMass), m.first(ends[0]), m.second(ends[1]), checks.notNegative(radius, "radius"));
    },
    momentForPoly(ofMass, vertices, offset = ZERO, radius = 0) {
      if (!Array.isArray(vertices) || vertices.length < 2) refuse("vertices", vertices, "an array of at least 2 vectors {x, y}");
      const points = Array.from(vertices, (v, i) => checks.vector(v, `vertices[${i}]`));
      return m.withVertices(points, (block) =>
        wasm._cpMomentForPoly(mass(ofMass), points.length, block, m.first(checks.vector(offset, "offset")), checks.notNegative(radius, "radius")));
    },
  };
}
