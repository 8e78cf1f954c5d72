// SPDX-License-Identifier: MIT
// The evaluator of the contest's fourth place. Most terms exist for each side.
//
// Symbols: d distance between the two centres of gravity (or from a point to the button), w the body's rate, n the
// normal of a button, `along` the component of a distance along the button.
//   tilt      = |angle| from 70 to 180 deg, * closeness max(1 - d^2 / 449000, 0), * calm (|w| from 2 pi to pi / 4)
//   nearness  = maximum over four points of the attacker of: 0 behind the button's plane,
//               else max(1 - d / 500, 0) * (1 - |along| / d)
//   ram       = (direction to the button . own forward) * (-direction . n) if both are positive
//   speed     = 0..500, * 0.5..1 by its direction to the enemy
//   height    = the lowest point of my button above that of the enemy's, -100..500; height_late the same, from tick 500
//               to 700 on
//   airborne  = the enemy is tilted and in the air
// Cost: 0.2 us.

#include "term_evaluator.h"

#include <numbers>

namespace forkmunk::planning {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kTiltFrom = 70 * kPi / 180;
constexpr double kClosenessSquare = 449000;
constexpr double kNearnessReach = 500;
constexpr double kSpeedMax = 500;
constexpr double kPointHeight = 5;
constexpr double kWheelBelow = 5;  // the wheels' points are lower than their centres

constexpr std::array<std::string_view, 11> kTerms{"tilt_mine", "tilt_enemy",  "nearness_mine", "nearness_enemy",
                                                  "ram_mine",  "ram_enemy",   "speed",         "speed_enemy",
                                                  "height",    "height_late", "airborne"};

constexpr std::size_t kAirborne = kTerms.size() - 1;

class Normalised final : public TermEvaluator {
 public:
  explicit Normalised(const Weights& weights) : TermEvaluator("normalised", kTerms, weights) {}

 private:
  void measure(const engine::World& world, engine::Player side, const Scene& scene,
               Values& values) const noexcept override {
    const double enemy_tilt = tilted(scene.enemy);
    // The query costs more than everything else.
    const bool airborne = counts(kAirborne) && enemy_tilt > 0 && world.in_air(opponent_of(side));
    std::ranges::copy(measure_attack(scene, world.tick()), values.begin());
    values[kAirborne] = airborne ? enemy_tilt : 0;
  }
};

}  // namespace

double tilted(const CarView& car) noexcept { return ramp(car.tilt, kTiltFrom, kPi); }

namespace {

double helpless(const CarView& car, const CarView& other) noexcept {
  const double tilt = tilted(car);
  if (tilt == 0) return 0;
  const Vec2 d = other.centre - car.centre;
  const double closeness = std::max(1 - dot(d, d) / kClosenessSquare, 0.0);
  return tilt * closeness * ramp(std::abs(car.rate), 2 * kPi, kPi / 4);
}

double nearness(const CarView& attacker, const CarView& target) noexcept {
  const CarShape& shape = *attacker.shape;
  const Vec2 below = attacker.up * -kWheelBelow;
  const std::array points{attacker.to_world({kPointHeight, shape.centre.y}),
                          attacker.to_world({shape.reach, shape.centre.y}), attacker.rear_wheel + below,
                          attacker.front_wheel + below};
  const Vec2 axis{-target.button_normal.y, target.button_normal.x};
  double best = 0;
  for (const Vec2 point : points) {
    const Vec2 d = point - target.button;
    if (dot(d, target.button_normal) <= 0) continue;
    const double distance = length(d);
    best = std::max(best, std::max(1 - distance / kNearnessReach, 0.0) * (1 - std::abs(dot(d, axis)) / distance));
  }
  return best;
}

double ram(const CarView& attacker, const CarView& target) noexcept {
  const Vec2 direction = normalised(target.button - attacker.centre);
  return std::max(dot(direction, attacker.forward), 0.0) * std::max(-dot(direction, target.button_normal), 0.0);
}

// The speed counts half if the car moves away from the other car.
double speed_towards(const CarView& car, const CarView& other) noexcept {
  const double v = length(car.velocity);
  if (v == 0) return 0;
  const double towards = dot(car.velocity, normalised(other.centre - car.centre)) / v;
  return std::min(v / kSpeedMax, 1.0) * (0.75 + 0.25 * towards);
}

}  // namespace

AttackValues measure_attack(const Scene& scene, int tick) noexcept {
  const auto& [mine, enemy] = scene;
  const double height = ramp(mine.button_low - enemy.button_low, -100, 500);
  return {helpless(mine, enemy),      helpless(enemy, mine),      nearness(mine, enemy),
          nearness(enemy, mine),      ram(mine, enemy),           ram(enemy, mine),
          speed_towards(mine, enemy), speed_towards(enemy, mine), height,
          height * late(tick)};
}

std::unique_ptr<Evaluator> make_normalised(const Weights& weights) { return std::make_unique<Normalised>(weights); }

}  // namespace forkmunk::planning
