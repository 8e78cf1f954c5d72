#include "flat/placed_shapes.h"

namespace forkmunk::engine::flat {

Box place(const Polygon& polygon, Vec2 rotation, Vec2 origin, PlacedPolygon& placed) noexcept {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  placed.count = polygon.count;
  placed.rotation = rotation;
  placed.model = &polygon;
  Box box{kInfinity, kInfinity, -kInfinity, -kInfinity};
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const Vec2 v = rotated(polygon.vertices[i], rotation) + origin;
    placed.vertices[i] = v;
    box = {min_of(box.l, v.x), min_of(box.b, v.y), max_of(box.r, v.x), max_of(box.t, v.y)};
  }
  return box;
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
