#include "evaluators/value_network.h"

#include <forkmunk/base/simd_target.h>
#include <forkmunk/strict_math/force_inline.h>
#include <forkmunk/strict_math/inlined.h>

#include <cstring>

namespace forkmunk::search {
namespace {

constexpr std::size_t kHidden = ValueNetwork::kHiddenCount;

constexpr ValueNetwork::Values kValues[kCarKindCount] =
#include "learned_values.inc"
    ;

using Floats4 = float __attribute__((vector_size(16)));
using Floats8 = float __attribute__((vector_size(32)));
using Floats16 = float __attribute__((vector_size(64)));

template <typename L>
FORKMUNK_INLINE void load(const float* from, L& to) noexcept {
  std::memcpy(&to, from, sizeof to);
}

// hidden[u] += weights[i][u] * inputs[i] for each unit u, in the order of i: the same bits for any number of SIMD
// lanes. Everything is forced inline, so that it is compiled for the caller's SIMD target.
template <typename L>
FORKMUNK_INLINE void add_products(const float (*weights)[kHidden], std::span<const float> inputs,
                                  float* hidden) noexcept {
  constexpr std::size_t kLanes = sizeof(L) / sizeof(float);
  L sums[kHidden / kLanes];
  std::memcpy(sums, hidden, sizeof sums);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t l = 0; l < kHidden / kLanes; ++l) {
      L some;
      load(weights[i] + l * kLanes, some);
      sums[l] += some * inputs[i];
    }
  }
  std::memcpy(hidden, sums, sizeof sums);
}

void add_baseline(const float (*weights)[kHidden], std::span<const float> inputs, float* hidden) noexcept {
  add_products<Floats4>(weights, inputs, hidden);
}

#ifdef __x86_64__
[[gnu::target("avx2"), gnu::flatten]] void add_avx2(const float (*weights)[kHidden], std::span<const float> inputs,
                                                    float* hidden) noexcept {
  add_products<Floats8>(weights, inputs, hidden);
}
[[gnu::target("avx512f"), gnu::flatten]] void add_avx512(const float (*weights)[kHidden], std::span<const float> inputs,
                                                         float* hidden) noexcept {
  add_products<Floats16>(weights, inputs, hidden);
}
#endif

ValueNetwork::Add add_in_use() {
#ifdef __x86_64__
  if (simd_target() == SimdTarget::avx512) return add_avx512;
  if (simd_target() == SimdTarget::avx2) return add_avx2;
#endif
  return add_baseline;
}

}  // namespace

const ValueNetwork::Values& ValueNetwork::values(CarKind kind) noexcept {
  return kValues[static_cast<std::size_t>(kind)];
}

ValueNetwork::ValueNetwork(CarKind kind, const DistanceField& field) : values_(&values(kind)), add_(add_in_use()) {
  for (const engine::Player side : engine::kPlayers) {
    Hidden& begin = begin_[engine::index_of(side)];
    std::memcpy(begin.data(), values_->bias, sizeof begin);
    std::array<float, kMapFeatureCount> map{};
    measure_map(field, side, map);
    add_(values_->of_map, map, begin.data());
  }
}

double ValueNetwork::chance_to_win(engine::Player side, std::span<const float, kFeatureCount> features) const noexcept {
  Hidden hidden = begin_[engine::index_of(side)];
  add_(values_->of_features, features, hidden.data());
  Floats4 sum{};
  for (std::size_t unit = 0; unit < hidden.size(); unit += 4) {
    Floats4 some, out;
    load(hidden.data() + unit, some);
    load(values_->out + unit, out);
    sum += (some > 0 ? some : Floats4{}) * out;
  }
  const float z = values_->out_bias + ((sum[0] + sum[1]) + (sum[2] + sum[3]));
  return 1 / (1 + strict_math::inlined::exp(-static_cast<double>(z)));
}

}  // namespace forkmunk::search
