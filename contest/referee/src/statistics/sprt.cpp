#include "outcomes.h"

#include <forkmunk/referee/statistics/elo.h>
#include <forkmunk/referee/statistics/sprt.h>

#include <cmath>

namespace forkmunk::referee::statistics {
namespace {

constexpr double kCountOfNever = 1e-3;
// Bisections of an interval of length about 4: more than the bits of a double.
constexpr int kHalvings = 64;

/// x of log_likelihood_ratio(). The sum falls from +infinity to -infinity between the two poles, -1 / (1 - s) and 1 /
/// s.
double tilt(const Counts<5>& counts, double s) noexcept {
  double low = -1 / (1 - s);
  double high = 1 / s;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = low + (high - low) / 2;
    double sum = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const double excess = worth<5>(k) - s;
      sum += counts[k] * excess / (1 + middle * excess);
    }
    (sum > 0 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace

bool is_valid(const SprtOptions& options) noexcept {
  return -kSprtEloMax <= options.elo0 && options.elo0 < options.elo1 && options.elo1 <= kSprtEloMax &&
         options.alpha > 0 && options.beta > 0 && options.alpha + options.beta < 1;
}

SprtBounds sprt_bounds(const SprtOptions& options) noexcept {
  return {.lower = std::log(options.beta / (1 - options.alpha)), .upper = std::log((1 - options.beta) / options.alpha)};
}

double log_likelihood_ratio(const PairRecord& record, const SprtOptions& options) noexcept {
  Counts<5> counts = counts_of(record);
  if (total(counts) == 0) return 0;
  for (double& count : counts) {
    if (count == 0) count = kCountOfNever;
  }
  const double s0 = score_from_elo(options.elo0);
  const double s1 = score_from_elo(options.elo1);
  const double x0 = tilt(counts, s0);
  const double x1 = tilt(counts, s1);
  double llr = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    llr += counts[i] * (std::log1p(x0 * (worth<5>(i) - s0)) - std::log1p(x1 * (worth<5>(i) - s1)));
  }
  return llr;
}

SprtDecision sprt_decision(double llr, const SprtOptions& options) noexcept {
  const SprtBounds bounds = sprt_bounds(options);
  if (llr <= bounds.lower) return SprtDecision::accept_h0;
  if (llr >= bounds.upper) return SprtDecision::accept_h1;
  return SprtDecision::undecided;
}

}  // namespace forkmunk::referee::statistics
