#include "outcomes.h"

#include <forkmunk/statistics/elo.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace forkmunk::statistics {
namespace {

template <std::size_t size>
double superiority(const Counts<size>& counts) noexcept {
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double excess = worth<size>(i) - 0.5;
    sum += counts[i] * excess;
    squares += counts[i] * excess * excess;
  }
  if (squares == 0) return 0.5;
  // Phi(t) by erfc, which stays exact where t is far below 0.
  return std::erfc(-sum / std::sqrt(squares) / std::numbers::sqrt2) / 2;
}

}  // namespace

double elo_from_score(double score) noexcept {
  if (score <= 0) return -std::numeric_limits<double>::infinity();
  if (score >= 1) return std::numeric_limits<double>::infinity();
  return 400 * std::log10(score / (1 - score));
}

double score_from_elo(double elo) noexcept { return 1 / (1 + std::pow(10.0, -elo / 400)); }

EloDifference elo_of(const Score& score) noexcept {
  return {.value = elo_from_score(score.value),
          .interval = {.low = elo_from_score(score.interval.low), .high = elo_from_score(score.interval.high)}};
}

double likelihood_of_superiority(const Record& record) noexcept { return superiority(counts_of(record)); }

double likelihood_of_superiority(const PairRecord& record) noexcept { return superiority(counts_of(record)); }

}  // namespace forkmunk::statistics
