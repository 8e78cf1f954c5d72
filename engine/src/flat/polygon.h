// SPDX-License-Identifier: MIT
#pragma once

#include "flat/model.h"

#include <span>
#include <vector>

/// Polygons as Chipmunk computes them from a list of vertices, once per match.
namespace forkmunk::engine::flat {

/// Returns the convex hull, by quickhull (Barber, Dobkin, Huhdanpaa 1996) in Chipmunk's order of partitioning. The
/// order of vertices decides between equally far support points.
[[nodiscard]] std::vector<Vec> convex_hull(std::vector<Vec> points);

/// Returns the sum of (a + b) cross(a, b) over the sides, divided by three times the sum of the cross products.
[[nodiscard]] Vec centroid(std::span<const Vec> vertices) noexcept;

/// Returns the moment about the origin: m (sum cross(b, a) (a a + a b + b b)) / (6 sum cross(b, a)).
[[nodiscard]] double moment(double mass, std::span<const Vec> vertices) noexcept;

/// Returns the polygon with the normals of its sides. \pre at most kPolygonVertexCountMax vertices, counter-clockwise.
[[nodiscard]] Polygon make_polygon(std::span<const Vec> vertices) noexcept;

}  // namespace forkmunk::engine::flat
