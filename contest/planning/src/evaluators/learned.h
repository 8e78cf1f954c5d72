// SPDX-License-Identifier: MIT
#pragma once

#include "term_evaluator.h"

#include <forkmunk/planning/weights.h>

#include <array>
#include <cstddef>
#include <span>

namespace forkmunk::planning {

// The features of a state for the value network, of similar magnitude. The own side is seen as the left one: x runs
// from the own half to the enemy's.

inline constexpr std::size_t kFeatureCount = 72;
/// Constant during a match.
inline constexpr std::size_t kMapFeatureCount = 9;

/// Writes kFeatureCount numbers, most of them between -2 and 2: for each car, the own one first, position, heading,
/// velocity, rate, wheels, room around it, terms of an attack; then the deadline, and both cars compared.   Cost: 0.25
/// us.
/// \param deadline  the height of the deadline's body. \param tick  the tick of the match. \param combined
/// measure_combined()'s result for the state.
void measure_features(const Scene& scene, engine::Player side, const DistanceField& field, double deadline, int tick,
                      const CombinedValues& combined, std::span<float, kFeatureCount> features) noexcept;

/// Writes the room at nine points of the own half.
void measure_map(const DistanceField& field, engine::Player side, std::span<float, kMapFeatureCount> features) noexcept;

/// The chance to win from a state: a value network with one hidden layer for each kind of car, trained on self-play by
/// scripts/learn_values.
///
/// Symbols: x features, m the map's, H hidden units; z = b + sum over units of w * max(0, b_u + W_u x + M_u m); chance
/// = 1 / (1 + exp(-z)). The order of sums is fixed, so the bits are the same on every machine. Cost: kFeatureCount *
/// kHiddenCount multiplications.
class ValueNetwork {
 public:
  static constexpr std::size_t kHiddenCount = 128;
  /// Names and order are those of data/learned_values.json.
  struct Values {
    float of_features[kFeatureCount][kHiddenCount];
    float of_map[kMapFeatureCount][kHiddenCount];
    float bias[kHiddenCount];
    float out[kHiddenCount];
    float out_bias;
  };

  /// Adds weights times inputs to hidden, with the same bits for all SIMD targets.
  using Add = void (*)(const float (*weights)[kHiddenCount], std::span<const float> inputs, float* hidden) noexcept;

  [[nodiscard]] static const Values& values(CarKind kind) noexcept;

  ValueNetwork(CarKind kind, const DistanceField& field);

  [[nodiscard]] double chance_to_win(engine::Player side,
                                     std::span<const float, kFeatureCount> features) const noexcept;

 private:
  using Hidden = std::array<float, kHiddenCount>;

  const Values* values_;
  Add add_;
  std::array<Hidden, 2> begin_;  // bias and map, by side
};

}  // namespace forkmunk::planning
