// SPDX-License-Identifier: MIT
#include "flat/world_shapes.h"

FORKMUNK_KERNEL_BEGIN(forkmunk::engine::flat)

Box to_world(const Polygon& polygon, Vec rotation, Vec origin, WorldPolygon& result) noexcept {
  result.count = static_cast<std::uint32_t>(polygon.count);
  result.rotation = rotation;
  result.model = &polygon;
  // min and max may return either of two equal coordinates.
  using L = WideLanes;
  const VecOf<L> turn{all_lanes<L>(rotation.x), all_lanes<L>(rotation.y)};
  const VecOf<L> shift{all_lanes<L>(origin.x), all_lanes<L>(origin.y)};
  const L infinity = all_lanes<L>(std::numeric_limits<double>::infinity());
  VecOf<L> low{infinity, infinity}, high{-infinity, -infinity};
  for (std::size_t begin = 0; begin < polygon.count; begin += kPolygonPadding) {
    for (std::size_t i = begin; i < begin + kPolygonPadding; i += kLanesOf<L>) {
      const VecOf<L> v = rotated(VecOf<L>{load<L>(&polygon.x[i]), load<L>(&polygon.y[i])}, turn) + shift;
      flat::store(&result.x[i], v.x);
      flat::store(&result.y[i], v.y);
      low = {min_of(low.x, v.x), min_of(low.y, v.y)};
      high = {max_of(high.x, v.x), max_of(high.y, v.y)};
    }
  }
  const auto of_all = [](const VecOf<L>& lanes, auto&& one_of) {
    Lanes x, y;
    each_pair(lanes.x, [&](std::size_t i, Lanes pair) { x = i == 0 ? pair : one_of(x, pair); });
    each_pair(lanes.y, [&](std::size_t i, Lanes pair) { y = i == 0 ? pair : one_of(y, pair); });
    return one_of(Lanes{x[0], y[0]}, Lanes{x[1], y[1]});
  };
  return {of_all(low, [](Lanes a, Lanes b) { return min_of(a, b); }),
          of_all(high, [](Lanes a, Lanes b) { return max_of(a, b); })};
}

WorldShapes::WorldShapes(const MatchModel& model, const LiveState& state) noexcept {
  boxes[kDeadlineShape] =
      to_world(model.polygons[kDeadlineShape], {1, 0}, {0, state.deadline_y}, polygons[kDeadlineShape]);
  for (std::size_t shape = 1; shape < kMovingShapeCount; ++shape) {
    const Body& body = state.bodies[body_of(shape)];
    const Polygon& polygon = model.polygons[shape];
    if (polygon.count != 0) {
      boxes[shape] = to_world(polygon, body.rotation, body.origin, polygons[shape]);
      continue;
    }
    circles[shape] = {body.origin, model.wheel_radius[part_of(shape) == Part::rear ? 0 : 1]};
    boxes[shape] = box_around(body.origin, circles[shape].radius);
  }
}

FORKMUNK_KERNEL_END
