#pragma once

#include "fast/collision_kernel.h"
#include "fast/collision_lanes.h"
#include "fast/collision_search.h"

/// From closest points to contacts, in the order of evaluation of Chipmunk's cpCollision.c.
FORKMUNK_FAST_BEGIN

/// One test in each lane: its shapes, and where their points are in memory. Lanes without a pair of their own repeat
/// the last one.
struct Group {
  /// A shape's points: `count` of them, `stride` doubles apart. A segment's are in reverse order: of equally far ends
  /// Chipmunk takes the second, of equally far vertices the first.
  struct Side {
    const double* first;
    std::ptrdiff_t stride;
    int count;
    unsigned flip;  ///< An index of cpCollide's, xor flip, is an index here: 1 of segments, otherwise 0.
    FORKMUNK_INLINE const double* point(int index) const noexcept { return first + index * stride; }
    /// The point of an index that an earlier test ended with.
    FORKMUNK_INLINE int index_of(unsigned index) const noexcept {
      const int here = static_cast<int>(index ^ flip);
      return here < count ? here : 0;
    }
  };
  const cpShape* a[kLaneCount];
  const cpShape* b[kLaneCount];
  cpShapeType a_type[kLaneCount];
  cpCollisionID id[kLaneCount];
  Side a_side[kLaneCount], b_side[kLaneCount];
  alignas(64) double a_radius[kLaneCount], b_radius[kLaneCount];
};

struct Radii {
  Lanes a, b;
};

/// CP_HASH_PAIR of chipmunk_private.h.
FORKMUNK_INLINE std::uint32_t hash_pair(std::uint32_t a, std::uint32_t b) noexcept {
  constexpr std::uint32_t kFactor = 3344921057u;
  return a * kFactor ^ b * kFactor;
}

/// The edges of two shapes that face each other: their ends in each lane, first and second of a, then of b.
struct FacingEdges {
  Rows ends[4];
  std::uint32_t hashes[4][kLaneCount];
};

FORKMUNK_INLINE void face_polygon(const cpShape* shape, int i1, cpVect n, int lane, int first,
                                  FacingEdges& edges) noexcept {
  const auto& polygon = *reinterpret_cast<const cpPolyShape*>(shape);
  const cpSplittingPlane* const planes = polygon.planes;
  const int count = polygon.count;
  const int i0 = (i1 == 0 ? count : i1) - 1, i2 = i1 + 1 == count ? 0 : i1 + 1;
  const int around[3] = {i0, i1, i2};  // indexed, as a branch would be mispredicted
  const int side = cpvdot(n, planes[i1].n) > cpvdot(n, planes[i2].n) ? 0 : 1;
  const int i = around[side], j = around[side + 1];
  edges.ends[first].of[lane] = &planes[i].v0.x;
  edges.ends[first + 1].of[lane] = &planes[j].v0.x;
  edges.hashes[first][lane] = hash_pair(shape->hashid, static_cast<std::uint32_t>(i));
  edges.hashes[first + 1][lane] = hash_pair(shape->hashid, static_cast<std::uint32_t>(j));
}

FORKMUNK_INLINE void face_segment(const cpShape* shape, cpVect n, int lane, FacingEdges& edges) noexcept {
  const auto& segment = *reinterpret_cast<const cpSegmentShape*>(shape);
  const bool forward = cpvdot(segment.tn, n) > 0.0;
  edges.ends[0].of[lane] = forward ? &segment.ta.x : &segment.tb.x;
  edges.ends[1].of[lane] = forward ? &segment.tb.x : &segment.ta.x;
  edges.hashes[0][lane] = hash_pair(shape->hashid, forward ? 0 : 1);
  edges.hashes[1][lane] = hash_pair(shape->hashid, forward ? 1 : 0);
}

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

struct ContactPoints {
  Vecs points[4];    ///< r1 and r2 of each contact.
  Mask overlaps[2];  ///< The lanes that have the contact.
};

