// The evaluator of the contest's fourth place: every term is scaled to 0..1, and most have one for each side.
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
// Cost: 0.2 us. The published weights are in weights.cpp.

#include "evaluators/attack.h"
#include "evaluators/evaluators.h"
#include "evaluators/term_evaluator.h"

namespace forkmunk::search {
namespace {

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

std::unique_ptr<Evaluator> make_normalised(const Weights& weights) { return std::make_unique<Normalised>(weights); }

}  // namespace forkmunk::search
