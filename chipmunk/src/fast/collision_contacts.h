#pragma once

#include "fast/collision_kernel.h"
#include "fast/collision_lanes.h"
#include "fast/collision_search.h"

/// From closest points to contacts, in the order of evaluation of Chipmunk's cpCollision.c.
FORKMUNK_FAST_BEGIN

/// The type of the first shape; the second is a polygon.
enum class ShapeKind : std::uint8_t { polygon, segment, circle };

struct Radii {
  Lanes a, b;
};

template <ShapeKind kKind>
FORKMUNK_INLINE Radii load_radii(const cpShape* const* a, const cpShape* const* b) noexcept {
  alignas(64) double radius[2][kLaneCount];
  for (int lane = 0; lane < kLaneCount; ++lane) {
    if constexpr (kKind == ShapeKind::polygon) {
      radius[0][lane] = reinterpret_cast<const cpPolyShape*>(a[lane])->r;
    } else if constexpr (kKind == ShapeKind::segment) {
      radius[0][lane] = reinterpret_cast<const cpSegmentShape*>(a[lane])->r;
    } else {
      radius[0][lane] = reinterpret_cast<const cpCircleShape*>(a[lane])->r;
    }
    radius[1][lane] = reinterpret_cast<const cpPolyShape*>(b[lane])->r;
  }
  return {load(radius[0]), load(radius[1])};
}

/// CP_HASH_PAIR of chipmunk_private.h.
FORKMUNK_INLINE std::uint32_t hash_pair(std::uint32_t a, std::uint32_t b) noexcept {
  constexpr std::uint32_t kFactor = 3344921057u;
  return a * kFactor ^ b * kFactor;
}

/// The edges of two shapes that face each other: their ends in each lane, first and second of a, then of b.
struct FacingEdges {
  const cpVect* ends[4][kLaneCount];
  std::uint32_t hashes[4][kLaneCount];
};

FORKMUNK_INLINE void face_polygon(const cpShape* shape, int i1, cpVect n, int lane, int first,
                                  FacingEdges& edges) noexcept {
  const auto& polygon = *reinterpret_cast<const cpPolyShape*>(shape);
  const cpSplittingPlane* const planes = polygon.planes;
  const int count = polygon.count;
  const int i0 = (i1 == 0 ? count : i1) - 1, i2 = i1 + 1 == count ? 0 : i1 + 1;
  const bool is_before = cpvdot(n, planes[i1].n) > cpvdot(n, planes[i2].n);
  const int i = is_before ? i0 : i1, j = is_before ? i1 : i2;
  edges.ends[first][lane] = &planes[i].v0;
  edges.ends[first + 1][lane] = &planes[j].v0;
  edges.hashes[first][lane] = hash_pair(shape->hashid, static_cast<std::uint32_t>(i));
  edges.hashes[first + 1][lane] = hash_pair(shape->hashid, static_cast<std::uint32_t>(j));
}

