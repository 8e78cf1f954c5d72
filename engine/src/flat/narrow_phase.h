// SPDX-License-Identifier: MIT
#pragma once

#include "flat/live_state.h"
#include "flat/model.h"
#include "flat/vector.h"

#include <forkmunk/base/check.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

/// GJK (Gilbert, Johnson, Keerthi 1988) computes the closest points of two convex shapes while they are apart, and EPA
/// (van den Bergen 2001) when they overlap, in Chipmunk's order of evaluation. Both search the Minkowski difference B -
/// A for the point nearest to 0. A pair's search starts at the two final support points of its last search, so results
/// depend on the past: no search may be skipped or shortened.
FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

inline constexpr int kGjkIterationsMax = 30;
inline constexpr int kEpaIterationsMax = 30;

struct SupportPoint {
  Lanes point;
  std::uint32_t index;
};

/// Shapes for distances, in world coordinates, with farthest(direction) and at(index). Radii are subtracted later.
struct PointSupport {
  Vec centre;
  [[nodiscard]] SupportPoint farthest(Lanes) const noexcept { return {Lanes{centre.x, centre.y}, 0}; }
  [[nodiscard]] SupportPoint at(std::uint32_t) const noexcept { return {Lanes{centre.x, centre.y}, 0}; }
};

struct SegmentSupport {
  std::array<Lanes, 2> ends;
  [[nodiscard]] SupportPoint farthest(Lanes n) const noexcept {
    const std::uint32_t index = dot_of(ends[0], n) > dot_of(ends[1], n) ? 0 : 1;
    return {ends[index], index};
  }
  [[nodiscard]] SupportPoint at(std::uint32_t index) const noexcept { return {ends[index == 0 ? 0 : 1], index}; }
};

/// Padded like Polygon.
struct WorldPolygon {
  alignas(WideLanes) std::array<double, kPolygonVertexCountMax> x;
  alignas(WideLanes) std::array<double, kPolygonVertexCountMax> y;
  std::uint32_t count;
  Vec rotation;
  const Polygon* model;

  [[nodiscard]] Vec vertex(std::size_t index) const noexcept { return {x[index], y[index]}; }
  [[nodiscard]] Vec normal(std::size_t index) const noexcept { return rotated(model->normals[index], rotation); }

  /// Returns the first of equally far vertices.
  [[nodiscard]] std::uint32_t farthest_index(Lanes n) const noexcept {
    if (count <= kPolygonPadding) return farthest_of_eight(n);
    const Lanes nx = all_lanes<Lanes>(n[0]), ny = all_lanes<Lanes>(n[1]);
    const auto along = [&](std::size_t i) { return load(&x[i]) * nx + load(&y[i]) * ny; };
    std::array<Lanes, kPolygonVertexCountMax / 2> distances;
    Lanes farthest = all_lanes<Lanes>(-std::numeric_limits<double>::infinity());
    for (std::uint32_t i = 0; i < count; i += 2) {
      const Lanes d = along(i);
      distances[i / 2] = d;
      farthest = max_of(d, farthest);
    }
    farthest = max_of(farthest, Lanes{farthest[1], farthest[0]});
    // Branchless, because the result is unpredictable.
    std::uint32_t equals = 0;
    for (std::uint32_t i = 0; i < count; i += 2) equals |= bits_of(equal(distances[i / 2], farthest)) << i;
    return equals == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(equals));
  }
  [[nodiscard]] std::uint32_t farthest_of_eight(Lanes n) const noexcept {
    const auto along = [&](std::size_t i) {
      return load<WideLanes>(&x[i]) * all_lanes<WideLanes>(n[0]) + load<WideLanes>(&y[i]) * all_lanes<WideLanes>(n[1]);
    };
    // Both maxima have the same order of operands, which matters for NaN.
#ifdef FORKMUNK_SIMD_AVX2
    const Lanes4 d0 = along(0), d1 = along(4), pairwise = max_of(d0, d1);
    const Lanes even_odd = max_of(pair_of<0>(pairwise), pair_of<1>(pairwise));
    const Lanes farthest = max_of(even_odd, Lanes{even_odd[1], even_odd[0]});
    const Lanes4 twice = joined<Lanes4>([&](std::size_t) { return farthest; });
    const std::uint32_t equals = bits_of(equal(d0, twice)) | bits_of(equal(d1, twice)) << 4;
#else
    const Lanes d0 = along(0), d1 = along(2), d2 = along(4), d3 = along(6);
    const Lanes even_odd = max_of(max_of(d0, d2), max_of(d1, d3));
    const Lanes farthest = max_of(even_odd, Lanes{even_odd[1], even_odd[0]});
    const std::uint32_t equals = bits_of(equal(d0, farthest)) | bits_of(equal(d1, farthest)) << 2 |
                                 bits_of(equal(d2, farthest)) << 4 | bits_of(equal(d3, farthest)) << 6;
#endif
    return equals == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(equals));
  }
  [[nodiscard]] SupportPoint farthest(Lanes n) const noexcept {
    const std::uint32_t index = farthest_index(n);
    return {Lanes{x[index], y[index]}, index};
  }
  [[nodiscard]] SupportPoint at(std::uint32_t index) const noexcept {
    const std::uint32_t i = index < count ? index : 0;
    return {Lanes{x[i], y[i]}, i};
  }
};

