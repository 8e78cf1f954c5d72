// SPDX-License-Identifier: MIT

#include "fast/collision_kernel.h"

#include <forkmunk/base/simd/transpose.h>
#include <forkmunk/chipmunk/defects.h>

#include <cfloat>
#include <limits>

/// Keeps a loop over single lanes rolled: unrolled, such loops would fill most of the instruction cache.
#ifdef __clang__
#define FORKMUNK_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define FORKMUNK_ROLLED _Pragma("GCC unroll 1")
#endif

/// The closest points of two convex shapes, by GJK while they are apart and by EPA when they overlap, in the order of
/// evaluation of cpCollision.c. Both search the Minkowski difference b - a for its point nearest to 0.
FORKMUNK_KERNEL_BEGIN(forkmunk::FORKMUNK_CHIPMUNK::fast)
namespace {

using namespace simd;
using Lanes = WideLanes;
using Mask = MaskOf<Lanes>;
using Vecs = VecOf<Lanes>;
constexpr int kLaneCount = static_cast<int>(kLanes);

FORKMUNK_INLINE Mask no_lane() noexcept { return mask_of(0); }
FORKMUNK_INLINE Mask every_lane() noexcept { return mask_of(kAllLanes); }

using Indices = std::int32_t __attribute__((vector_size(4 * kLanes)));
using IndexBits = std::uint32_t __attribute__((vector_size(4 * kLanes)));
FORKMUNK_INLINE Indices indices_of(Lanes a) noexcept { return __builtin_convertvector(a, Indices); }
FORKMUNK_INLINE Lanes lanes_of(Indices a) noexcept { return __builtin_convertvector(a, Lanes); }
FORKMUNK_INLINE IndexBits bits_of(Indices a) noexcept { return (IndexBits)a; }
using simd::bits_of;

FORKMUNK_INLINE Vecs load_points(const Rows& points) noexcept {
  Vecs loaded;
  load2(points, loaded.x, loaded.y);
  return loaded;
}

inline constexpr int kGjkIterationsMax = 30;

/// The first vertex fills the rest, because only a farther vertex is chosen.
template <int kCount>
struct Vertices {
  Vecs at[kCount];
};

template <int kCountA, int kCountB>
struct Shapes {
  Vertices<kCountA> a;
  Vertices<kCountB> b;
};

struct SupportPoint {
  Vecs at;
  Lanes index;
};

/// A point of the difference. Its id is 256 times a's index plus b's index.
struct Point {
  Vecs at;
  Lanes id;
};

struct Edge {
  Point v0, v1;
};

template <int kCount>
FORKMUNK_INLINE SupportPoint farthest(const Vertices<kCount>& vertices, Vecs n) noexcept {
  SupportPoint found{vertices.at[0], all_lanes(0)};
  Lanes best = dot(vertices.at[0], n);
  for (int i = 1; i < kCount; ++i) {
    const Lanes along = dot(vertices.at[i], n);
    const Mask farther = less(best, along);
    best = max_of(along, best);
    found.at = select(farther, vertices.at[i], found.at);
    found.index = select(farther, all_lanes(static_cast<cpFloat>(i)), found.index);
  }
  return found;
}

template <int kCount>
FORKMUNK_INLINE Vecs pick(const Vertices<kCount>& vertices, Lanes index) noexcept {
  Vecs found = vertices.at[0];
  for (int i = 1; i < kCount; ++i)
    found = select(equal(index, all_lanes(static_cast<cpFloat>(i))), vertices.at[i], found);
  return found;
}

template <typename AnyShapes>
FORKMUNK_INLINE Point support(const AnyShapes& shapes, Vecs n) noexcept {
  const SupportPoint a = farthest(shapes.a, -n), b = farthest(shapes.b, n);
  return {b.at - a.at, a.index * all_lanes(256.0) + b.index};
}

FORKMUNK_INLINE Point select_point(Mask mask, const Point& a, const Point& b) noexcept {
  return {select(mask, a.at, b.at), select(mask, a.id, b.id)};
}

/// Returns the lanes in which c lies left of a->b: (b - a).x ((a + b).y - 2 c.y) < (b - a).y ((a + b).x - 2 c.x).
FORKMUNK_INLINE Mask left_of(const Point& a, const Point& b, const Point& c) noexcept {
  const Lanes two = all_lanes(2.0);
  const Vecs delta = b.at - a.at, sum = a.at + b.at;
  return less(delta.x * (sum.y - two * c.at.y), delta.y * (sum.x - two * c.at.x));
}
FORKMUNK_INLINE Mask left_of_zero(const Point& a, const Point& b) noexcept {
  const Vecs delta = b.at - a.at, sum = a.at + b.at;
  return less(delta.x * sum.y, delta.y * sum.x);
}

/// Returns the t in [-1, 1] for which lerp(a, b, t) is nearest to 0.
FORKMUNK_INLINE Lanes closest_t(Lanes along, Lanes length_squared) noexcept {
  return -clamp(along / length_squared, all_lanes(-1.0), all_lanes(1.0));
}
FORKMUNK_INLINE Lanes closest_t(const Point& a, const Point& b) noexcept {
  const Vecs delta = b.at - a.at;
  return closest_t(dot(delta, a.at + b.at), dot(delta, delta));
}
FORKMUNK_INLINE Vecs lerp_t(Vecs a, Vecs b, Lanes t) noexcept {
  const Lanes half = all_lanes(0.5), half_t = half * t;
  return a * (half - half_t) + b * (half + half_t);
}
FORKMUNK_INLINE Lanes distance_squared(const Point& a, const Point& b) noexcept {
  const Vecs p = lerp_t(a.at, b.at, closest_t(a, b));
  return dot(p, p);
}

/// Returns the lanes in which a support point is an end of the hull's edge, or not beyond it, which ends the search.
FORKMUNK_INLINE Mask ends_at(const Edge& edge, const Point& p) noexcept {
  const Mask known = either_of(equal(p.id, edge.v0.id), equal(p.id, edge.v1.id));
  return either_of(known, except(every_lane(), left_of(edge.v0, edge.v1, p)));
}

FORKMUNK_INLINE Mask choose_nearer(Lanes distance, const Point& v0, const Point& v1, Lanes& least,
                                   Edge& edge) noexcept {
  const Mask nearer = less(distance, least);
  least = select(nearer, distance, least);
  edge.v0 = select_point(nearer, v0, edge.v0);
  edge.v1 = select_point(nearer, v1, edge.v1);
  return nearer;
}

/// The third step of EPA, from the hull `edge`, c, d and the new point p. \return the lanes that are done.
template <typename AnyShapes>
FORKMUNK_INLINE Mask expand_last(const AnyShapes& shapes, const Point& p, const Point& c, const Point& d,
                                 Edge& edge) noexcept {
  const Point a = edge.v0, b = edge.v1;
  const Mask is_whole =
      both_of(both_of(left_of(p, c, b), left_of(b, d, c)), both_of(left_of(c, a, d), left_of(d, p, a)));
  edge = {a, p};
  Lanes least = distance_squared(a, p);
  choose_nearer(distance_squared(p, b), p, b, least, edge);
  choose_nearer(distance_squared(b, c), b, c, least, edge);
  choose_nearer(distance_squared(c, d), c, d, least, edge);
  choose_nearer(distance_squared(d, a), d, a, least, edge);
  return both_of(is_whole, ends_at(edge, support(shapes, perpendicular(edge.v1.at - edge.v0.at))));
}

/// At most three steps of EPA from the triangle v0, p, v1 around 0. \return the lanes that are done.
template <typename AnyShapes>
FORKMUNK_INLINE Mask expand(const AnyShapes& shapes, Mask inside, const Point& v0, const Point& p, const Point& v1,
                            Edge& edge) noexcept {
  const Lanes d0 = distance_squared(v0, p), d1 = distance_squared(p, v1), d2 = distance_squared(v1, v0);
  // The nearest edge, the opposite point, and the distances of the other edges.
  edge = {v1, v0};
  Point opposite = p;
  Lanes least = d2, after = d0, before = d1;
  Mask nearer = choose_nearer(d0, v0, p, least, edge);
  opposite = select_point(nearer, v1, opposite);
  after = select(nearer, d1, after);
  before = select(nearer, d2, before);
  nearer = choose_nearer(d1, p, v1, least, edge);
  opposite = select_point(nearer, v0, opposite);
  after = select(nearer, d2, after);
  before = select(nearer, d0, before);
  const Point q = support(shapes, perpendicular(edge.v1.at - edge.v0.at));
  const Mask more = except(inside, ends_at(edge, q));
  if (bits_of(more) == 0) return inside;

  // The hull of four points is q, edge.v1, opposite, edge.v0. Lanes in which a point is dropped are given up.
  const Mask is_whole = both_of(both_of(left_of(q, opposite, edge.v1), left_of(edge.v1, edge.v0, opposite)),
                                left_of(opposite, q, edge.v0));
  Edge next{edge.v0, q};
  Lanes least_next = distance_squared(edge.v0, q);
  const Mask is_second = choose_nearer(distance_squared(q, edge.v1), q, edge.v1, least_next, next);
  const Mask is_third = choose_nearer(after, edge.v1, opposite, least_next, next);
  const Mask is_fourth = choose_nearer(before, opposite, edge.v0, least_next, next);
  const Point last = support(shapes, perpendicular(next.v1.at - next.v0.at));
  Mask ended = both_of(is_whole, ends_at(next, last));
  const Mask again = both_of(more, except(is_whole, ended));
  if (bits_of(again) != 0) {
    const Point third =
        select_point(is_fourth, q, select_point(is_third, edge.v0, select_point(is_second, opposite, edge.v1)));
    const Point fourth =
        select_point(is_fourth, edge.v1, select_point(is_third, q, select_point(is_second, edge.v0, opposite)));
    Edge nearest = next;
    ended = either_of(ended, both_of(again, expand_last(shapes, last, third, fourth, nearest)));
    next.v0 = select_point(again, nearest.v0, next.v0);
    next.v1 = select_point(again, nearest.v1, next.v1);
  }
  edge.v0 = select_point(more, next.v0, edge.v0);
  edge.v1 = select_point(more, next.v1, edge.v1);
  return except(inside, except(more, ended));
}

/// GJK from the edge v0, v1, then EPA in lanes where 0 is inside. \return the lanes that are done.
template <typename AnyShapes>
FORKMUNK_INLINE Mask search(const AnyShapes& shapes, Point v0, Point v1, Edge& edge) noexcept {
  Mask active = every_lane(), inside = no_lane(), is_point = no_lane();
  Point around = v0;  // the vertex opposite the edge, of a triangle around 0
  edge = {v0, v1};
  for (int i = 0; i < kGjkIterationsMax; ++i) {
    const Mask is_behind = left_of_zero(v1, v0);
    const Point swapped = select_point(is_behind, v1, v0);
    v1 = select_point(is_behind, v0, v1);
    v0 = swapped;
    const Vecs delta = v1.at - v0.at;
    const Lanes along = dot(delta, v0.at + v1.at), length_squared = dot(delta, delta);
    // This is -1 < t < 1 without a division: a rounded quotient is below 1 in size exactly if |along| is the smaller.
    const Mask on_edge = both_of(less(-length_squared, along), less(along, length_squared));
    Vecs n = perpendicular(delta);
    if (bits_of(except(active, on_edge)) != 0) {
      n = select(on_edge, n, -lerp_t(v0.at, v1.at, closest_t(along, length_squared)));
      // pymunk has another t for an edge of length 0.
      is_point = either_of(is_point, both_of(active, equal(length_squared, all_lanes(0))));
    }
    const Point p = support(shapes, n);
    const Mask around_zero = both_of(active, both_of(left_of_zero(p, v0), left_of_zero(v1, p)));
    const Mask is_nearest = at_most(dot(p.at, n), max_of(dot(v0.at, n), dot(v1.at, n)));
    const Mask ended = both_of(active, either_of(around_zero, is_nearest));
    edge.v0 = select_point(ended, v0, edge.v0);
    edge.v1 = select_point(ended, v1, edge.v1);
    around = select_point(around_zero, p, around);
    inside = either_of(inside, around_zero);
    active = except(active, ended);
    if (bits_of(active) == 0) break;
    const Mask first = less(distance_squared(v0, p), distance_squared(p, v1));
    v1 = select_point(first, p, v1);
    v0 = select_point(first, v0, p);
  }
  edge.v0 = select_point(active, v0, edge.v0);
  edge.v1 = select_point(active, v1, edge.v1);
  if (bits_of(inside) == 0) return except(every_lane(), is_point);
  Edge nearest;
  const Mask known = expand(shapes, inside, edge.v0, around, edge.v1, nearest);
  edge.v0 = select_point(inside, nearest.v0, edge.v0);
  edge.v1 = select_point(inside, nearest.v1, edge.v1);
  return except(either_of(known, except(every_lane(), inside)), is_point);
}

/// The closest points are on the edge at t, and `distance` apart along the normal.
struct Closest {
  Lanes t, distance;
  Vecs normal;
  /// The edge is so short that its normal is meaningless: find_closest_points() of defects/collision.c.
  Mask is_point;
};

/// A tenth of the part by which find_closest_points() lets the squares of two distances differ; half of it for floats.
constexpr auto kMeaningless = static_cast<cpFloat>(FORKMUNK_BY_PRECISION(1e-7, 5e-3));

FORKMUNK_INLINE Closest closest_on(const Edge& edge) noexcept {
  const Lanes one = all_lanes(1.0), smallest = all_lanes(CPFLOAT_MIN);
  const Vecs delta = edge.v1.at - edge.v0.at;
  const Lanes length_squared = dot(delta, delta);
  const Lanes t = closest_t(dot(delta, edge.v0.at + edge.v1.at), length_squared);
  const Vecs p = lerp_t(edge.v0.at, edge.v1.at, t);
  const Vecs across{delta.y, -delta.x};
  const Vecs normal = across * (one / (square_root(dot(across, across)) + smallest));
  const Lanes distance = dot(normal, p), square = dot(p, p);
  const Mask is_point = either_of(equal(length_squared, all_lanes(0)),
                                  greater(square - distance * distance, all_lanes(kMeaningless) * square));
  const Mask is_edge = either_of(at_most(distance, all_lanes(0)), both_of(less(-one, t), less(t, one)));
  if (bits_of(is_edge) == bits_of(every_lane())) return {t, distance, normal, is_point};
  const Lanes length = square_root(square);
  return {t, select(is_edge, distance, length), select(is_edge, normal, p * (one / (length + smallest))),
          both_of(is_point, is_edge)};
}

/// Rows of points are `stride` doubles apart. A segment's points are in reverse order: Chipmunk chooses the second of
/// equally far ends, but the first of equally far vertices.
struct Side {
  static constexpr std::ptrdiff_t kPlane = sizeof(cpSplittingPlane) / sizeof(cpFloat);
  const cpFloat* first[kLaneCount];
  alignas(64) cpFloat radius[kLaneCount];
  Indices count;
  IndexBits hash;  ///< The shapes' ids.
  /// An index of cpCollide() is an index here, xor flip: 1 for segments, otherwise 0.
  IndexBits flip;
  std::ptrdiff_t stride[kLaneCount];  ///< Unset if all shapes are polygons.
};

/// Lanes without a pair repeat the last pair.
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

struct FacingEdge {
  Vecs ends[2];
  IndexBits hashes[2];
};

/// \param count  the number of planes. \param index  the vertex farthest along n.
FORKMUNK_INLINE FacingEdge face_polygons(const cpFloat* const (&planes)[kLaneCount], Lanes count, IndexBits hash,
                                         Lanes index, Vecs n) noexcept {
  const Lanes zero = all_lanes(0), one = all_lanes(1.0), next = index + one;
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
  Vecs points[4];  ///< The r1 and the r2 of each contact.
  Mask overlaps[2];
};

/// Clips each edge to the other along the tangent, and keeps the pairs of opposite points at which the surfaces touch.
FORKMUNK_INLINE ContactPoints clip(const FacingEdge& edge_a, const FacingEdge& edge_b, Vecs n, Lanes radius_a,
                                   Lanes radius_b) noexcept {
  const Lanes one = all_lanes(1.0), smallest = all_lanes(CPFLOAT_MIN);
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
    found.overlaps[i] = at_most(dot(p2 - p1, n), all_lanes(0));
  }
  return found;
}

