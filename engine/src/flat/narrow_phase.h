// SPDX-License-Identifier: MIT
#pragma once

#include "flat/distance.h"

/// Contact manifolds: up to two points with a common normal.
FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

struct Manifold {
  struct Point {
    Vec a, b;            ///< Points on the surface of each shape, in world coordinates.
    std::uint32_t hash;  ///< Identifies the features, so that the next step finds the same point.
  };
  int count = 0;
  Vec normal;                   ///< The direction from the first shape to the second.
  std::array<Point, 2> points;  ///< Two points for two edges, one if a shape is round.

  void add(Vec a, Vec b, std::uint32_t hash) noexcept {
    FORKMUNK_CHECK_DEEP(count < static_cast<int>(points.size()), "a contact of %d points", count + 1);
    points[static_cast<std::size_t>(count++)] = {a, b, hash};
  }
};

struct Circle {
  Vec centre;
  double radius;
};

/// A polygon with its box and its shape's id.
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

// Returns the distance of `point` from a shape, which is negative inside.
[[nodiscard]] double distance_to(const Circle& circle, Vec point) noexcept;
[[nodiscard]] double distance_to(const StaticSegment& segment, Vec point) noexcept;
[[nodiscard]] double distance_to(const WorldPolygon& polygon, Vec point) noexcept;

FORKMUNK_KERNEL_END
