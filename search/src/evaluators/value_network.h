#pragma once

#include "evaluators/features.h"

#include <forkmunk/search/weights.h>

#include <array>

namespace forkmunk::search {

/// The chance to win from a state: a value network of one hidden layer, trained on self-play, for each kind of car.
///
/// Symbols: x features, m the map's, H hidden units; z = b + sum over units of w * max(0, b_u + W_u x + M_u m);
/// chance = 1 / (1 + exp(-z)), the logistic function. The order of sums is fixed: the same bits on every machine.
/// Cost: kFeatureCount * kHiddenCount multiplications. The numbers are in data/learned_values.json, made by
/// scripts/learn_values.
class ValueNetwork {
 public:
  static constexpr std::size_t kHiddenCount = 128;
  /// Members by their names in data/learned_values.json, and in that order.
  struct Values {
    float of_features[kFeatureCount][kHiddenCount];
    float of_map[kMapFeatureCount][kHiddenCount];
    float bias[kHiddenCount];
    float out[kHiddenCount];
    float out_bias;
  };

  /// hidden += weights times inputs, with the SIMD instructions of simd_target(); the same bits for all.
  using Add = void (*)(const float (*weights)[kHiddenCount], std::span<const float> inputs, float* hidden) noexcept;

  [[nodiscard]] static const Values& values(CarKind kind) noexcept;

  ValueNetwork(CarKind kind, const DistanceField& field);

  /// 0 to 1.
  [[nodiscard]] double chance_to_win(engine::Player side,
                                     std::span<const float, kFeatureCount> features) const noexcept;

 private:
  using Hidden = std::array<float, kHiddenCount>;

  const Values* values_;
  Add add_;
  std::array<Hidden, 2> begin_;  // bias and map, by side
};

}  // namespace forkmunk::search
