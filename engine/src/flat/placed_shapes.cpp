#include "flat/placed_shapes.h"

namespace forkmunk::engine::flat {

Box place(const Polygon& polygon, Vec rotation, Vec origin, PlacedPolygon& placed) noexcept {
  placed.count = static_cast<std::uint32_t>(polygon.count);
  placed.rotation = rotation;
  placed.model = &polygon;
  // Two vertices at a time. Which of equal coordinates is kept makes no difference.
  const VecLanes turn = lanes_of(rotation, rotation), shift = lanes_of(origin, origin);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  VecLanes low{both(kInfinity), both(kInfinity)}, high{both(-kInfinity), both(-kInfinity)};
  for (std::size_t begin = 0; begin < polygon.count; begin += kPolygonPadding) {
    for (std::size_t i = begin; i < begin + kPolygonPadding; i += 2) {
      const VecLanes v = rotated(VecLanes{load(&polygon.x[i]), load(&polygon.y[i])}, turn) + shift;
      store(&placed.x[i], v.x);
      store(&placed.y[i], v.y);
      low = {min_of(low.x, v.x), min_of(low.y, v.y)};
      high = {max_of(high.x, v.x), max_of(high.y, v.y)};
    }
  }
  const auto across = [](VecLanes a) { return std::pair{Lanes{a.x[0], a.y[0]}, Lanes{a.x[1], a.y[1]}}; };
  const auto [low_even, low_odd] = across(low);
  const auto [high_even, high_odd] = across(high);
  return {min_of(low_even, low_odd), max_of(high_even, high_odd)};
}

PlacedShapes::PlacedShapes(const MatchModel& model, const LiveState& state) noexcept {
  boxes[kDeadlineShape] =
      place(model.polygons[kDeadlineShape], {1, 0}, {0, state.deadline_y}, polygons[kDeadlineShape]);
  for (std::size_t shape = 1; shape < kMovingShapeCount; ++shape) {
    const Body& body = state.bodies[body_of(shape)];
    const Polygon& polygon = model.polygons[shape];
    if (polygon.count != 0) {
      boxes[shape] = place(polygon, body.rotation, body.origin, polygons[shape]);
      continue;
    }
    circles[shape] = {body.origin, model.wheel_radius[part_of(shape) == Part::rear ? 0 : 1]};
    boxes[shape] = box_around(body.origin, circles[shape].radius);
  }
}

}  // namespace forkmunk::engine::flat
