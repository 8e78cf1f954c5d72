// SPDX-License-Identifier: MIT
#include "scene.h"

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
  const double angle = std::abs(state.body.angle);
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
  // Negated so that NaN is outside, too.
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