FORKMUNK_INLINE void add_edge_contacts(const FacingEdge& a, const FacingEdge& b, Vecs n, Lanes radius_a, Lanes radius_b,
                                       unsigned touching, Collision* const (&collisions)[kLaneCount]) noexcept {
  const ContactPoints found = clip(a, b, n, radius_a, radius_b);
  // A second contact without a first one becomes the first.
  const Mask has_first = found.overlaps[0];
  const Vecs r1 = select(has_first, found.points[0], found.points[2]);
  const Vecs r2 = select(has_first, found.points[1], found.points[3]);
  Collision unused;
  cpFloat *normals[kLaneCount], *points[kLaneCount], *last_points[kLaneCount];
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

/// Contacts of circles and segments are computed lane by lane, because they are few.

struct StoredVecs {
  alignas(64) cpFloat x[kLaneCount], y[kLaneCount];
  FORKMUNK_INLINE explicit StoredVecs(Vecs vecs) noexcept {
    store(x, vecs.x);
    store(y, vecs.y);
  }
  [[nodiscard]] FORKMUNK_INLINE cpVect at(int lane) const noexcept { return {x[lane], y[lane]}; }
  FORKMUNK_INLINE void set(int lane, cpVect to) noexcept { x[lane] = to.x, y[lane] = to.y; }
  [[nodiscard]] FORKMUNK_INLINE Vecs load_all() const noexcept { return {load<Lanes>(x), load<Lanes>(y)}; }
};

/// Returns whether a segment itself, and not its neighbour, collides.
FORKMUNK_INLINE bool is_own_end(const cpShape* shape, cpVect closest, cpVect n) noexcept {
  const auto& segment = *reinterpret_cast<const cpSegmentShape*>(shape);
  const cpTransform& transform = segment.shape.body->transform;
  const cpVect rotation{transform.a, transform.b};
  const auto faces = [&](cpVect end, cpVect tangent) {
    return !(closest.x == end.x && closest.y == end.y) || cpvdot(n, cpvrotate(tangent, rotation)) <= 0.0;
  };
  return faces(segment.ta, segment.a_tangent) && faces(segment.tb, segment.b_tangent);
}

FORKMUNK_INLINE void add_circle_contact(const Group& group, int lane, cpVect n, cpVect a, cpVect b,
                                        Collision& collision) noexcept {
  collision.normal = n;
  collision.points[0] = cpvadd(a, cpvmult(n, group.a.radius[lane]));
  const bool is_stock = (forkmunk_defects(group.tests[lane]->b->space) & FORKMUNK_DEFECT_ROUNDED_POLYGONS) != 0;
  const cpFloat radius = group.b.radius[lane];
  collision.points[1] = cpvadd(b, cpvmult(n, is_stock || radius == 0 ? radius : -radius));
  collision.hashes[0] = 0;
  collision.count = 1;
}

/// Adds the contacts of circles. \return the lanes of `touching` with contacts of edges; segments may leave the
/// collision to a neighbour.
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

/// Leaves segments whose contacts may not be on the surfaces to cpCollide(): is_on_surface() of defects/collision.c.
FORKMUNK_INLINE void leave_capsule_ends(const Group& group, const Closest& closest, unsigned segments,
                                        Collision* const (&collisions)[kLaneCount]) noexcept {
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    if ((segments >> lane & 1u) == 0) continue;
    Collision& collision = *collisions[lane];
    const cpFloat radius_a = group.a.radius[lane], radius_b = group.b.radius[lane], distance = closest.distance[lane];
    const cpVect* const p = collision.points;
    cpFloat deepest = std::numeric_limits<cpFloat>::infinity();
    for (int i = 0; i < collision.count; ++i) {
      const cpFloat depth = cpvdot(cpvsub(p[2 * i + 1], p[2 * i]), collision.normal);
      deepest = depth < deepest ? depth : deepest;
    }
    const auto tolerance =
        static_cast<cpFloat>(FORKMUNK_SURFACE_TOLERANCE * (__builtin_fabs(p[0].x) + __builtin_fabs(p[0].y) +
                                                           __builtin_fabs(distance) + radius_a + radius_b));
    if (collision.count == 0 || __builtin_fabs(deepest - (distance - radius_a - radius_b)) > tolerance) {
      collision.is_known = false;
    }
  }
}

