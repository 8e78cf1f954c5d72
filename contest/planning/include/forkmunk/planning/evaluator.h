// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/planning/weights.h>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace forkmunk::planning {

/// Scores a state from one side: the higher, the better. The score is a sum of terms between 0 and 1, each with a
/// weight for the kind of car. Planners add +-search::kWin for deaths.
///
/// Cost: below a microsecond, no allocations.   Thread: any number between calls of begin_match().
class Evaluator {
 public:
  struct Term {
    std::string_view name;
    double value = 0;   ///< 0 to 1
    double weight = 0;  ///< At this tick; score = sum of value * weight.
  };

  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;

  /// \pre called before any state of the match is scored.
  virtual void begin_match(const engine::MatchSetup& setup) = 0;
  /// \param ahead  the ticks from now to the state, because some weights fade.
  [[nodiscard]] virtual double evaluate(const engine::World& world, engine::Player side, int ahead) const noexcept = 0;
  [[nodiscard]] virtual std::vector<Term> explain(const engine::World& world, engine::Player side, int ahead) const = 0;
};

struct EvaluatorInfo {
  std::string_view name;
  std::string_view what;
  std::unique_ptr<Evaluator> (*make)(const Weights& weights);
};

[[nodiscard]] std::span<const EvaluatorInfo> evaluators() noexcept;

/// \throws Error for an unknown name.
[[nodiscard]] std::unique_ptr<Evaluator> make_evaluator(std::string_view name,
                                                        const Weights& weights = default_weights());

}  // namespace forkmunk::planning