/// Clips each edge to the other along the tangent, and keeps the pairs of opposite points where the surfaces met.
FORKMUNK_INLINE ContactPoints clip(const FacingEdges& edges, Vecs n, const Radii& radii) noexcept {
  const Lanes one = all_lanes(1.0), smallest = all_lanes(DBL_MIN);
  const Vecs a = load_points(edges.ends[0]), b = load_points(edges.ends[1]);
  const Vecs c = load_points(edges.ends[2]), d = load_points(edges.ends[3]);
  const Lanes at_a = cross(a, n), at_b = cross(b, n), at_c = cross(c, n), at_d = cross(d, n);
  const Lanes scale_1 = one / (at_b - at_a + smallest), scale_2 = one / (at_d - at_c + smallest);
  const Vecs offset_1 = n * radii.a, offset_2 = n * -radii.b;
  ContactPoints found;
  for (int i = 0; i < 2; ++i) {
    const Lanes t1 = clamp_01(((i == 0 ? at_d : at_c) - at_a) * scale_1);
    const Lanes t2 = clamp_01(((i == 0 ? at_a : at_b) - at_c) * scale_2);
    const Vecs p1 = offset_1 + (a * (one - t1) + b * t1), p2 = offset_2 + (c * (one - t2) + d * t2);
    found.points[2 * i] = p1;
    found.points[2 * i + 1] = p2;
    found.overlaps[i] = at_most(dot(p2 - p1, n), all_lanes(0.0));
  }
  return found;
}

/// What find_contacts() has in memory, lane by lane.
struct Stored {
  alignas(64) double id[2][kLaneCount], normal_x[kLaneCount], normal_y[kLaneCount];
  alignas(64) double points_x[4][kLaneCount], points_y[4][kLaneCount];
  [[nodiscard]] cpVect normal(int lane) const noexcept { return {normal_x[lane], normal_y[lane]}; }
  [[nodiscard]] cpVect point(int i, int lane) const noexcept { return {points_x[i][lane], points_y[i][lane]}; }
};

FORKMUNK_INLINE void add_contact(const Stored& stored, int lane, int contact, std::uint32_t hash,
                                 Collision& collision) noexcept {
  collision.points[2 * collision.count] = stored.point(2 * contact, lane);
  collision.points[2 * collision.count + 1] = stored.point(2 * contact + 1, lane);
  collision.hashes[collision.count++] = hash;
}

/// The shapes' closest points where `edge` is the nearest of the difference.
FORKMUNK_INLINE void store_closest_points(const Group& group, Lanes t, Stored& stored) noexcept {
  Rows ends[2][2];  // of a and b
  for (int end = 0; end < 2; ++end) {
    FORKMUNK_ROLLED
    for (int lane = 0; lane < kLaneCount; ++lane) {
      const auto id = static_cast<int>(stored.id[end][lane]);
      ends[0][end].of[lane] = group.a_side[lane].point(id >> 8);
      ends[1][end].of[lane] = group.b_side[lane].point(id & 0xFF);
    }
  }
  for (int shape = 0; shape < 2; ++shape) {
    const Vecs closest = lerp_t(load_points(ends[shape][0]), load_points(ends[shape][1]), t);
    store(stored.points_x[shape], closest.x);
    store(stored.points_y[shape], closest.y);
  }
}

/// A circle has one contact, at the closest points.
FORKMUNK_INLINE void add_circle_contact(const Group& group, int lane, const Stored& stored,
                                        Collision& collision) noexcept {
  const cpVect n = stored.normal(lane);
  collision.normal = n;
  collision.points[0] = cpvadd(stored.point(0, lane), cpvmult(n, group.a_radius[lane]));
  collision.points[1] = cpvadd(stored.point(1, lane), cpvmult(n, group.b_radius[lane]));
  collision.hashes[0] = 0;
  collision.count = 1;
}

/// What is left of the lanes that touch, for the contacts of edges: circles get their contacts here, and segments may
/// leave the collision to a neighbour.
FORKMUNK_INLINE unsigned handle_rounded(const Group& group, Lanes t, unsigned touching, Stored& stored,
                                        Collision* const* collisions) noexcept {
  store_closest_points(group, t, stored);
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    if ((touching >> lane & 1u) == 0 || group.a_type[lane] == CP_POLY_SHAPE) continue;
    if (group.a_type[lane] == CP_CIRCLE_SHAPE) {
      add_circle_contact(group, lane, stored, *collisions[lane]);
      touching &= ~(1u << lane);
    } else if (!is_own_end(group.a[lane], stored.point(0, lane), stored.normal(lane))) {
      touching &= ~(1u << lane);
    }
  }
  return touching;
}