FORKMUNK_INLINE FacingEdge face_rounded(const Group& group, Lanes index, Vecs n) noexcept {
  // Planes of lanes without a polygon are not used.
  const cpFloat* planes[kLaneCount];
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

FORKMUNK_INLINE const cpPolyShape& polygon_of(const cpShape& shape) noexcept {
  return reinterpret_cast<const cpPolyShape&>(shape);
}

// Moves a polygon: vertices become R v + t and normals R n. The box is that of the vertices, widened by the radius.
#ifdef FORKMUNK_SINGLE

FORKMUNK_INLINE void update_polygon(cpShape& shape, const cpTransform& transform) noexcept {
  const cpPolyShape& polygon = polygon_of(shape);
  const int count = polygon.count;
  cpSplittingPlane* const planes = polygon.planes;
  using simd::Lanes4f;
  const Lanes4f x_axis{transform.a, transform.b, transform.a, transform.b};
  const Lanes4f y_axis{transform.c, transform.d, transform.c, transform.d};
  const Lanes4f offset{transform.tx, transform.ty, -0.0f, -0.0f};
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  auto low = simd::all_lanes<Lanes4f>(kInfinity), high = simd::all_lanes<Lanes4f>(-kInfinity);
  for (int i = 0; i < count; ++i) {
    Lanes4f plane;
    __builtin_memcpy(&plane, &planes[count + i], sizeof plane);
    const Lanes4f x = __builtin_shufflevector(plane, plane, 0, 0, 2, 2);
    const Lanes4f y = __builtin_shufflevector(plane, plane, 1, 1, 3, 3);
    const Lanes4f moved = x_axis * x + y_axis * y + offset;
    __builtin_memcpy(&planes[i], &moved, sizeof moved);
    low = simd::min_of(low, moved);
    high = simd::max_of(high, moved);
  }
  shape.bb = {low[0] - polygon.r, low[1] - polygon.r, high[0] + polygon.r, high[1] + polygon.r};
}

#elif defined(FORKMUNK_SIMD_AVX2) || defined(FORKMUNK_SIMD_AVX512)

FORKMUNK_INLINE void update_polygon(cpShape& shape, const cpTransform& transform) noexcept {
  const cpPolyShape& polygon = polygon_of(shape);
  const int count = polygon.count;
  cpSplittingPlane* const planes = polygon.planes;
  const __m256d x_axis = _mm256_setr_pd(transform.a, transform.b, transform.a, transform.b);
  const __m256d y_axis = _mm256_setr_pd(transform.c, transform.d, transform.c, transform.d);
  // Adding -0 keeps every number, so a normal is not moved.
  const __m256d offset = _mm256_setr_pd(transform.tx, transform.ty, -0.0, -0.0);
  constexpr cpFloat kInfinity = std::numeric_limits<cpFloat>::infinity();
  __m256d low = _mm256_set1_pd(kInfinity), high = _mm256_set1_pd(-kInfinity);
  for (int i = 0; i < count; ++i) {
    const __m256d plane = _mm256_loadu_pd(&planes[count + i].v0.x);
    const __m256d x = _mm256_permute_pd(plane, 0x0), y = _mm256_permute_pd(plane, 0xF);
    const __m256d moved = x_axis * x + y_axis * y + offset;
    _mm256_storeu_pd(&planes[i].v0.x, moved);
    low = _mm256_min_pd(low, moved);
    high = _mm256_max_pd(high, moved);
  }
  const __m128d radius = _mm_set1_pd(polygon.r);
  _mm_storeu_pd(&shape.bb.l, _mm256_castpd256_pd128(low) - radius);
  _mm_storeu_pd(&shape.bb.r, _mm256_castpd256_pd128(high) + radius);
}

#else

FORKMUNK_INLINE void update_polygon(cpShape& shape, const cpTransform& transform) {
  shape.bb = shape.klass->cacheData(&shape, transform);
}

#endif

FORKMUNK_INLINE void prefetch(const void* first, int bytes) noexcept {
  for (int i = 0; i < bytes; i += 64) __builtin_prefetch(static_cast<const char*>(first) + i);
}

void update_shapes(cpShape* const* shapes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 8 < count) prefetch(shapes[i + 8], 256);
    if (i + 4 < count) {
      const cpShape& ahead = *shapes[i + 4];
      prefetch(&ahead.body->transform, 64);
      if (ahead.klass->type == CP_POLY_SHAPE) prefetch(polygon_of(ahead).planes, 256);
    }
    cpShape& shape = *shapes[i];
    if (shape.klass->type == CP_POLY_SHAPE) {
      update_polygon(shape, shape.body->transform);
    } else {
      shape.bb = shape.klass->cacheData(&shape, shape.body->transform);
    }
  }
}

