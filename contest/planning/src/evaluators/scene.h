// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/world.h>

#include <algorithm>
#include <vector>

/// The inputs of evaluators, in world coordinates: map units and radians.
namespace forkmunk::planning {

using engine::Vec2;

/// Returns 0 for the null vector.
[[nodiscard]] inline Vec2 normalised(Vec2 a) noexcept {
  const double l = length(a);
  return l > 0 ? a * (1 / l) : Vec2{};
}
/// Returns (x - a) / (b - a), clamped to 0..1; a may be above b.
[[nodiscard]] constexpr double ramp(double x, double a, double b) noexcept {
  return std::clamp((x - a) / (b - a), 0.0, 1.0);
}
/// Returns the weight of the deadline: from 0 at tick 500 of the match to 1 at tick 700.
[[nodiscard]] constexpr double late(int tick) noexcept { return ramp(tick, 500, 700); }

/// Constants in the coordinates of the first player's body: x forward, y up.
struct CarShape {
  explicit CarShape(const engine::CarSetup& car);

  std::vector<Vec2> body;  ///< The hull, counter-clockwise.
  Vec2 centre;             ///< The centre of gravity.
  Vec2 button;             ///< The middle of the button.
  Vec2 button_normal;      ///< A unit vector away from the body.
  double button_half = 0;
  double reach = 0;  ///< The length of the body.
};

struct CarView {
  CarView(const CarShape& shape, const engine::CarState& state, engine::Player player) noexcept;

  /// Converts the body's coordinates (of the first player).
  [[nodiscard]] Vec2 to_world(Vec2 local) const noexcept { return origin + forward * local.x + up * local.y; }
  [[nodiscard]] Vec2 to_local(Vec2 world) const noexcept {
    const Vec2 d = world - origin;
    return {dot(d, forward), dot(d, up)};
  }

  const CarShape* shape;
  Vec2 origin;
  Vec2 forward;  ///< Unit vectors.
  Vec2 up;
  Vec2 centre;
  Vec2 button;
  Vec2 button_normal;
  double button_low = 0;  ///< The y of the button's lower end.
  Vec2 rear_wheel;
  Vec2 front_wheel;
  Vec2 velocity;
  double rate = 0;  ///< rad/s
  double tilt = 0;  ///< The angle from upright, 0 to pi.
};

struct Scene {
  Scene(const engine::World& world, engine::Player side, const CarShape& shape) noexcept
      : Scene(shape, side, world.car(side), world.car(opponent_of(side))) {}
  Scene(const CarShape& shape, engine::Player side, const engine::CarState& mine_,
        const engine::CarState& enemy_) noexcept
      : mine(shape, mine_, side), enemy(shape, enemy_, opponent_of(side)) {}

  CarView mine;
  CarView enemy;
};

/// Returns 0 inside.
[[nodiscard]] double distance_to_hull(const CarView& car, Vec2 point) noexcept;
[[nodiscard]] double distance_to_segment(Vec2 point, Vec2 a, Vec2 b) noexcept;

/// The distance from a point to the nearest part of the map that kills a button: segments and the outer box.
///
/// Bilinear interpolation of exact distances at the corners of a grid. The error is smaller than a cell. Cost: 3 ms for
/// the largest map; 10 ns a query.
class DistanceField {
 public:
  explicit DistanceField(const engine::MapSetup& map);

  /// Returns 0 outside of the box.
  [[nodiscard]] double at(Vec2 point) const noexcept;
  /// Returns the free distance from a point in a direction, at most `reach`, by ray marching.
  [[nodiscard]] double sight(Vec2 from, Vec2 direction, double reach) const noexcept;

 private:
  static constexpr double kCell = 10;
  static constexpr int kColumns = 121;  // enough for 1200 x 800
  static constexpr int kRows = 81;
  std::vector<float> distances_;
};

}  // namespace forkmunk::planning
