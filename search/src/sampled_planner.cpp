// SPDX-License-Identifier: MIT
#include <forkmunk/search/sampled_planner.h>
#include <forkmunk/strict_math/strict_math.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace forkmunk::search {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// As a part of high - low, so that cross_entropy keeps exploring.
constexpr double kLeastDeviation = 0.01;
constexpr std::size_t kNumbersMax = std::size_t{1} << 28;
constexpr double kLimitMax = 1e100;  // so that sums of squares stay finite

// Errors name options as Python does: plans and rounds are plan_count and round_count.
void require(bool good, const char* option, const char* expected) {
  if (!good) throw Error("a planner's ", option, ": expected ", expected);
}

void check(SamplingMethod method, const SamplingOptions& options) {
  require(!options.low.empty() && options.low.size() == options.high.size(), "low, high",
          "one limit for each control in both");
  for (std::size_t i = 0; i < options.low.size(); ++i) {
    require(std::abs(options.low[i]) <= kLimitMax && std::abs(options.high[i]) <= kLimitMax &&
                options.low[i] < options.high[i],
            "low, high", "numbers from -1e100 to 1e100, low below high");
  }
  require(options.horizon >= 1, "horizon", "1 or more");
  const bool is_stretched = method == SamplingMethod::stretched;
  require(options.plan_count >= (is_stretched ? 2 : 3), "plans", is_stretched ? "2 or more" : "3 or more");
  require(options.round_count >= 1, "rounds", "1 or more");
  require(options.hold >= 1 && options.hold <= options.horizon, "hold", "1 to the horizon");
  require(options.horizon <= kNumbersMax / options.low.size() / options.plan_count, "horizon, plans",
          "less than 2^28 numbers in a round");
  require(options.spread > 0 && options.spread <= 10, "spread", "a number above 0, at most 10");
  require(options.elites > 0 && options.elites <= 1, "elites", "a number above 0, at most 1");
  require(options.temperature > 0 && std::isfinite(options.temperature), "temperature", "a finite number above 0");
}

}  // namespace

SampledPlanner::SampledPlanner(SamplingMethod method, SamplingOptions options)
    : method_(method), options_(std::move(options)), random_(options_.seed) {
  check(method, options_);
  size_ = options_.horizon * width();
  plans_.resize(options_.plan_count * size_);
  costs_.resize(options_.plan_count);
  order_.resize(options_.plan_count);
  reset();
}

void SampledPlanner::reset() {
  mean_.clear();
  for (std::size_t t = 0; t < options_.horizon; ++t) {
    for (std::size_t k = 0; k < width(); ++k) mean_.push_back(0.5 * (options_.low[k] + options_.high[k]));
  }
  best_ = mean_;
  cost_ = kInfinite;
}

std::span<const double> SampledPlanner::best() const noexcept {
  return method_ == SamplingMethod::path_integral ? mean_ : best_;
}

void SampledPlanner::advance(std::size_t action_count) {
  for (std::vector<double>* plan : {&mean_, &best_}) {
    const auto taken = static_cast<std::ptrdiff_t>(std::min(action_count, options_.horizon - 1) * width());
    std::copy(plan->begin() + taken, plan->end(), plan->begin());
    for (std::size_t i = size_ - static_cast<std::size_t>(taken); i < size_; ++i) (*plan)[i] = (*plan)[i - width()];
  }
  cost_ = kInfinite;
}

// Sums four uniform numbers, scaled to a variance of 1: close to a normal distribution, at most 3.5 deviations, with
// the same bits everywhere.
double SampledPlanner::normal() noexcept {
  constexpr double kSqrt3 = 1.7320508075688772;
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += random_.between(-0.5, 0.5);
  return sum * kSqrt3;
}

double SampledPlanner::clipped(double value, std::size_t number) const noexcept {
  return std::clamp(value, options_.low[number % width()], options_.high[number % width()]);
}

void SampledPlanner::draw_around(std::span<double> plan) {
  for (std::size_t first = 0; first < options_.horizon; first += options_.hold) {
    const std::size_t end = std::min(first + options_.hold, options_.horizon);
    for (std::size_t k = 0; k < width(); ++k) {
      const double noise = normal();
      for (std::size_t t = first; t < end; ++t) {
        const std::size_t i = t * width() + k;
        plan[i] = clipped(mean_[i] + noise * deviation_[i], i);
      }
    }
  }
}

