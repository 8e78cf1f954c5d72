// SPDX-License-Identifier: MIT
#pragma once

#include "car_view.h"

#include <forkmunk/planning/evaluator.h>
#include <forkmunk/strict_math/strict_math.h>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace forkmunk::planning {

inline constexpr std::size_t kTermsMax = 24;

/// A sum of terms with the table's weights. A derived class computes its terms.
class TermEvaluator : public Evaluator {
 public:
  /// \throws Error if a row of the table is missing.
  TermEvaluator(std::string_view name, std::span<const std::string_view> terms, const Weights& weights);

  void begin_match(const engine::MatchSetup& setup) final;
  [[nodiscard]] double evaluate(const engine::World& world, engine::Player side, int ahead) const noexcept final;
  [[nodiscard]] std::vector<Term> explain(const engine::World& world, engine::Player side, int ahead) const final;

 protected:
  using Values = std::array<double, kTermsMax>;

  /// Precomputes the evaluator's own constants of a match.
  virtual void prepare(const engine::MatchSetup&) {}
  /// Computes the terms, each between 0 and 1, in the order of their names.
  virtual void measure(const engine::World& world, engine::Player side, const Scene& scene,
                       Values& values) const noexcept = 0;

  [[nodiscard]] const CarShape& shape() const noexcept { return *shape_; }
  [[nodiscard]] CarKind kind() const noexcept { return kind_; }
  /// Returns whether a term has a weight for this kind of car. Expensive terms without a weight can be skipped.
  [[nodiscard]] bool counts(std::size_t term) const noexcept { return weights_[term] != 0; }

 private:
  struct Row {
    std::string_view term;
    std::array<double, kCarKindCount> weight{};
    double per_tick = 1;
  };
  [[nodiscard]] double weight_at(std::size_t term, int ahead) const noexcept {
    return rows_[term].per_tick == 1 ? weights_[term] : weights_[term] * strict_math::pow(rows_[term].per_tick, ahead);
  }

  std::vector<Row> rows_;
  std::vector<double> weights_;  // the weights for this match's kind of car
  CarKind kind_ = CarKind::buggy;
  std::optional<CarShape> shape_;
};

// The makers of the evaluators; term_evaluator.cpp lists them under their names.
[[nodiscard]] std::unique_ptr<Evaluator> make_normalised(const Weights& weights);
[[nodiscard]] std::unique_ptr<Evaluator> make_mirrored(const Weights& weights);
[[nodiscard]] std::unique_ptr<Evaluator> make_distance(const Weights& weights);
[[nodiscard]] std::unique_ptr<Evaluator> make_combined(const Weights& weights);
[[nodiscard]] std::unique_ptr<Evaluator> make_learned(const Weights& weights);

}  // namespace forkmunk::planning
