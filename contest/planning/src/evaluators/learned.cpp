// SPDX-License-Identifier: MIT
#include "learned.h"

#include "term_evaluator.h"

#include <forkmunk/base/simd_target.h>
#include <forkmunk/strict_math/inlined.h>

#include <cstring>
#include <optional>

namespace forkmunk::planning {
namespace {

constexpr Vec2 kMiddle{engine::kFieldWidth / 2, engine::kFieldHeight / 2};
constexpr double kFast = 500;
constexpr double kAround = 100;
constexpr double kAheadSeconds = 10 * engine::kTickSeconds;

class Writer {
 public:
  explicit Writer(std::span<float> to) : to_(to) {}
  void put(double x) noexcept { to_[count_++] = static_cast<float>(x); }
  void put_cut(double x, double most) noexcept { put(std::clamp(x, -most, most)); }
  void put_part(double x, double whole) noexcept { put(std::min(x / whole, 1.0)); }

 private:
  std::span<float> to_;
  std::size_t count_ = 0;
};

// My own terms come first, then the other side's.
enum Pair : std::size_t { kHelpless = 0, kNearness = 2, kRam = 4, kSpeed = 6, kTilt = 10, kRoom = 12, kLow = 14 };

void measure_car(const CarView& car, const CarView& other, double mirror, const DistanceField& field,
                 const CombinedValues& combined, std::size_t of_pair, Writer& out) noexcept {
  const Vec2 offset = car.centre - kMiddle;
  out.put(mirror * offset.x / kMiddle.x);
  out.put(offset.y / kMiddle.y);
  out.put(mirror * car.forward.x);
  out.put(car.forward.y);
  out.put_cut(mirror * car.velocity.x / kFast, 2);
  out.put_cut(car.velocity.y / kFast, 2);
  out.put_cut(mirror * car.rate / 10, 2);

  // The springs, and the wheels' distances from the ground.
  out.put_cut(car.to_local(car.rear_wheel).y / 20, 2);
  out.put_cut(car.to_local(car.front_wheel).y / 20, 2);
  out.put_part(field.at(car.rear_wheel), 60);
  out.put_part(field.at(car.front_wheel), 60);

  const double room = combined[kRoom + of_pair];
  out.put(room);
  out.put_part(room, 40.0 / 150);
  out.put_part(field.at(car.button + car.velocity * kAheadSeconds), 150);
  out.put_part(field.at(car.centre + Vec2{mirror * kAround, 0}), kAround);
  out.put_part(field.at(car.centre - Vec2{mirror * kAround, 0}), kAround);
  out.put_part(field.at(car.centre + Vec2{0, kAround}), kAround);
  out.put_part(field.at(car.centre - Vec2{0, kAround}), kAround);
  out.put(combined[kLow + of_pair]);
  out.put((car.button_low - kMiddle.y) / kMiddle.y);

  const Vec2 target = car.to_local(other.button);
  out.put_cut(target.x / 200, 3);
  out.put_cut(target.y / 200, 3);
  out.put(dot(other.button_normal, car.forward));
  out.put(dot(other.button_normal, car.up));
  const Vec2 motion = other.velocity - car.velocity;
  out.put_cut(dot(motion, car.forward) / kFast, 2);
  out.put_cut(dot(motion, car.up) / kFast, 2);
  for (const Pair pair : {kNearness, kRam, kHelpless, kTilt, kSpeed}) out.put(combined[pair + of_pair]);
  const double gap = distance_to_hull(car, other.button);
  out.put_part(gap, 100);
  out.put_part(gap, 30);
}

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

// Computes hidden[u] += weights[i][u] * inputs[i] in the order of i, with the same bits for any number of SIMD lanes.
// Forced inline, so that it is compiled for the caller's SIMD target.
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

void measure_features(const Scene& scene, engine::Player side, const DistanceField& field, double deadline, int tick,
                      const CombinedValues& combined, std::span<float, kFeatureCount> features) noexcept {
  const auto& [mine, enemy] = scene;
  const double mirror = side == engine::Player::first ? 1 : -1;
  Writer out(features);
  measure_car(mine, enemy, mirror, field, combined, 0, out);
  measure_car(enemy, mine, mirror, field, combined, 1, out);
  const double height = std::clamp((mine.button_low - enemy.button_low) / 200, -2.0, 2.0);
  out.put(deadline / kMiddle.y);
  out.put_part(tick, engine::kTicksToDeadline);
  out.put(late(tick));
  out.put(height);
  out.put(height * late(tick));
  out.put_cut(length(mine.centre - enemy.centre) / 400, 3);
}

void measure_map(const DistanceField& field, engine::Player side,
                 std::span<float, kMapFeatureCount> features) noexcept {
  const double mirror = side == engine::Player::first ? 1 : -1;
  Writer out(features);
  for (const double x : {-450.0, -225.0, 0.0}) {
    for (const double y : {-250.0, 0.0, 250.0}) out.put_part(field.at(kMiddle + Vec2{mirror * x, y}), 150);
  }
}

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

namespace {

constexpr auto kTerms = [] {
  std::array<std::string_view, kCombinedTerms.size() + 1> terms;
  std::ranges::copy(kCombinedTerms, terms.begin());
  terms.back() = "winning";
  return terms;
}();
constexpr std::size_t kWinning = kTerms.size() - 1;

// `combined`, plus the chance to win (winning), which is learned by self-play. The chance has the largest weight, but
// is too coarse alone. Cost: 0.6 us; 0.7 without AVX2.
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
