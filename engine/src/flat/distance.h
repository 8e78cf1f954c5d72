#pragma once

#include "flat/model.h"

#include <limits>

/// The distance of two convex shapes: GJK (Gilbert, Johnson, Keerthi 1988) while they are apart, EPA (van den Bergen
/// 2001) when they overlap, in Chipmunk's order of evaluation.
///
/// Both look at the Minkowski difference B - A: its point nearest to 0 is the shortest way from A to B. A support point
/// is the farthest point in a direction. The search starts at the two support points that the last search of the same
/// pair ended with, and so its result depends on the past: a search is never left out, and never cut short.
namespace forkmunk::engine::flat {

inline constexpr int kGjkIterationsMax = 30;
inline constexpr int kEpaIterationsMax = 30;

/// A point of a shape, and which one of its points it is.
struct SupportPoint {
  Vec2 point;
  std::uint32_t index = 0;
};

/// The shapes that distances are taken of, in world coordinates: farthest(direction) and at(index). Radii come later.
struct PointSupport {
  Vec2 centre;
  [[nodiscard]] SupportPoint farthest(Vec2) const noexcept { return {centre, 0}; }
  [[nodiscard]] SupportPoint at(std::uint32_t) const noexcept { return {centre, 0}; }
};

struct SegmentSupport {
  Vec2 a, b;
  [[nodiscard]] SupportPoint farthest(Vec2 n) const noexcept {
    return dot(a, n) > dot(b, n) ? SupportPoint{a, 0} : SupportPoint{b, 1};
  }
  [[nodiscard]] SupportPoint at(std::uint32_t index) const noexcept { return {index == 0 ? a : b, index}; }
};

/// A polygon that has been moved to where its body is.
struct PlacedPolygon {
  std::size_t count = 0;
  std::array<Vec2, kPolygonVertexCountMax> vertices;
  Vec2 rotation;
  const Polygon* model = nullptr;

  /// Of equally far vertices the first.
  [[nodiscard]] std::uint32_t farthest_index(Vec2 n) const noexcept {
    double farthest = -std::numeric_limits<double>::infinity();
    std::uint32_t index = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const double d = dot(vertices[i], n);
      if (d > farthest) {
        farthest = d;
        index = i;
      }
    }
    return index;
  }
  [[nodiscard]] SupportPoint farthest(Vec2 n) const noexcept {
    const std::uint32_t index = farthest_index(n);
    return {vertices[index], index};
  }
  [[nodiscard]] SupportPoint at(std::uint32_t index) const noexcept {
    const std::uint32_t i = index < count ? index : 0;
    return {vertices[i], i};
  }
  [[nodiscard]] Vec2 normal(std::size_t index) const noexcept { return rotated(model->normals[index], rotation); }
};

/// Points a and b of two shapes, b - a, and both indices.
struct MinkowskiPoint {
  Vec2 a, b;
  Vec2 ab;
  std::uint32_t id = 0;
};

/// What a search ends with.
struct Closest {
  Vec2 a, b;             ///< The nearest points of the two shapes.
  Vec2 normal;           ///< From A to B.
  double distance = 0;   ///< Negative when they overlap.
  std::uint32_t id = 0;  ///< Where the next search of the pair begins.
};

inline MinkowskiPoint minkowski(SupportPoint a, SupportPoint b) noexcept {
  return {a.point, b.point, b.point - a.point, (a.index & 0xFF) << 8 | (b.index & 0xFF)};
}

template <typename A, typename B>
MinkowskiPoint support(const A& a, const B& b, Vec2 n) noexcept {
  return minkowski(a.farthest(-n), b.farthest(n));
}

/// Whether c lies left of a->b: (b - a) x (c - (a + b) / 2) > 0, doubled.
inline bool left_of(Vec2 a, Vec2 b, Vec2 c) noexcept {
  return (b.y - a.y) * (a.x + b.x - 2 * c.x) > (b.x - a.x) * (a.y + b.y - 2 * c.y);
}

/// The t in [-1, 1] for which a (1 - t) / 2 + b (1 + t) / 2 is nearest to 0.
inline double closest_t(Vec2 a, Vec2 b) noexcept {
  const Vec2 delta = b - a;
  return -clamp(dot(delta, a + b) / length_squared(delta), -1.0, 1.0);
}
inline Vec2 lerp_t(Vec2 a, Vec2 b, double t) noexcept {
  const double half = 0.5 * t;
  return a * (0.5 - half) + b * (0.5 + half);
}
inline double closest_distance_squared(Vec2 a, Vec2 b) noexcept {
  return length_squared(lerp_t(a, b, closest_t(a, b)));
}