// Products of four smaller coordinates are finite, so they cause no infinity and no NaN.
constexpr cpFloat kExtentMax = static_cast<cpFloat>(FORKMUNK_BY_PRECISION(1e70, 1e8));

FORKMUNK_INLINE void add_polygon(const cpShape* shape, int lane, Side& side) noexcept {
  const auto& polygon = *reinterpret_cast<const cpPolyShape*>(shape);
  side.first[lane] = &polygon.planes->v0.x;
  side.radius[lane] = polygon.r;
  side.count[lane] = polygon.count;
  side.hash[lane] = shape->hashid;
}

FORKMUNK_INLINE void add_points(int lane, const cpVect* first, std::ptrdiff_t stride, int count, cpFloat radius,
                                Side& side) noexcept {
  side.first[lane] = &first->x;
  side.stride[lane] = stride;
  side.count[lane] = count;
  side.radius[lane] = radius;
  side.flip[lane] = count == 2 ? 1 : 0;
}

FORKMUNK_INLINE void add_any(const PairTest& test, int lane, Side& side) noexcept {
  side.hash[lane] = test.a->hashid;
  if (test.a_type == CP_POLY_SHAPE) {
    add_polygon(test.a, lane, side);
    side.stride[lane] = Side::kPlane;
    side.flip[lane] = 0;
  } else if (test.a_type == CP_SEGMENT_SHAPE) {
    const auto& segment = *reinterpret_cast<const cpSegmentShape*>(test.a);
    add_points(lane, &segment.tb, &segment.ta.x - &segment.tb.x, 2, segment.r, side);
  } else {
    const auto& circle = *reinterpret_cast<const cpCircleShape*>(test.a);
    add_points(lane, &circle.tc, 0, 1, circle.r, side);
  }
}

