#pragma once

#include "fast/collision_lanes.h"

#include <cfloat>
#include <limits>

/// The closest points of two convex shapes in each lane: GJK while they are apart, EPA when they overlap, in the order
/// of evaluation of Chipmunk's cpCollision.c. Both search the Minkowski difference b - a for its point nearest to 0.
FORKMUNK_FAST_BEGIN

inline constexpr int kGjkIterationsMax = 30;

/// The vertices of a shape in each lane. A lane's shape that has fewer repeats its first: only a vertex that is farther
/// than those before it is chosen.
template <int kCount>
struct Vertices {
  Vecs at[kCount];
};

template <int kCountA, int kCountB>
struct Shapes {
  Vertices<kCountA> a;
  Vertices<kCountB> b;
};

/// A vertex and its index as a number.
struct SupportPoint {
  Vecs at;
  Lanes index;
};

/// A point of the difference; id is 256 a's index + b's index.
struct Point {
  Vecs at;
  Lanes id;
};

/// An edge of the difference.
struct Edge {
  Point v0, v1;
};

template <int kCount>
FORKMUNK_INLINE SupportPoint farthest(const Vertices<kCount>& vertices, Vecs n) noexcept {
  SupportPoint found{vertices.at[0], all_lanes(0.0)};
  Lanes best = dot(vertices.at[0], n);
  for (int i = 1; i < kCount; ++i) {
    const Lanes along = dot(vertices.at[i], n);
    const Mask farther = less(best, along);
    best = max_of(along, best);
    found.at = select(farther, vertices.at[i], found.at);
    found.index = select(farther, all_lanes(i), found.index);
  }
  return found;
}

/// The vertex of an index.
template <int kCount>
FORKMUNK_INLINE Vecs pick(const Vertices<kCount>& vertices, Lanes index) noexcept {
  Vecs found = vertices.at[0];
  for (int i = 1; i < kCount; ++i) found = select(equal(index, all_lanes(i)), vertices.at[i], found);
  return found;
}

template <typename AnyShapes>
FORKMUNK_INLINE Point support(const AnyShapes& shapes, Vecs n) noexcept {
  const SupportPoint a = farthest(shapes.a, -n), b = farthest(shapes.b, n);
  return {b.at - a.at, a.index * all_lanes(256.0) + b.index};
}

FORKMUNK_INLINE Point select(Mask mask, const Point& a, const Point& b) noexcept {
  return {select(mask, a.at, b.at), select(mask, a.id, b.id)};
}

/// Whether c lies left of a->b.
FORKMUNK_INLINE Mask left_of(const Point& a, const Point& b, const Point& c) noexcept {
  const Lanes two = all_lanes(2.0);
  const Vecs delta = b.at - a.at, sum = a.at + b.at;
  return less(delta.x * (sum.y - two * c.at.y), delta.y * (sum.x - two * c.at.x));
}
/// The same of c = 0.
FORKMUNK_INLINE Mask left_of_zero(const Point& a, const Point& b) noexcept {
  const Vecs delta = b.at - a.at, sum = a.at + b.at;
  return less(delta.x * sum.y, delta.y * sum.x);
}

/// The t in [-1, 1] for which lerp(a, b, t) is nearest to 0.
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

/// Where a support point of an edge of the hull ends the search: it is an end of the edge, or not beyond it.
FORKMUNK_INLINE Mask ends_at(const Edge& edge, const Point& p) noexcept {
  const Mask known = either(equal(p.id, edge.v0.id), equal(p.id, edge.v1.id));
  return either(known, except(every_lane(), left_of(edge.v0, edge.v1, p)));
}

/// Replaces `edge` where `candidate` is nearer.
FORKMUNK_INLINE Mask take_nearer(Lanes distance, const Point& v0, const Point& v1, Lanes& least, Edge& edge) noexcept {
  const Mask nearer = less(distance, least);
  least = select(nearer, distance, least);
  edge.v0 = select(nearer, v0, edge.v0);
  edge.v1 = select(nearer, v1, edge.v1);
  return nearer;
}

/// The third step of EPA: of the hull `edge`, c, d and the new point p. \return the lanes where `edge` is the result.
template <typename AnyShapes>
FORKMUNK_INLINE Mask expand_last(const AnyShapes& shapes, const Point& p, const Point& c, const Point& d,
                                 Edge& edge) noexcept {
  const Point a = edge.v0, b = edge.v1;
  const Mask is_whole = both(both(left_of(p, c, b), left_of(b, d, c)), both(left_of(c, a, d), left_of(d, p, a)));
  edge = {a, p};
  Lanes least = distance_squared(a, p);
  take_nearer(distance_squared(p, b), p, b, least, edge);
  take_nearer(distance_squared(b, c), b, c, least, edge);
  take_nearer(distance_squared(c, d), c, d, least, edge);
  take_nearer(distance_squared(d, a), d, a, least, edge);
  return both(is_whole, ends_at(edge, support(shapes, perpendicular(edge.v1.at - edge.v0.at))));
}

