#include "evaluators/value_network.h"

#include <forkmunk/strict_math/inlined.h>

#include <cstring>

namespace forkmunk::search {
namespace {

constexpr ValueNetwork::Values kValues[kCarKindCount] = {
#include "evaluators/learned_values.inc"
};

}  // namespace

inline void ValueNetwork::add(Hidden& to, const float (&weights)[kHiddenCount], float factor) noexcept {
  for (std::size_t i = 0; i < to.size(); ++i) {
    Lanes some;
    std::memcpy(&some, weights + i * kLanes, sizeof some);
    to[i] += some * factor;
  }
}

const ValueNetwork::Values& ValueNetwork::values(CarKind kind) noexcept {
  return kValues[static_cast<std::size_t>(kind)];
}

ValueNetwork::ValueNetwork(CarKind kind, const DistanceField& field) noexcept : values_(&values(kind)) {
  for (const engine::Player side : engine::kPlayers) {
    Hidden& begin = begin_[engine::index_of(side)];
    std::memcpy(begin.data(), values_->bias, sizeof begin);
    std::array<float, kMapFeatureCount> map{};
    measure_map(field, side, map);
    for (std::size_t i = 0; i < map.size(); ++i) add(begin, values_->of_map[i], map[i]);
  }
}

double ValueNetwork::chance_to_win(engine::Player side, std::span<const float, kFeatureCount> features) const noexcept {
  Hidden hidden = begin_[engine::index_of(side)];
  for (std::size_t i = 0; i < features.size(); ++i) add(hidden, values_->of_features[i], features[i]);
  Lanes sum{};
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    Lanes out;
    std::memcpy(&out, values_->out + i * kLanes, sizeof out);
    sum += (hidden[i] > 0 ? hidden[i] : Lanes{}) * out;
  }
  const float z = values_->out_bias + ((sum[0] + sum[1]) + (sum[2] + sum[3]));
  return 1 / (1 + strict_math::inlined::exp(-static_cast<double>(z)));
}

}  // namespace forkmunk::search