template <int kCount, bool kPolygons>
FORKMUNK_INLINE void load_vertices(const Side& side, Vertices<kCount>& vertices, Lanes& extent) noexcept {
  for (int i = 0; i < kCount; ++i) {
    Rows points;
    for (int lane = 0; lane < kLaneCount; ++lane) {
      const int index = (kPolygons && i < kKernelVertexCountMin) || i < side.count[lane] ? i : 0;
      points.of[lane] = side.first[lane] + index * (kPolygons ? Side::kPlane : side.stride[lane]);
    }
    vertices.at[i] = load_points(points);
    extent = extent + absolute(vertices.at[i].x) + absolute(vertices.at[i].y);
  }
}

// Returns the point with these indices: a's, times 256, and b's.
template <bool kPolygons, typename AnyShapes>
FORKMUNK_INLINE Point earlier_point(const Group& group, const AnyShapes& shapes, IndexBits indices) noexcept {
  auto a = (Indices)(indices >> 8 & 0xFF), b = (Indices)(indices & 0xFF);
  if constexpr (!kPolygons) a ^= (Indices)group.a.flip;
  a &= a < group.a.count;
  b &= b < group.b.count;
  return {pick(shapes.b, lanes_of(b)) - pick(shapes.a, lanes_of(a)), lanes_of(a * 256 + b)};
}

