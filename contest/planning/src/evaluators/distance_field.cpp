// SPDX-License-Identifier: MIT
#include "distance_field.h"

namespace forkmunk::planning {
namespace {

// Half the thickness of the box's sensors.
constexpr double kBoxEdge = 1;

double exact(const engine::MapSetup& map, Vec2 point) noexcept {
  double nearest =
      std::min({point.x, engine::kFieldWidth - point.x, point.y, engine::kFieldHeight - point.y}) - kBoxEdge;
  for (const engine::Segment& segment : map.segments) {
    nearest = std::min(nearest, distance_to_segment(point, segment.a, segment.b) - segment.radius);
  }
  return std::max(nearest, 0.0);
}

}  // namespace

DistanceField::DistanceField(const engine::MapSetup& map) {
  distances_.reserve(std::size_t{kColumns} * kRows);
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      distances_.push_back(static_cast<float>(exact(map, {column * kCell, row * kCell})));
    }
  }
}

double DistanceField::at(Vec2 point) const noexcept {
  // The condition is negated so that NaN is outside, too.
  if (!(point.x >= 0 && point.x < engine::kFieldWidth && point.y >= 0 && point.y < engine::kFieldHeight)) return 0;
  const double x = point.x / kCell;
  const double y = point.y / kCell;
  const auto column = static_cast<std::size_t>(x);
  const auto row = static_cast<std::size_t>(y);
  const double fx = x - static_cast<double>(column);
  const double fy = y - static_cast<double>(row);
  const float* low = &distances_[row * kColumns + column];
  const float* high = low + kColumns;
  return (low[0] * (1 - fx) + low[1] * fx) * (1 - fy) + (high[0] * (1 - fx) + high[1] * fx) * fy;
}

double DistanceField::sight(Vec2 from, Vec2 direction, double reach) const noexcept {
  constexpr double kClose = 4;
  double seen = 0;
  for (int i = 0; i < 16 && seen < reach; ++i) {
    const double free = at(from + direction * seen);
    if (free < kClose) break;
    seen += free;
  }
  return std::min(seen, reach);
}

}  // namespace forkmunk::planning