template <typename AnyShapes>
FORKMUNK_INLINE void face(const Group& group, const AnyShapes& shapes, Vecs n, const Stored& stored,
                          FacingEdges& edges) noexcept {
  alignas(64) double index_a[kLaneCount], index_b[kLaneCount];
  store(index_a, farthest(shapes.a, n).index);
  store(index_b, farthest(shapes.b, -n).index);
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const cpVect normal = stored.normal(lane);
    if (group.a_type[lane] == CP_POLY_SHAPE) {
      face_polygon(group.a[lane], static_cast<int>(index_a[lane]), normal, lane, 0, edges);
    } else if (group.a_type[lane] == CP_SEGMENT_SHAPE) {
      face_segment(group.a[lane], normal, lane, edges);
    } else {  // not used
      edges.ends[0].of[lane] = edges.ends[1].of[lane] = group.a_side[lane].first;
      edges.hashes[0][lane] = edges.hashes[1][lane] = 0;
    }
    face_polygon(group.b[lane], static_cast<int>(index_b[lane]), cpvneg(normal), lane, 2, edges);
  }
}

/// The contacts of edges, of the lanes of `touching`.
FORKMUNK_INLINE void add_edge_contacts(const FacingEdges& edges, Vecs n, const Radii& radii, unsigned touching,
                                       Stored& stored, Collision* const* collisions) noexcept {
  const ContactPoints found = clip(edges, n, radii);
  for (int i = 0; i < 4; ++i) {
    store(stored.points_x[i], found.points[i].x);
    store(stored.points_y[i], found.points[i].y);
  }
  const unsigned first_bits = bits_of(found.overlaps[0]), second_bits = bits_of(found.overlaps[1]);
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    if ((touching >> lane & 1u) == 0) continue;
    Collision& collision = *collisions[lane];
    collision.normal = stored.normal(lane);
    const auto& hashes = edges.hashes;
    if ((first_bits >> lane & 1u) != 0) {
      add_contact(stored, lane, 0, hash_pair(hashes[0][lane], hashes[3][lane]), collision);
    }
    if ((second_bits >> lane & 1u) != 0) {
      add_contact(stored, lane, 1, hash_pair(hashes[1][lane], hashes[2][lane]), collision);
    }
  }
}

/// Writes the results of the first `count` lanes.
template <typename AnyShapes>
FORKMUNK_INLINE void find_contacts(const Group& group, const AnyShapes& shapes, const Edge& edge, const Radii& radii,
                                   Mask known, Collision* const* collisions, int count) noexcept {
  const Closest closest = closest_on(edge);
  const Vecs n = closest.normal;
  Stored stored;
  store(stored.id[0], edge.v0.id);
  store(stored.id[1], edge.v1.id);
  const unsigned known_bits = bits_of(known);
  unsigned circles = 0, rounded = 0;
  FORKMUNK_ROLLED
  for (int lane = 0; lane < count; ++lane) {
    Collision& collision = *collisions[lane];
    const auto v0 = static_cast<cpCollisionID>(static_cast<int>(stored.id[0][lane]));
    const auto v1 = static_cast<cpCollisionID>(static_cast<int>(stored.id[1][lane]));
    collision.id = (v0 << 16 | v1) ^ group.a_side[lane].flip * 0x01000100u;
    collision.is_known = (known_bits >> lane & 1u) != 0;
    collision.count = 0;
    circles |= (group.a_type[lane] == CP_CIRCLE_SHAPE ? 1u : 0u) << lane;
    rounded |= (group.a_type[lane] != CP_POLY_SHAPE ? 1u : 0u) << lane;
  }
  // Two tests guard the contacts of edges, one those of circles; rounding may part them.
  const unsigned near = bits_of(both(known, at_most(closest.distance, radii.a + radii.b))) & ((1u << count) - 1u);
  const unsigned overlap = bits_of(at_most(closest.distance - radii.a - radii.b, all_lanes(0.0)));
  unsigned touching = near & (overlap | circles);
  if (touching == 0) return;
  store(stored.normal_x, n.x);
  store(stored.normal_y, n.y);
  if ((touching & rounded) != 0) touching = handle_rounded(group, closest.t, touching, stored, collisions);
  if (touching == 0) return;
  FacingEdges edges;
  face(group, shapes, n, stored, edges);
  add_edge_contacts(edges, n, radii, touching, stored, collisions);
}

FORKMUNK_FAST_END
