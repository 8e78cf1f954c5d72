// SPDX-License-Identifier: MIT
// `combined`, plus the chance to win, which is learned by self-play. The chance has the largest weight, but is too
// coarse alone.
//
// Symbols: as in combined.cpp; winning = ValueNetwork's chance to win. Cost: 0.6 us; 0.7 without AVX2.

#include "combined.h"
#include "term_evaluator.h"
#include "value_network.h"

#include <optional>

namespace forkmunk::planning {
namespace {

constexpr auto kTerms = [] {
  std::array<std::string_view, kCombinedTerms.size() + 1> terms;
  std::ranges::copy(kCombinedTerms, terms.begin());
  terms.back() = "winning";
  return terms;
}();
constexpr std::size_t kWinning = kTerms.size() - 1;

class Learned final : public TermEvaluator {
 public:
  explicit Learned(const Weights& weights) : TermEvaluator("learned", kTerms, weights) {}

 private:
  void prepare(const engine::MatchSetup& setup) override {
    field_.emplace(setup.map);
    network_.emplace(kind(), *field_);
  }

  void measure(const engine::World& world, engine::Player side, const Scene& scene,
               Values& values) const noexcept override {
    const double deadline = world.deadline_y();
    const CombinedValues combined = measure_combined(scene, *field_, deadline, world.tick());
    std::ranges::copy(combined, values.begin());
    if (!counts(kWinning)) return;
    std::array<float, kFeatureCount> features;
    measure_features(scene, side, *field_, deadline, world.tick(), combined, features);
    values[kWinning] = network_->chance_to_win(side, features);
  }

  std::optional<DistanceField> field_;
  std::optional<ValueNetwork> network_;
};

}  // namespace

std::unique_ptr<Evaluator> make_learned(const Weights& weights) { return std::make_unique<Learned>(weights); }

}  // namespace forkmunk::planning
