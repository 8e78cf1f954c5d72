// SPDX-License-Identifier: MIT
// The evaluator of the contest's third place: room around the buttons.
//
// Symbols: b a button's middle, n its normal.
//   speed     = 0..500
//   height    = my button above the enemy's, -300..300
//   height_late = height * closeness of the deadline to the lower button, from 300 down to 0
//   room      = distance from b to the nearest obstacle, 0..150
//   gap       = distance from b to the other car's hull, 0..200
//   sight     = free way from b along the two rays at 30 deg from the button's plane and along n, the mean, 0..200
// Cost: 0.4 us; DistanceField once a match.

#include "scene.h"
#include "term_evaluator.h"

#include <optional>

namespace forkmunk::planning {
namespace {

constexpr double kSpeedMax = 500;
constexpr double kRoom = 150;
constexpr double kGap = 200;
constexpr double kSight = 200;
constexpr double kDeadlineNear = 300;
constexpr std::array<std::string_view, 10> kTerms{"speed",      "speed_enemy", "height",   "height_late",
                                                  "room_mine",  "room_enemy",  "gap_mine", "gap_enemy",
                                                  "sight_mine", "sight_enemy"};

class Distance final : public TermEvaluator {
 public:
  explicit Distance(const Weights& weights) : TermEvaluator("distance", kTerms, weights) {}

 private:
  void prepare(const engine::MatchSetup& setup) override { field_.emplace(setup.map); }

  [[nodiscard]] double sight(const CarView& car) const noexcept {
    constexpr double kCos30 = 0.8660254037844386;
    const Vec2 normal = car.button_normal;
    const Vec2 axis{-normal.y, normal.x};
    const double seen = field_->sight(car.button, axis * kCos30 + normal * 0.5, kSight) +
                        field_->sight(car.button, axis * -kCos30 + normal * 0.5, kSight) +
                        field_->sight(car.button, normal, kSight);
    return seen / (3 * kSight);
  }

  void measure(const engine::World& world, engine::Player, const Scene& scene, Values& values) const noexcept override {
    const auto& [mine, enemy] = scene;
    const double height = ramp(mine.button_low - enemy.button_low, -300, 300);
    const double above = std::min(mine.button_low, enemy.button_low) - world.deadline_y();
    values = {std::min(length(mine.velocity) / kSpeedMax, 1.0),
              std::min(length(enemy.velocity) / kSpeedMax, 1.0),
              height,
              height * ramp(above, kDeadlineNear, 0),
              std::min(field_->at(mine.button) / kRoom, 1.0),
              std::min(field_->at(enemy.button) / kRoom, 1.0),
              std::min(distance_to_hull(enemy, mine.button) / kGap, 1.0),
              std::min(distance_to_hull(mine, enemy.button) / kGap, 1.0),
              sight(mine),
              sight(enemy)};
  }

  std::optional<DistanceField> field_;
};

}  // namespace

std::unique_ptr<Evaluator> make_distance(const Weights& weights) { return std::make_unique<Distance>(weights); }

}  // namespace forkmunk::planning
