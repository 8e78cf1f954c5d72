// SPDX-License-Identifier: MIT
#include "car_view.h"

#include <forkmunk/strict_math/inlined.h>

#include <limits>
#include <numbers>

namespace forkmunk::planning {
namespace {

double twice_area(const std::vector<Vec2>& poly) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < poly.size(); ++i) sum += cross(poly[i], poly[(i + 1) % poly.size()]);
  return sum;
}

Vec2 centroid(const std::vector<Vec2>& poly) noexcept {
  Vec2 sum;
  for (std::size_t i = 0; i < poly.size(); ++i) {
    const Vec2 a = poly[i];
    const Vec2 b = poly[(i + 1) % poly.size()];
    sum = sum + (a + b) * cross(a, b);
  }
  return sum * (1 / (3 * twice_area(poly)));
}

double square_distance(Vec2 point, Vec2 a, Vec2 b) noexcept {
  const Vec2 along = b - a;
  const double square = dot(along, along);
  const double t = square > 0 ? std::clamp(dot(point - a, along) / square, 0.0, 1.0) : 0.0;
  const Vec2 d = point - (a + along * t);
  return dot(d, d);
}

Vec2 middle(const std::vector<Vec2>& points) noexcept {
  Vec2 sum;
  for (const Vec2 point : points) sum = sum + point;
  return sum * (1 / static_cast<double>(points.size()));
}

}  // namespace

CarShape::CarShape(const engine::CarSetup& car) : body(car.body_poly) {
  if (twice_area(body) < 0) std::ranges::reverse(body);
  centre = centroid(body);
  button = middle(car.button_poly);
  // The button is flat, so its long axis is its longest edge.
  Vec2 edge;
  for (std::size_t i = 0; i < car.button_poly.size(); ++i) {
    const Vec2 side = car.button_poly[(i + 1) % car.button_poly.size()] - car.button_poly[i];
    if (length(side) > length(edge)) edge = side;
  }
  button_half = length(edge) / 2;
  button_normal = normalised({-edge.y, edge.x});
  if (dot(button_normal, button - centre) < 0) button_normal = button_normal * -1;
  const auto [rear, front] = std::ranges::minmax(body, {}, &Vec2::x);
  reach = front.x - rear.x;
}

CarView::CarView(const CarShape& shape_, const engine::CarState& state, engine::Player player) noexcept
    : shape(&shape_), origin(state.body.position), velocity(state.body.velocity), rate(state.body.angular_velocity) {
  const double mirror = player == engine::Player::first ? 1 : -1;
  const auto [s, c] = strict_math::inlined::sin_cos(state.body.angle);
  forward = Vec2{c, s} * mirror;
  up = {-s, c};
  centre = to_world(shape_.centre);
  button = to_world(shape_.button);
  button_normal = forward * shape_.button_normal.x + up * shape_.button_normal.y;
  button_low = button.y - std::abs(button_normal.x) * shape_.button_half;
  rear_wheel = state.rear_wheel.position;
  front_wheel = state.front_wheel.position;
  const double angle = std::abs(state.body.angle);  // rarely more than half a turn
  tilt = angle <= std::numbers::pi ? angle : std::abs(std::remainder(angle, 2 * std::numbers::pi));
}

double distance_to_segment(Vec2 point, Vec2 a, Vec2 b) noexcept { return std::sqrt(square_distance(point, a, b)); }

double distance_to_hull(const CarView& car, Vec2 point) noexcept {
  const Vec2 local = car.to_local(point);
  const std::vector<Vec2>& hull = car.shape->body;
  bool inside = true;
  double nearest = std::numeric_limits<double>::infinity();
  Vec2 a = hull.back();
  for (const Vec2 b : hull) {
    if (cross(b - a, local - a) < 0) inside = false;
    nearest = std::min(nearest, square_distance(local, a, b));
    a = b;
  }
  return inside ? 0 : std::sqrt(nearest);
}

}  // namespace forkmunk::planning
