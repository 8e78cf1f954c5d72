#include <forkmunk/referee/statistics/elo.h>

#include <cmath>
#include <limits>

namespace forkmunk::referee::statistics {
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

}  // namespace forkmunk::referee::statistics
