// SPDX-License-Identifier: MIT
// The attack of the contest's fourth place, the room around the buttons of the third, the upright cars of the first,
// and the deadline.
//
// Symbols: as in normalised.cpp and distance.cpp; y_d the deadline.
//   helpless, nearness, ram, speed, height, height_late   = normalised.cpp's (helpless is its tilt)
//   tilt      = how far |angle| is from 70 to 180 deg, wherever the car is
//   room      = distance from the button to the nearest obstacle, 0..150
//   low       = how near the button's lowest point is to y_d, from 150 down to 0
// Cost: 0.2 us; DistanceField once a match.

#include "term_evaluator.h"

#include <optional>

namespace forkmunk::planning {
namespace {

constexpr double kRoom = 150;
constexpr double kLow = 150;

class Combined final : public TermEvaluator {
 public:
  explicit Combined(const Weights& weights) : TermEvaluator("combined", kCombinedTerms, weights) {}

 private:
  void prepare(const engine::MatchSetup& setup) override { field_.emplace(setup.map); }

  void measure(const engine::World& world, engine::Player, const Scene& scene, Values& values) const noexcept override {
    std::ranges::copy(measure_combined(scene, *field_, world.deadline_y(), world.tick()), values.begin());
  }

  std::optional<DistanceField> field_;
};

}  // namespace

CombinedValues measure_combined(const Scene& scene, const DistanceField& field, double deadline, int tick) noexcept {
  const auto& [mine, enemy] = scene;
  CombinedValues values;
  std::ranges::copy(measure_attack(scene, tick), values.begin());
  std::ranges::copy(std::array{tilted(mine), tilted(enemy), std::min(field.at(mine.button) / kRoom, 1.0),
                               std::min(field.at(enemy.button) / kRoom, 1.0), ramp(mine.button_low - deadline, kLow, 0),
                               ramp(enemy.button_low - deadline, kLow, 0)},
                    values.begin() + std::tuple_size_v<AttackValues>);
  return values;
}

std::unique_ptr<Evaluator> make_combined(const Weights& weights) { return std::make_unique<Combined>(weights); }

}  // namespace forkmunk::planning