/// The difference b - a of two shapes' points, and both their indices.
struct MinkowskiPoint {
  Lanes ab;
  std::uint32_t id;

  MinkowskiPoint() = default;
  MinkowskiPoint(Lanes at, std::uint32_t name) noexcept : ab(at), id(name) {}
  // Copied one by one, because a copy of the whole point stalls on the store of its id.
  MinkowskiPoint(const MinkowskiPoint& other) noexcept : ab(other.ab), id(other.id) {}
  MinkowskiPoint& operator=(const MinkowskiPoint& other) noexcept {
    ab = other.ab;
    id = other.id;
    return *this;
  }
};

struct Closest {
  Vec normal;       ///< From A to B.
  double distance;  ///< Negative when the shapes overlap.
  /// The nearest point's on the edge; see nearest_points().
  double t;
  std::uint32_t id;  ///< The edge, at which the pair's next search starts.
};

inline MinkowskiPoint minkowski(SupportPoint a, SupportPoint b) noexcept {
  return {b.point - a.point, (a.index & 0xFF) << 8 | (b.index & 0xFF)};
}

template <typename A, typename B>
MinkowskiPoint support(const A& a, const B& b, Lanes n) noexcept {
  return minkowski(a.farthest(-n), b.farthest(n));
}

/// Returns whether (b - a) x (c - (a + b) / 2) > 0, doubled.
inline bool left_of(Lanes a, Lanes b, Lanes c) noexcept {
  const Lanes delta = b - a, sum = a + b - 2.0 * c;
  return delta[1] * sum[0] > delta[0] * sum[1];
}
inline bool left_of_zero(Lanes a, Lanes b) noexcept {
  const Lanes delta = b - a, sum = a + b;
  return delta[1] * sum[0] > delta[0] * sum[1];
}

/// Returns the t in [-1, 1] for which a (1 - t) / 2 + b (1 + t) / 2 is nearest to 0, from b - a and a + b.
inline double closest_t(Lanes delta, Lanes sum) noexcept {
  return -clamp(dot_of(delta, sum) / dot_of(delta, delta), -1.0, 1.0);
}
inline Lanes lerp_t(Lanes a, Lanes b, double t) noexcept {
  const double half = 0.5 * t;
  return a * (0.5 - half) + b * (0.5 + half);
}
inline double closest_distance_squared(Lanes a, Lanes b) noexcept {
  const Lanes p = lerp_t(a, b, closest_t(b - a, a + b));
  return dot_of(p, p);
}

struct DifferenceEdge {
  MinkowskiPoint v0, v1;
  Lanes delta;
  double t;
  /// Is -1 < t < 1, without waiting for the division: |a / b| < 1, rounded or not, if and only if |a| < b.
  bool is_inside;

  DifferenceEdge(const MinkowskiPoint& a, const MinkowskiPoint& b) noexcept
      : DifferenceEdge(a, b, b.ab - a.ab, a.ab + b.ab) {}
  /// Reverses the edge if 0 is behind it.
  [[nodiscard]] static DifferenceEdge facing_zero(const MinkowskiPoint& a, const MinkowskiPoint& b) noexcept {
    const Lanes delta = b.ab - a.ab, sum = a.ab + b.ab;
    return delta[1] * sum[0] < delta[0] * sum[1] ? DifferenceEdge(b, a, -delta, sum) : DifferenceEdge(a, b, delta, sum);
  }
  [[nodiscard]] Lanes nearest() const noexcept { return lerp_t(v0.ab, v1.ab, t); }

