// SPDX-License-Identifier: MIT
#include "flat/polygon.h"

#include <forkmunk/base/check.h>

#include <utility>

namespace forkmunk::engine::flat {
namespace {

// Moves the points right of a->b (left of b->a) to the front, with the farthest of them first. \return their count.
std::size_t partition(std::span<Vec> points, Vec a, Vec b) noexcept {
  if (points.empty()) return 0;
  const Vec delta = b - a;
  double farthest = 0;
  std::size_t pivot = 0;
  std::size_t head = 0;
  for (std::size_t end = points.size(); head < end;) {
    const double value = cross(points[head] - a, delta);
    if (value > 0) {
      if (value > farthest) {
        farthest = value;
        pivot = head;
      }
      ++head;
    } else {
      std::swap(points[head], points[--end]);
    }
  }
  if (pivot != 0) std::swap(points[0], points[pivot]);
  return head;
}

// Appends the hull from a over pivot to b, without a and b.
void reduce(std::span<Vec> points, Vec a, Vec pivot, Vec b, std::vector<Vec>& hull) {
  const std::size_t left = partition(points, a, pivot);
  if (left > 0) reduce(points.subspan(1, left - 1), a, points[0], pivot, hull);
  hull.push_back(pivot);
  const std::span<Vec> rest = points.subspan(left);
  const std::size_t right = partition(rest, pivot, b);
  if (right > 0) reduce(rest.subspan(1, right - 1), pivot, rest[0], b, hull);
}

}  // namespace

std::vector<Vec> convex_hull(std::vector<Vec> points) {
  // The first and the last point, ordered by x, then by y.
  std::size_t start = 0, end = 0;
  Vec low = points[0], high = points[0];
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Vec v = points[i];
    if (v.x < low.x || (v.x == low.x && v.y < low.y)) {
      low = v;
      start = i;
    } else if (v.x > high.x || (v.x == high.x && v.y > high.y)) {
      high = v;
      end = i;
    }
  }
  if (start == end) return {points[0]};
  std::swap(points[0], points[start]);
  std::swap(points[1], points[end == 0 ? start : end]);
  const Vec a = points[0], b = points[1];
  std::vector<Vec> hull{a};
  reduce(std::span(points).subspan(2), a, b, a, hull);
  return hull;
}

Vec centroid(std::span<const Vec> vertices) noexcept {
  double sum = 0;
  Vec weighted{};
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec a = vertices[i], b = vertices[(i + 1) % vertices.size()];
    const double c = cross(a, b);
    sum += c;
    weighted = weighted + (a + b) * c;
  }
  return weighted * (1.0 / (3.0 * sum));
}

double moment(double mass, std::span<const Vec> vertices) noexcept {
  double weighted = 0, sum = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec a = vertices[i] + Vec{}, b = vertices[(i + 1) % vertices.size()] + Vec{};
    const double c = cross(b, a);
    weighted += c * (dot(a, a) + dot(a, b) + dot(b, b));
    sum += c;
  }
  return (mass * weighted) / (6.0 * sum);
}

Polygon make_polygon(std::span<const Vec> vertices) noexcept {
  FORKMUNK_CHECK(vertices.size() <= kPolygonVertexCountMax, "a polygon of %zu vertices", vertices.size());
  Polygon polygon;
  polygon.count = vertices.size();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec before = vertices[(i + vertices.size() - 1) % vertices.size()];
    polygon.x[i] = vertices[i].x;
    polygon.y[i] = vertices[i].y;
    polygon.normals[i] = normalized(reverse_perpendicular(vertices[i] - before));
  }
  static_assert(kPolygonVertexCountMax % kPolygonPadding == 0);
  for (std::size_t i = vertices.size(); i % kPolygonPadding != 0; ++i) {
    polygon.x[i] = polygon.x[0];
    polygon.y[i] = polygon.y[0];
  }
  return polygon;
}

}  // namespace forkmunk::engine::flat