// Returns the edge of the last test, or for a new pair the vertices farthest across the line between the centres of the
// boxes.
template <bool kPolygons, typename AnyShapes>
FORKMUNK_INLINE Edge start(const Group& group, const AnyShapes& shapes, Lanes& extent) noexcept {
  Edge edge{earlier_point<kPolygons>(group, shapes, group.id >> 16), earlier_point<kPolygons>(group, shapes, group.id)};
  const Mask is_new = equal(lanes_of((Indices)group.id), all_lanes(0));
  if (bits_of(is_new) == 0) return edge;
  alignas(64) cpFloat x[kLaneCount], y[kLaneCount];
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const cpVect a_centre = cpBBCenter(group.tests[lane]->a->bb), b_centre = cpBBCenter(group.tests[lane]->b->bb);
    x[lane] = -(a_centre.y - b_centre.y);
    y[lane] = a_centre.x - b_centre.x;
  }
  const Vecs axis{load<Lanes>(x), load<Lanes>(y)};
  // The box may be larger than its shape, and may be wrong.
  extent = extent + select(is_new, absolute(axis.x) + absolute(axis.y), all_lanes(0));
  edge.v0 = select_point(is_new, support(shapes, axis), edge.v0);
  edge.v1 = select_point(is_new, support(shapes, -axis), edge.v1);
  return edge;
}