 private:
  DifferenceEdge(const MinkowskiPoint& a, const MinkowskiPoint& b, Lanes d, Lanes sum) noexcept
      : v0(a), v1(b), delta(d), t(closest_t(d, sum)), is_inside(std::abs(dot_of(d, sum)) < dot_of(d, d)) {}
};

/// The normal is the edge's if the shapes overlap or the nearest point is inside the edge; otherwise it leads to that
/// point.
inline Closest closest_on_edge(const DifferenceEdge& edge) noexcept {
  const std::uint32_t id = (edge.v0.id & 0xFFFF) << 16 | (edge.v1.id & 0xFFFF);
  const double t = edge.t;
  const Lanes p = edge.nearest();
  const Vec normal = normalized({edge.delta[1], -edge.delta[0]});
  const double distance = dot(normal, {p[0], p[1]});
  if (distance <= 0 || edge.is_inside) return {normal, distance, t, id};
  const double from_point = std::sqrt(dot_of(p, p));
  return {Vec{p[0], p[1]} * (1.0 / (from_point + DBL_MIN)), from_point, t, id};
}

template <typename A, typename B>
std::pair<Vec, Vec> nearest_points(const A& a, const B& b, const Closest& closest) noexcept {
  const std::uint32_t id = closest.id;
  const Lanes on_a = lerp_t(a.at(id >> 24 & 0xFF).point, a.at(id >> 8 & 0xFF).point, closest.t);
  const Lanes on_b = lerp_t(b.at(id >> 16 & 0xFF).point, b.at(id & 0xFF).point, closest.t);
  return {{on_a[0], on_a[1]}, {on_b[0], on_b[1]}};
}

/// Grows a hull of the difference from a triangle around 0 until its edge nearest to 0 is an edge of the difference.
template <typename A, typename B>
Closest expand(const A& a, const B& b, const MinkowskiPoint& v0, const MinkowskiPoint& v1,
               const MinkowskiPoint& v2) noexcept {
  // Each hull has at most one point more than the last.
  std::array<std::array<MinkowskiPoint, 3 + kEpaIterationsMax>, 2> hulls;
  std::size_t current = 0;
  std::size_t count = 3;
  hulls[0][0] = v0;
  hulls[0][1] = v1;
  hulls[0][2] = v2;
  for (int iteration = 1;; ++iteration) {
    const auto& hull = hulls[current];
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0, i = count - 1; j < count; i = j, ++j) {
      const double d = closest_distance_squared(hull[i].ab, hull[j].ab);
      if (d < least) {
        least = d;
        nearest = i;
      }
    }
    const auto after = [count](std::size_t i) { return i + 1 == count ? 0 : i + 1; };
    const MinkowskiPoint& e0 = hull[nearest];
    const MinkowskiPoint& e1 = hull[after(nearest)];
    const MinkowskiPoint p = support(a, b, turned_left(e1.ab - e0.ab));
    const bool duplicate = p.id == e0.id || p.id == e1.id;
    if (duplicate || !left_of(e0.ab, e1.ab, p.ab) || iteration >= kEpaIterationsMax) {
      return closest_on_edge(DifferenceEdge(e0, e1));
    }
    FORKMUNK_CHECK_DEEP(count < hull.size(), "a hull of %zu points after %d iterations", count, iteration);
    auto& next = hulls[1 - current];
    std::size_t next_count = 1;
    next[0] = p;
    std::size_t index = after(nearest);
    for (std::size_t i = 0; i < count; ++i, index = after(index)) {
      const Lanes h0 = next[next_count - 1].ab;
      const Lanes h1 = hull[index].ab;
      const Lanes h2 = i + 1 < count ? hull[after(index)].ab : p.ab;
      if (left_of(h0, h2, h1)) next[next_count++] = hull[index];
    }
    current = 1 - current;
    count = next_count;
  }
}

