#pragma once

#include "fast/collision_contacts.h"

/// The contacts of circles and segments: lane by lane, as there are few of them.
FORKMUNK_FAST_BEGIN

/// Vectors in memory, lane by lane.
struct StoredVecs {
  alignas(64) double x[kLaneCount], y[kLaneCount];
  FORKMUNK_INLINE explicit StoredVecs(Vecs vecs) noexcept {
    store(x, vecs.x);
    store(y, vecs.y);
  }
  [[nodiscard]] FORKMUNK_INLINE cpVect at(int lane) const noexcept { return {x[lane], y[lane]}; }
  FORKMUNK_INLINE void set(int lane, cpVect to) noexcept { x[lane] = to.x, y[lane] = to.y; }
  [[nodiscard]] FORKMUNK_INLINE Vecs load_all() const noexcept { return {load(x), load(y)}; }
};

/// Whether a segment's neighbours leave the collision to it; `closest` is the closest point of the segment.
FORKMUNK_INLINE bool is_own_end(const cpShape* shape, cpVect closest, cpVect n) noexcept {
  const auto& segment = *reinterpret_cast<const cpSegmentShape*>(shape);
  const cpTransform& transform = segment.shape.body->transform;
  const cpVect rotation{transform.a, transform.b};
  const auto faces = [&](cpVect end, cpVect tangent) {
    return !(closest.x == end.x && closest.y == end.y) || cpvdot(n, cpvrotate(tangent, rotation)) <= 0.0;
  };
  return faces(segment.ta, segment.a_tangent) && faces(segment.tb, segment.b_tangent);
}

/// A circle has one contact, at the closest points.
FORKMUNK_INLINE void add_circle_contact(const Group& group, int lane, cpVect n, cpVect a, cpVect b,
                                        Collision& collision) noexcept {
  collision.normal = n;
  collision.points[0] = cpvadd(a, cpvmult(n, group.a.radius[lane]));
  collision.points[1] = cpvadd(b, cpvmult(n, group.b.radius[lane]));
  collision.hashes[0] = 0;
  collision.count = 1;
}

/// What is left of the lanes that touch, for the contacts of edges: circles get their contacts here, and segments may
/// leave the collision to a neighbour.
template <typename AnyShapes>
FORKMUNK_INLINE unsigned handle_rounded(const Group& group, const AnyShapes& shapes, const Edge& edge,
                                        const Closest& closest, unsigned touching,
                                        Collision* const (&collisions)[kLaneCount]) noexcept {
  const Indices v0 = indices_of(edge.v0.id), v1 = indices_of(edge.v1.id);
  const Vecs on_a = lerp_t(pick(shapes.a, lanes_of(v0 >> 8)), pick(shapes.a, lanes_of(v1 >> 8)), closest.t);
  const Vecs on_b = lerp_t(pick(shapes.b, lanes_of(v0 & 0xFF)), pick(shapes.b, lanes_of(v1 & 0xFF)), closest.t);
  const StoredVecs a(on_a), b(on_b), normals(closest.normal);
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const PairTest& test = *group.tests[lane];
    if ((touching >> lane & 1u) == 0 || test.a_type == CP_POLY_SHAPE) continue;
    if (test.a_type == CP_CIRCLE_SHAPE) {
      add_circle_contact(group, lane, normals.at(lane), a.at(lane), b.at(lane), *collisions[lane]);
      touching &= ~(1u << lane);
    } else if (!is_own_end(test.a, a.at(lane), normals.at(lane))) {
      touching &= ~(1u << lane);
    }
  }
  return touching;
}

/// As face_polygons(), with segments among them.
FORKMUNK_INLINE FacingEdge face_rounded(const Group& group, Lanes index, Vecs n) noexcept {
  // Other lanes' planes are those of their polygon, and are not used.
  const double* planes[kLaneCount];
  Indices count;
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const Side& side = group.tests[lane]->a_type == CP_POLY_SHAPE ? group.a : group.b;
    planes[lane] = side.first[lane];
    count[lane] = side.count[lane];
  }
  FacingEdge edge = face_polygons(planes, lanes_of(count), group.a.hash, index, n);
  StoredVecs first(edge.ends[0]), second(edge.ends[1]);
  const StoredVecs normals(n);
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    if (group.tests[lane]->a_type != CP_SEGMENT_SHAPE) continue;
    const auto& segment = *reinterpret_cast<const cpSegmentShape*>(group.tests[lane]->a);
    const bool forward = cpvdot(segment.tn, normals.at(lane)) > 0.0;
    first.set(lane, forward ? segment.ta : segment.tb);
    second.set(lane, forward ? segment.tb : segment.ta);
    edge.hashes[0][lane] = hash_pair(segment.shape.hashid, forward ? 0 : 1);
    edge.hashes[1][lane] = hash_pair(segment.shape.hashid, forward ? 1 : 0);
  }
  edge.ends[0] = first.load_all();
  edge.ends[1] = second.load_all();
  return edge;
}

FORKMUNK_FAST_END