// Replaces one stretch of the best plan by a random action, or by one close to the stretch's first.
void SampledPlanner::draw_child(std::span<double> plan) {
  std::ranges::copy(best_, plan.begin());
  const std::size_t first = random_.below(options_.horizon);
  const std::size_t length = options_.hold + random_.below(options_.horizon);
  const std::size_t end = std::min(first + length, options_.horizon);
  const bool close = random_.below(2) == 0;
  for (std::size_t k = 0; k < width(); ++k) {
    const std::size_t from = first * width() + k;
    const double near = clipped(best_[from] + normal() * deviation_[from], from);
    const double any =
        clipped(random_.between(options_.low[k], options_.high[k]), from);  // rounding may exceed the limits
    for (std::size_t t = first; t < end; ++t) plan[t * width() + k] = close ? near : any;
  }
}

// The last plan is played again, because its cost may have changed.
void SampledPlanner::draw() {
  std::ranges::copy(best_, row(0).begin());
  for (std::size_t plan = 1; plan < options_.plan_count; ++plan) {
    if (method_ == SamplingMethod::stretched) {
      draw_child(row(plan));
    } else if (plan == 1) {
      std::ranges::copy(mean_, row(plan).begin());
    } else {
      draw_around(row(plan));
    }
  }
}

void SampledPlanner::fit_to_elites() {
  const auto wanted = static_cast<std::size_t>(options_.elites * static_cast<double>(options_.plan_count));
  const std::size_t count = std::clamp<std::size_t>(wanted, 2, options_.plan_count);
  for (std::size_t i = 0; i < size_; ++i) {
    double sum = 0, squares = 0;
    for (std::size_t e = 0; e < count; ++e) sum += row(order_[e])[i];
    mean_[i] = clipped(sum / static_cast<double>(count), i);  // a mean of equal numbers may round beyond the limits
    for (std::size_t e = 0; e < count; ++e) {
      const double off = row(order_[e])[i] - mean_[i];
      squares += off * off;
    }
    const std::size_t k = i % width();
    deviation_[i] = std::max(std::sqrt(squares / static_cast<double>(count)),
                             kLeastDeviation * (options_.high[k] - options_.low[k]));
  }
}

void SampledPlanner::weigh() {
  std::vector<double> sums(size_);
  double weights = 0;
  for (std::size_t plan = 0; plan < options_.plan_count; ++plan) {
    if (costs_[plan] == kInfinite) continue;
    // The difference of two costs of minus infinity is not a number.
    const double weight = costs_[plan] == cost_ ? 1 : strict_math::exp((cost_ - costs_[plan]) / options_.temperature);
    weights += weight;
    for (std::size_t i = 0; i < size_; ++i) sums[i] += weight * row(plan)[i];
  }
  for (std::size_t i = 0; i < size_; ++i) mean_[i] = clipped(sums[i] / weights, i);
}

void SampledPlanner::learn() {
  for (double& cost : costs_) {
    if (std::isnan(cost)) cost = kInfinite;
  }
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [this](std::size_t a, std::size_t b) { return costs_[a] < costs_[b]; });
  if (costs_[order_[0]] == kInfinite) return;  // no plan had a finite cost
  cost_ = costs_[order_[0]];
  std::ranges::copy(row(order_[0]), best_.begin());
  if (method_ == SamplingMethod::cross_entropy) fit_to_elites();
  if (method_ == SamplingMethod::path_integral) weigh();
}

std::span<const double> SampledPlanner::plan(const ScorePlans& score) {
  if (!score) throw Error("SampledPlanner::plan(): score is empty; give a function that scores plans");
  if (plans_.empty()) throw Error("SampledPlanner::plan(): the planner was moved from");
  deviation_.resize(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    const std::size_t k = i % width();
    deviation_[i] = options_.spread * (options_.high[k] - options_.low[k]);
  }
  for (std::size_t round = 0; round < options_.round_count; ++round) {
    draw();
    score(plans_, costs_);
    if (round == 0) cost_ = kInfinite;  // only now, because `score` may throw
    learn();
  }
  return best();
}

}  // namespace forkmunk::search
