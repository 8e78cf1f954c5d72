// SPDX-License-Identifier: MIT
#pragma once

#include "scene.h"

#include <forkmunk/planning/evaluator.h>
#include <forkmunk/strict_math/strict_math.h>

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace forkmunk::planning {

// combined.cpp and normalised.cpp have the formulas.

inline constexpr std::array<std::string_view, 16> kCombinedTerms{
    "helpless_mine", "helpless_enemy", "nearness_mine", "nearness_enemy", "ram_mine",  "ram_enemy",
    "speed",         "speed_enemy",    "height",        "height_late",    "tilt_mine", "tilt_enemy",
    "room_mine",     "room_enemy",     "low_mine",      "low_enemy"};

/// The values of kCombinedTerms, between 0 and 1, in this order.
using CombinedValues = std::array<double, kCombinedTerms.size()>;

/// \param deadline  the height of the deadline's body. \param tick  the match's tick.
[[nodiscard]] CombinedValues measure_combined(const Scene& scene, const DistanceField& field, double deadline,
                                              int tick) noexcept;

// The contest's fourth place had these terms; each is between 0 and 1.

/// Returns how far |angle| is from 70 to 180 deg.
[[nodiscard]] double tilted(const CarView& car) noexcept;

/// Helpless, nearness, ram and speed, each for the own car and then for the enemy's, followed by height and
/// height_late.
using AttackValues = std::array<double, 10>;
[[nodiscard]] AttackValues measure_attack(const Scene& scene, int tick) noexcept;

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

  virtual void prepare(const engine::MatchSetup&) {}
  /// Each term is between 0 and 1, in the order of their names.
  virtual void measure(const engine::World& world, engine::Player side, const Scene& scene,
                       Values& values) const noexcept = 0;

  [[nodiscard]] CarKind kind() const noexcept { return kind_; }
  /// Returns whether a term has a weight for this kind of car, so that expensive terms can be skipped.
  [[nodiscard]] bool counts(std::size_t term) const noexcept { return weights_[term] != 0; }

 private:
  [[nodiscard]] double weight_at(std::size_t term, int ahead) const noexcept {
    return rows_[term].per_tick == 1 ? weights_[term] : weights_[term] * strict_math::pow(rows_[term].per_tick, ahead);
  }

  Weights rows_;                 // by term
  std::vector<double> weights_;  // for this match's kind of car
  CarKind kind_ = CarKind::buggy;
  std::optional<CarShape> shape_;
};

[[nodiscard]] std::unique_ptr<Evaluator> make_normalised(const Weights& weights);
[[nodiscard]] std::unique_ptr<Evaluator> make_mirrored(const Weights& weights);
[[nodiscard]] std::unique_ptr<Evaluator> make_distance(const Weights& weights);
[[nodiscard]] std::unique_ptr<Evaluator> make_combined(const Weights& weights);
[[nodiscard]] std::unique_ptr<Evaluator> make_learned(const Weights& weights);

}  // namespace forkmunk::planning
