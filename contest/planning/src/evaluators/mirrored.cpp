// SPDX-License-Identifier: MIT
// The evaluator of the contest's first place. It is zero-sum: each term counts for one side and against the other.
//
// Symbols: p' a car's position 10 ticks ahead at its present speed.
//   ground    = the angle to the ground, |angle| / pi; for the own car it fades to 0 while climbing at 100..400
//   facing    = (1 + cos of the angle from my forward to the opponent's p') / 2
//   reach     = closeness of the attacker's wheels and control points to the other's button, 0..300
//   speed     = 0..500
//   far       = distance between the cars, 0..1200
//   height    = of the buttons' lowest points, -300..300; height_late the same, more and more from tick 500 to 700
//   touch     = closeness of my nearest point to the opponent's wheels, from 30 down to contact
// Cost: 0.2 us.

#include "term_evaluator.h"

#include <numbers>

namespace forkmunk::planning {
namespace {

constexpr double kAheadSeconds = 10 * engine::kTickSeconds;
constexpr double kReach = 300;
constexpr double kSpeedMax = 500;
constexpr double kFar = engine::kFieldWidth;
constexpr double kTouchFrom = 30;
constexpr std::array<std::string_view, 12> kTerms{"ground_mine", "ground_enemy", "facing_mine", "facing_enemy",
                                                  "reach_mine",  "reach_enemy",  "speed_mine",  "speed_enemy",
                                                  "far",         "height",       "height_late", "touch"};

constexpr std::size_t kTouch = kTerms.size() - 1;

double facing(const CarView& car, const CarView& other) noexcept {
  const Vec2 direction = normalised(other.centre + other.velocity * kAheadSeconds - car.centre);
  return (1 + dot(car.forward, direction)) / 2;
}

double reach(const CarView& attacker, const CarView& target) noexcept {
  double nearest = distance_to_hull(attacker, target.button);
  nearest = std::min(nearest, length(attacker.rear_wheel - target.button));
  nearest = std::min(nearest, length(attacker.front_wheel - target.button));
  return std::max(1 - nearest / kReach, 0.0);
}

double touch(const CarView& mine, const CarView& enemy, double radius) noexcept {
  double nearest = kFar;
  for (const Vec2 wheel : {enemy.rear_wheel, enemy.front_wheel}) {
    nearest = std::min(nearest, distance_to_hull(mine, wheel) - radius);
    nearest = std::min(nearest, length(mine.rear_wheel - wheel) - 2 * radius);
    nearest = std::min(nearest, length(mine.front_wheel - wheel) - 2 * radius);
  }
  return ramp(nearest, kTouchFrom, 0);
}

class Mirrored final : public TermEvaluator {
 public:
  explicit Mirrored(const Weights& weights) : TermEvaluator("mirrored", kTerms, weights) {}

 private:
  void prepare(const engine::MatchSetup& setup) override { wheel_radius_ = setup.car.front_wheel.radius; }

  void measure(const engine::World& world, engine::Player, const Scene& scene, Values& values) const noexcept override {
    const auto& [mine, enemy] = scene;
    const double height = ramp(mine.button_low - enemy.button_low, -300, 300);
    values = {mine.tilt / std::numbers::pi * ramp(mine.velocity.y, 400, 100),
              enemy.tilt / std::numbers::pi,
              facing(mine, enemy),
              facing(enemy, mine),
              reach(mine, enemy),
              reach(enemy, mine),
              std::min(length(mine.velocity) / kSpeedMax, 1.0),
              std::min(length(enemy.velocity) / kSpeedMax, 1.0),
              std::min(length(mine.centre - enemy.centre) / kFar, 1.0),
              height,
              height * late(world.tick()),
              counts(kTouch) ? touch(mine, enemy, wheel_radius_) : 0};
  }

  double wheel_radius_ = 0;
};

}  // namespace

std::unique_ptr<Evaluator> make_mirrored(const Weights& weights) { return std::make_unique<Mirrored>(weights); }

}  // namespace forkmunk::planning