FORKMUNK_INLINE void face_segment(const cpShape* shape, cpVect n, int lane, FacingEdges& edges) noexcept {
  const auto& segment = *reinterpret_cast<const cpSegmentShape*>(shape);
  const bool forward = cpvdot(segment.tn, n) > 0.0;
  edges.ends[0][lane] = forward ? &segment.ta : &segment.tb;
  edges.ends[1][lane] = forward ? &segment.tb : &segment.ta;
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
template <ShapeKind kKind>
FORKMUNK_INLINE void store_closest_points(const cpShape* const* a, const cpShape* const* b, Lanes t, int point_count,
                                          Stored& stored) noexcept {
  const cpVect* ends[2][2][kLaneCount];  // of a and b
  for (int end = 0; end < 2; ++end) {
    for (int lane = 0; lane < kLaneCount; ++lane) {
      const auto id = static_cast<unsigned>(stored.id[end][lane]);
      if constexpr (kKind == ShapeKind::segment) {
        const auto& segment = *reinterpret_cast<const cpSegmentShape*>(a[lane]);
        ends[0][end][lane] = id >> 8 != 0 ? &segment.ta : &segment.tb;
      } else {
        ends[0][end][lane] = &reinterpret_cast<const cpCircleShape*>(a[lane])->tc;
      }
      ends[1][end][lane] = &reinterpret_cast<const cpPolyShape*>(b[lane])->planes[id & 0xFF].v0;
    }
  }
  for (int shape = 0; shape < point_count; ++shape) {
    const Vecs closest = lerp_t(load_points(ends[shape][0]), load_points(ends[shape][1]), t);
    store(stored.points_x[shape], closest.x);
    store(stored.points_y[shape], closest.y);
  }
}

/// The id that cpCollide returns: a segment's ends are loaded in reverse order.
template <ShapeKind kKind>
FORKMUNK_INLINE cpCollisionID id_of(const Stored& stored, int lane) noexcept {
  const auto id = static_cast<cpCollisionID>(stored.id[0][lane]) << 16 | static_cast<cpCollisionID>(stored.id[1][lane]);
  return kKind == ShapeKind::segment ? id ^ 0x01000100u : id;
}

/// Circles have one contact, at the closest points.
template <typename Touching>
FORKMUNK_INLINE void add_circle_contacts(const cpShape* const* a, const cpShape* const* b, const Stored& stored,
                                         const Touching& touching, Collision* const* collisions) noexcept {
  for (int lane = 0; lane < kLaneCount; ++lane) {
    if (!touching(lane)) continue;
    Collision& collision = *collisions[lane];
    const cpVect n = stored.normal(lane);
    collision.normal = n;
    collision.points[0] = cpvadd(stored.point(0, lane), cpvmult(n, reinterpret_cast<const cpCircleShape*>(a[lane])->r));
    collision.points[1] = cpvadd(stored.point(1, lane), cpvmult(n, reinterpret_cast<const cpPolyShape*>(b[lane])->r));
    collision.hashes[0] = 0;
    collision.count = 1;
  }
}

/// Writes the results of the first `count` lanes.
template <ShapeKind kKind, typename AnyShapes>
FORKMUNK_INLINE void find_contacts(const cpShape* const* a, const cpShape* const* b, const AnyShapes& shapes,
                                   const Edge& edge, const Radii& radii, Mask known, Collision* const* collisions,
                                   int count) noexcept {
  const Closest closest = closest_on(edge);
  const Vecs n = closest.normal;
  Stored stored;
  store(stored.id[0], edge.v0.id);
  store(stored.id[1], edge.v1.id);
  const unsigned known_bits = bits_of(known);
  for (int lane = 0; lane < count; ++lane) {
    Collision& collision = *collisions[lane];
    collision.id = id_of<kKind>(stored, lane);
    collision.is_known = (known_bits >> lane & 1u) != 0;
    collision.count = 0;
  }
  // Two tests guard the contacts of edges; rounding may part them.
  Mask near = both(known, at_most(closest.distance, radii.a + radii.b));
  if (kKind != ShapeKind::circle) near = both(near, at_most(closest.distance - radii.a - radii.b, all_lanes(0.0)));
  unsigned touching_bits = bits_of(near) & ((1u << count) - 1u);
  if (touching_bits == 0) return;
  store(stored.normal_x, n.x);
  store(stored.normal_y, n.y);
  const auto touching = [&](int lane) { return (touching_bits >> lane & 1u) != 0; };
  if constexpr (kKind == ShapeKind::circle) {
    store_closest_points<kKind>(a, b, closest.t, 2, stored);
    add_circle_contacts(a, b, stored, touching, collisions);
    return;
  }
  if constexpr (kKind == ShapeKind::segment) {
    store_closest_points<kKind>(a, b, closest.t, 1, stored);
    for (int lane = 0; lane < count; ++lane) {
      if (!is_own_end(a[lane], stored.point(0, lane), stored.normal(lane))) touching_bits &= ~(1u << lane);
    }
  }
  alignas(64) double index_a[kLaneCount], index_b[kLaneCount];
  if constexpr (kKind == ShapeKind::polygon) store(index_a, farthest(shapes.a, n).index);
  store(index_b, farthest(shapes.b, -n).index);
  FacingEdges edges;
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const cpVect normal = stored.normal(lane);
    if constexpr (kKind == ShapeKind::polygon) {
      face_polygon(a[lane], static_cast<int>(index_a[lane]), normal, lane, 0, edges);
    } else if constexpr (kKind == ShapeKind::segment) {
      face_segment(a[lane], normal, lane, edges);
    }
    face_polygon(b[lane], static_cast<int>(index_b[lane]), cpvneg(normal), lane, 2, edges);
  }
  const ContactPoints found = clip(edges, n, radii);
  for (int i = 0; i < 4; ++i) {
    store(stored.points_x[i], found.points[i].x);
    store(stored.points_y[i], found.points[i].y);
  }
  const unsigned first_bits = bits_of(found.overlaps[0]), second_bits = bits_of(found.overlaps[1]);
  for (int lane = 0; lane < count; ++lane) {
    if (!touching(lane)) continue;
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

FORKMUNK_FAST_END