/// From the difference's edge that is nearest to 0. The normal is the edge's while the shapes overlap or the nearest
/// point is inside the edge; otherwise it is the direction of that point.
inline Closest closest_on_edge(const MinkowskiPoint& v0, const MinkowskiPoint& v1) noexcept {
  const double t = closest_t(v0.ab, v1.ab);
  const Vec2 p = lerp_t(v0.ab, v1.ab, t);
  Closest result{lerp_t(v0.a, v1.a, t), lerp_t(v0.b, v1.b, t), {}, 0, (v0.id & 0xFFFF) << 16 | (v1.id & 0xFFFF)};
  const Vec2 normal = normalized(reverse_perpendicular(v1.ab - v0.ab));
  const double distance = dot(normal, p);
  if (distance <= 0 || (-1.0 < t && t < 1.0)) {
    result.normal = normal;
    result.distance = distance;
  } else {
    result.distance = length(p);
    result.normal = p * (1.0 / (result.distance + DBL_MIN));
  }
  return result;
}

/// Grows a hull of the difference from a triangle around 0, edge by edge, until the edge nearest to 0 is one of the
/// difference's own.
template <typename A, typename B>
Closest expand(const A& a, const B& b, const MinkowskiPoint& v0, const MinkowskiPoint& v1,
               const MinkowskiPoint& v2) noexcept {
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
    const MinkowskiPoint& e0 = hull[nearest];
    const MinkowskiPoint& e1 = hull[(nearest + 1) % count];
    const MinkowskiPoint p = support(a, b, perpendicular(e1.ab - e0.ab));
    const bool duplicate = p.id == e0.id || p.id == e1.id;
    if (duplicate || !left_of(e0.ab, e1.ab, p.ab) || iteration >= kEpaIterationsMax) return closest_on_edge(e0, e1);

    auto& next = hulls[1 - current];
    std::size_t next_count = 1;
    next[0] = p;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t index = (nearest + 1 + i) % count;
      const Vec2 h0 = next[next_count - 1].ab;
      const Vec2 h1 = hull[index].ab;
      const Vec2 h2 = i + 1 < count ? hull[(index + 1) % count].ab : p.ab;
      if (left_of(h0, h2, h1)) next[next_count++] = hull[index];
    }
    current = 1 - current;
    count = next_count;
  }
}

/// \param id  where the pair's last search ended, 0 if it had none.   \param a_box, b_box  of the shapes.
template <typename A, typename B>
Closest closest_points(const A& a, const B& b, std::uint32_t id, const Box& a_box, const Box& b_box) noexcept {
  MinkowskiPoint v0, v1;
  if (id != 0) {
    v0 = minkowski(a.at(id >> 24 & 0xFF), b.at(id >> 16 & 0xFF));
    v1 = minkowski(a.at(id >> 8 & 0xFF), b.at(id & 0xFF));
  } else {
    const Vec2 axis = perpendicular(centre(a_box) - centre(b_box));
    v0 = support(a, b, axis);
    v1 = support(a, b, -axis);
  }
  for (int iteration = 1; iteration <= kGjkIterationsMax; ++iteration) {
    if (left_of(v1.ab, v0.ab, {})) std::swap(v0, v1);  // 0 is behind the edge
    const double t = closest_t(v0.ab, v1.ab);
    const Vec2 n = -1.0 < t && t < 1.0 ? perpendicular(v1.ab - v0.ab) : -lerp_t(v0.ab, v1.ab, t);
    const MinkowskiPoint p = support(a, b, n);
    if (left_of(p.ab, v0.ab, {}) && left_of(v1.ab, p.ab, {})) return expand(a, b, v0, p, v1);  // 0 is inside
    if (dot(p.ab, n) <= max_of(dot(v0.ab, n), dot(v1.ab, n))) break;  // nothing is nearer than the edge
    if (closest_distance_squared(v0.ab, p.ab) < closest_distance_squared(p.ab, v1.ab)) {
      v1 = p;
    } else {
      v0 = p;
    }
  }
  return closest_on_edge(v0, v1);
}

}  // namespace forkmunk::engine::flat