template <bool kPolygons, typename AnyShapes>
FORKMUNK_INLINE void find_contacts(const Group& group, const AnyShapes& shapes, const Edge& edge, Mask known,
                                   int count) noexcept {
  const Closest closest = closest_on(edge);
  known = except(known, closest.is_point);
  auto id = bits_of(indices_of(edge.v0.id)) << 16 | bits_of(indices_of(edge.v1.id));
  if constexpr (!kPolygons) id ^= group.a.flip * 0x01000100u;
  const unsigned known_bits = bits_of(known);
  unsigned circles = 0, rounded = 0;
  Collision* collisions[kLaneCount];
  FORKMUNK_ROLLED
  for (int lane = 0; lane < kLaneCount; ++lane) {
    const PairTest& test = *group.tests[lane];
    Collision& collision = *test.collision;
    collisions[lane] = &collision;
    collision.id = id[lane];
    collision.is_known = (known_bits >> lane & 1u) != 0;
    collision.count = 0;
    if constexpr (!kPolygons) {
      circles |= (test.a_type == CP_CIRCLE_SHAPE ? 1u : 0u) << lane;
      rounded |= (test.a_type != CP_POLY_SHAPE ? 1u : 0u) << lane;
    }
  }
  const Lanes radius_a = load<Lanes>(group.a.radius), radius_b = load<Lanes>(group.b.radius);
  // Edges have two tests, circles one: rounding may make them differ.
  const unsigned near = bits_of(both_of(known, at_most(closest.distance, radius_a + radius_b))) & ((1u << count) - 1u);
  const unsigned overlap = bits_of(at_most(closest.distance - radius_a - radius_b, all_lanes(0)));
  unsigned touching = near & (overlap | circles);
  if ((touching & rounded) != 0) touching = handle_rounded(group, shapes, edge, closest, touching, collisions);
  if (touching == 0) return;
  const Vecs n = closest.normal;
  const Lanes index = farthest(shapes.a, n).index;
  // A circle has no room for a plane, and lanes that do not touch are read too.
  const FacingEdge a = rounded != 0 ? face_rounded(group, index, n)
                                    : face_polygons(group.a.first, lanes_of(group.a.count), group.a.hash, index, n);
  const FacingEdge b =
      face_polygons(group.b.first, lanes_of(group.b.count), group.b.hash, farthest(shapes.b, -n).index, -n);
  add_edge_contacts(a, b, n, radius_a, radius_b, touching, collisions);
  if ((touching & rounded) != 0) leave_capsule_ends(group, closest, touching & rounded, collisions);
}

