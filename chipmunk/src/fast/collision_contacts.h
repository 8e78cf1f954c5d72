#pragma once

#include "fast/collision_kernel.h"
#include "fast/collision_lanes.h"
#include "fast/collision_search.h"

/// From closest points to contacts, in the order of evaluation of Chipmunk's cpCollision.c.
FORKMUNK_FAST_BEGIN

/// A shape of the test in each lane. Its points are rows of memory, `stride` doubles apart: the planes of a polygon.
/// A segment's are in reverse order: of equally far ends Chipmunk takes the second, of equally far vertices the first.
struct Side {
  static constexpr std::ptrdiff_t kPlane = sizeof(cpSplittingPlane) / sizeof(double);
  const double* first[kLaneCount];
  alignas(64) double radius[kLaneCount];
  Indices count;   ///< Of points.
  IndexBits hash;  ///< The shapes' ids.
  IndexBits flip;  ///< An index of cpCollide's, xor flip, is an index here: 1 of segments, otherwise 0.
  std::ptrdiff_t stride[kLaneCount];  ///< Unset where all shapes are polygons.
};

/// The pairs of a group of lanes. Lanes without a pair of their own repeat the last one.
struct Group {
  const PairTest* tests[kLaneCount];
  IndexBits id;
  Side a, b;
};

/// CP_HASH_PAIR of chipmunk_private.h.
inline constexpr std::uint32_t kHashFactor = 3344921057u;
FORKMUNK_INLINE IndexBits hash_pair(IndexBits a, IndexBits b) noexcept { return a * kHashFactor ^ b * kHashFactor; }
FORKMUNK_INLINE std::uint32_t hash_pair(std::uint32_t a, std::uint32_t b) noexcept {
  return a * kHashFactor ^ b * kHashFactor;
}

/// The edge of a shape that faces the other one: its first and second end.
struct FacingEdge {
  Vecs ends[2];
  IndexBits hashes[2];
};

/// \param planes  those of each lane's polygon, `count` of them.  \param index  the vertex that is farthest along n.
FORKMUNK_INLINE FacingEdge face_polygons(const double* const (&planes)[kLaneCount], Lanes count, IndexBits hash,
                                         Lanes index, Vecs n) noexcept {
  const Lanes zero = all_lanes(0.0), one = all_lanes(1.0), next = index + one;
  const Lanes before = select(equal(index, zero), count, index) - one, after = select(equal(next, count), zero, next);
  const auto rows_of = [&](Lanes of) {
    const Indices numbers = indices_of(of);
    Rows rows;
    for (int lane = 0; lane < kLaneCount; ++lane) rows.of[lane] = planes[lane] + Side::kPlane * numbers[lane];
    return rows;
  };
  Vecs vertex, vertex_after, normal, normal_after;
  load4(rows_of(index), vertex.x, vertex.y, normal.x, normal.y);
  load4(rows_of(after), vertex_after.x, vertex_after.y, normal_after.x, normal_after.y);
  const Vecs vertex_before = load_points(rows_of(before));
  const Mask ends = greater(dot(n, normal), dot(n, normal_after));
  const Lanes first = select(ends, before, index), second = select(ends, index, after);
  return {{select(ends, vertex_before, vertex), select(ends, vertex, vertex_after)},
          {hash_pair(hash, bits_of(indices_of(first))), hash_pair(hash, bits_of(indices_of(second)))}};
}

struct ContactPoints {
  Vecs points[4];    ///< r1 and r2 of each contact.
  Mask overlaps[2];  ///< The lanes that have the contact.
};

/// Clips each edge to the other along the tangent, and keeps the pairs of opposite points where the surfaces met.
FORKMUNK_INLINE ContactPoints clip(const FacingEdge& edge_a, const FacingEdge& edge_b, Vecs n, Lanes radius_a,
                                   Lanes radius_b) noexcept {
  const Lanes one = all_lanes(1.0), smallest = all_lanes(DBL_MIN);
  const Vecs a = edge_a.ends[0], b = edge_a.ends[1], c = edge_b.ends[0], d = edge_b.ends[1];
  const Lanes at_a = cross(a, n), at_b = cross(b, n), at_c = cross(c, n), at_d = cross(d, n);
  const Lanes scale_1 = one / (at_b - at_a + smallest), scale_2 = one / (at_d - at_c + smallest);
  const Vecs offset_1 = n * radius_a, offset_2 = n * -radius_b;
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

/// The contacts of edges, of the lanes of `touching`.
FORKMUNK_INLINE void add_edge_contacts(const FacingEdge& a, const FacingEdge& b, Vecs n, Lanes radius_a, Lanes radius_b,
                                       unsigned touching, Collision* const (&collisions)[kLaneCount]) noexcept {
  const ContactPoints found = clip(a, b, n, radius_a, radius_b);
  // Of a lane that has the second contact only, it is the first.
  const Mask has_first = found.overlaps[0];
  const Vecs r1 = select(has_first, found.points[0], found.points[2]);
  const Vecs r2 = select(has_first, found.points[1], found.points[3]);
  Collision unused;
  double *normals[kLaneCount], *points[kLaneCount], *last_points[kLaneCount];
  for (int lane = 0; lane < kLaneCount; ++lane) {
    Collision& collision = (touching >> lane & 1u) != 0 ? *collisions[lane] : unused;
    normals[lane] = &collision.normal.x;
    points[lane] = &collision.points[1].x;
    last_points[lane] = &collision.points[2].x;
  }
  static_assert(offsetof(Collision, points) == sizeof(cpVect));
  store4(normals, n.x, n.y, r1.x, r1.y);
  store4(points, r2.x, r2.y, found.points[2].x, found.points[2].y);
  store4(last_points, found.points[2].x, found.points[2].y, found.points[3].x, found.points[3].y);
  const IndexBits first_hash = hash_pair(a.hashes[0], b.hashes[1]), second_hash = hash_pair(a.hashes[1], b.hashes[0]);
  const unsigned first = bits_of(found.overlaps[0]), second = bits_of(found.overlaps[1]);
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    if ((touching >> lane & 1u) == 0) continue;
    Collision& collision = *collisions[lane];
    collision.hashes[0] = (first >> lane & 1u) != 0 ? first_hash[lane] : second_hash[lane];
    collision.hashes[1] = second_hash[lane];
    collision.count = static_cast<std::uint8_t>((first >> lane & 1u) + (second >> lane & 1u));
  }
}

FORKMUNK_FAST_END