/// \param id  Closest::id of the pair's last search, 0 if there was none. \param a_box, b_box  the shapes' boxes.
template <typename A, typename B>
Closest closest_points(const A& a, const B& b, std::uint32_t id, const Box& a_box, const Box& b_box) noexcept {
  MinkowskiPoint v0, v1;
  if (id != 0) {
    v0 = minkowski(a.at(id >> 24 & 0xFF), b.at(id >> 16 & 0xFF));
    v1 = minkowski(a.at(id >> 8 & 0xFF), b.at(id & 0xFF));
  } else {
    const Lanes axis = turned_left(centre(a_box) - centre(b_box));
    v0 = support(a, b, axis);
    v1 = support(a, b, -axis);
  }
  for (int iteration = 1; iteration <= kGjkIterationsMax; ++iteration) {
    const DifferenceEdge edge = DifferenceEdge::facing_zero(v0, v1);
    v0 = edge.v0;
    v1 = edge.v1;
    const Lanes n = edge.is_inside ? turned_left(edge.delta) : -edge.nearest();
    const MinkowskiPoint p = support(a, b, n);
    // An end of the edge would fail the tests below. Which end is unpredictable, so one branch tests both.
    if (std::min(p.id ^ v0.id, p.id ^ v1.id) == 0) return closest_on_edge(edge);
    if (left_of_zero(p.ab, v0.ab) && left_of_zero(v1.ab, p.ab)) return expand(a, b, v0, p, v1);  // 0 is inside
    if (dot_of(p.ab, n) <= max_of(dot_of(v0.ab, n), dot_of(v1.ab, n))) {                         // nothing is nearer
      return closest_on_edge(edge);
    }
    if (closest_distance_squared(v0.ab, p.ab) < closest_distance_squared(p.ab, v1.ab)) {
      v1 = p;
    } else {
      v0 = p;
    }
  }
  return closest_on_edge(DifferenceEdge(v0, v1));
}

struct Manifold {
  struct Point {
    Vec a, b;            ///< Surface points in world coordinates.
    std::uint32_t hash;  ///< Identifies the features in the next step.
  };
  int count = 0;
  Vec normal;                   ///< From the first shape to the second.
  std::array<Point, 2> points;  ///< Two for two edges, one if a shape is round.

  void add(Vec a, Vec b, std::uint32_t hash) noexcept {
    FORKMUNK_CHECK_DEEP(count < static_cast<int>(points.size()), "a contact of %d points", count + 1);
    points[static_cast<std::size_t>(count++)] = {a, b, hash};
  }
};

struct Circle {
  Vec centre;
  double radius;
};

struct PolygonShape {
  const WorldPolygon& polygon;
  const Box& box;
  std::uint32_t shape_id;
};
struct SegmentShape {
  const StaticSegment& segment;
  std::uint32_t shape_id;
};

// Return whether the shapes touch, and if so fill `manifold`. `id` is the pair's Closest::id.
bool collide(const Circle& a, const Circle& b, Manifold& manifold) noexcept;
bool collide(const Circle& a, const StaticSegment& b, Manifold& manifold) noexcept;
bool collide(const Circle& a, const Box& a_box, const PolygonShape& b, std::uint32_t& id, Manifold& manifold) noexcept;
bool collide(const SegmentShape& a, const PolygonShape& b, std::uint32_t& id, Manifold& manifold) noexcept;
bool collide(const PolygonShape& a, const PolygonShape& b, std::uint32_t& id, Manifold& manifold) noexcept;

// The distance is negative inside.
[[nodiscard]] double distance_to(const Circle& circle, Vec point) noexcept;
[[nodiscard]] double distance_to(const StaticSegment& segment, Vec point) noexcept;
[[nodiscard]] double distance_to(const WorldPolygon& polygon, Vec point) noexcept;

/// \return the box of the transformed polygon.
Box to_world(const Polygon& polygon, Vec rotation, Vec origin, WorldPolygon& result) noexcept;

struct WorldShapes {
  WorldShapes(const MatchModel& model, const LiveState& state) noexcept;

  std::array<Box, kMovingShapeCount> boxes;
  std::array<WorldPolygon, kMovingShapeCount> polygons;  ///< Unset for round wheels.
  std::array<Circle, kMovingShapeCount> circles;         ///< Set for round wheels.
};

FORKMUNK_KERNEL_END