template <int kCountA, int kCountB, bool kPolygons>
FORKMUNK_INLINE void test_group(const Group& group, int count) noexcept {
  Shapes<kCountA, kCountB> shapes;
  Lanes extent = all_lanes(0);
  load_vertices<kCountB, true>(group.b, shapes.b, extent);
  load_vertices<kCountA, kPolygons>(group.a, shapes.a, extent);
  const Edge first = start<kPolygons>(group, shapes, extent);
  Edge edge;
  Mask known = search(shapes, first.v0, first.v1, edge);
  extent = extent + absolute(load<Lanes>(group.a.radius)) + absolute(load<Lanes>(group.b.radius));
  known = both_of(known, less(extent, all_lanes(kExtentMax)));
  find_contacts<kPolygons>(group, shapes, edge, known, count);
}

template <int kCountA, int kCountB, bool kPolygons>
void test_pairs(const PairTest* tests, std::size_t count) {
  for (std::size_t first = 0; first < count; first += kLanes) {
    Group group;
    FORKMUNK_ROLLED
    for (int lane = 0; lane < kLaneCount; ++lane) {
      const std::size_t i = first + static_cast<std::size_t>(lane);
      const PairTest& test = tests[i < count ? i : count - 1];
      group.tests[lane] = &test;
      group.id[lane] = test.id;
      if constexpr (kPolygons) {
        add_polygon(test.a, lane, group.a);
      } else {
        add_any(test, lane, group.a);
      }
      add_polygon(test.b, lane, group.b);
    }
    const std::size_t left = count - first;
    test_group<kCountA, kCountB, kPolygons>(group, static_cast<int>(left < kLanes ? left : kLanes));
  }
}

}  // namespace

extern const CollisionKernels kCollisionKernels;
#ifdef __wasm__
const CollisionKernels kCollisionKernels{
    {&test_pairs<4, 4, false>, nullptr, &test_pairs<4, 4, false>, nullptr}, kLaneCount, &update_shapes};
#else
const CollisionKernels kCollisionKernels{
    {&test_pairs<4, 4, true>, &test_pairs<8, 8, true>, &test_pairs<2, 4, false>, &test_pairs<2, 8, false>},
    kLaneCount,
    &update_shapes};
#endif

FORKMUNK_KERNEL_END