/// EPA from the triangle v0, p, v1 around 0, of at most three steps. \return the lanes where `edge` is its result.
template <typename AnyShapes>
FORKMUNK_INLINE Mask expand(const AnyShapes& shapes, Mask inside, const Point& v0, const Point& p, const Point& v1,
                            Edge& edge) noexcept {
  const Lanes d0 = distance_squared(v0, p), d1 = distance_squared(p, v1), d2 = distance_squared(v1, v0);
  // The nearest edge, the point opposite to it, and the distances of the other edges, which a step does not change.
  edge = {v1, v0};
  Point opposite = p;
  Lanes least = d2, after = d0, before = d1;
  Mask nearer = take_nearer(d0, v0, p, least, edge);
  opposite = select(nearer, v1, opposite);
  after = select(nearer, d1, after);
  before = select(nearer, d2, before);
  nearer = take_nearer(d1, p, v1, least, edge);
  opposite = select(nearer, v0, opposite);
  after = select(nearer, d2, after);
  before = select(nearer, d0, before);
  const Point q = support(shapes, perpendicular(edge.v1.at - edge.v0.at));
  const Mask more = except(inside, ends_at(edge, q));
  if (bits_of(more) == 0) return inside;

  // The hull of four points q, edge.v1, opposite, edge.v0; where one of them is dropped the lane is given up.
  const Mask is_whole =
      both(both(left_of(q, opposite, edge.v1), left_of(edge.v1, edge.v0, opposite)), left_of(opposite, q, edge.v0));
  Edge next{edge.v0, q};
  Lanes least_next = distance_squared(edge.v0, q);
  const Mask is_second = take_nearer(distance_squared(q, edge.v1), q, edge.v1, least_next, next);
  const Mask is_third = take_nearer(after, edge.v1, opposite, least_next, next);
  const Mask is_fourth = take_nearer(before, opposite, edge.v0, least_next, next);
  const Point last = support(shapes, perpendicular(next.v1.at - next.v0.at));
  Mask ended = both(is_whole, ends_at(next, last));
  const Mask again = both(more, except(is_whole, ended));
  if (bits_of(again) != 0) {
    // The hull's points after those of `next`.
    const Point third = select(is_fourth, q, select(is_third, edge.v0, select(is_second, opposite, edge.v1)));
    const Point fourth = select(is_fourth, edge.v1, select(is_third, q, select(is_second, edge.v0, opposite)));
    Edge nearest = next;
    ended = either(ended, both(again, expand_last(shapes, last, third, fourth, nearest)));
    next.v0 = select(again, nearest.v0, next.v0);
    next.v1 = select(again, nearest.v1, next.v1);
  }
  edge.v0 = select(more, next.v0, edge.v0);
  edge.v1 = select(more, next.v1, edge.v1);
  return except(inside, except(more, ended));
}

/// GJK from the edge v0, v1, then EPA where it finds 0 inside. \return the lanes where `edge` is the result.
template <typename AnyShapes>
FORKMUNK_INLINE Mask search(const AnyShapes& shapes, Point v0, Point v1, Edge& edge) noexcept {
  Mask active = every_lane(), inside = no_lane();
  Point around = v0;  // of a triangle around 0: the vertex opposite the edge
  edge = {v0, v1};
  for (int i = 0; i < kGjkIterationsMax; ++i) {
    const Mask is_behind = left_of_zero(v1, v0);
    const Point swapped = select(is_behind, v1, v0);
    v1 = select(is_behind, v0, v1);
    v0 = swapped;
    const Vecs delta = v1.at - v0.at;
    const Lanes along = dot(delta, v0.at + v1.at), length_squared = dot(delta, delta);
    // -1 < t < 1 without the division: a quotient, rounded, is less than 1 in size exactly when |along| is the less.
    const Mask on_edge = both(less(-length_squared, along), less(along, length_squared));
    Vecs n = perpendicular(delta);
    if (bits_of(except(active, on_edge)) != 0) {
      n = select(on_edge, n, -lerp_t(v0.at, v1.at, closest_t(along, length_squared)));
    }
    const Point p = support(shapes, n);
    const Mask around_zero = both(active, both(left_of_zero(p, v0), left_of_zero(v1, p)));
    const Mask is_nearest = at_most(dot(p.at, n), max_of(dot(v0.at, n), dot(v1.at, n)));
    const Mask ended = both(active, either(around_zero, is_nearest));
    edge.v0 = select(ended, v0, edge.v0);
    edge.v1 = select(ended, v1, edge.v1);
    around = select(around_zero, p, around);
    inside = either(inside, around_zero);
    active = except(active, ended);
    if (bits_of(active) == 0) break;
    const Mask first = less(distance_squared(v0, p), distance_squared(p, v1));
    v1 = select(first, p, v1);
    v0 = select(first, v0, p);
  }
  edge.v0 = select(active, v0, edge.v0);
  edge.v1 = select(active, v1, edge.v1);
  if (bits_of(inside) == 0) return every_lane();
  Edge nearest;
  const Mask known = expand(shapes, inside, edge.v0, around, edge.v1, nearest);
  edge.v0 = select(inside, nearest.v0, edge.v0);
  edge.v1 = select(inside, nearest.v1, edge.v1);
  return either(known, except(every_lane(), inside));
}

/// The closest points of the edge's shapes: on the edge at t, at distance along the normal.
struct Closest {
  Lanes t, distance;
  Vecs normal;
};

FORKMUNK_INLINE Closest closest_on(const Edge& edge) noexcept {
  const Lanes one = all_lanes(1.0), smallest = all_lanes(DBL_MIN);
  const Vecs delta = edge.v1.at - edge.v0.at;
  const Lanes t = closest_t(dot(delta, edge.v0.at + edge.v1.at), dot(delta, delta));
  const Vecs p = lerp_t(edge.v0.at, edge.v1.at, t);
  const Vecs across{delta.y, -delta.x};
  const Vecs normal = across * (one / (square_root(dot(across, across)) + smallest));
  const Lanes distance = dot(normal, p);
  const Mask is_edge = either(at_most(distance, all_lanes(0.0)), both(less(-one, t), less(t, one)));
  if (bits_of(is_edge) == bits_of(every_lane())) return {t, distance, normal};
  const Lanes length = square_root(dot(p, p));
  return {t, select(is_edge, distance, length), select(is_edge, normal, p * (one / (length + smallest)))};
}

FORKMUNK_FAST_END
