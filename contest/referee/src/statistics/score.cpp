#include "outcomes.h"

#include <forkmunk/referee/statistics/score.h>

#include <cmath>

namespace forkmunk::referee::statistics {
namespace {

struct Moments {
  double mean = 0;
  double variance = 0;
};

template <std::size_t size>
Moments moments_of(const Counts<size>& counts) noexcept {
  Moments moments;
  const double n = total(counts);
  for (std::size_t i = 0; i < size; ++i) moments.mean += counts[i] * worth<size>(i);
  moments.mean /= n;
  for (std::size_t i = 0; i < size; ++i) {
    const double deviation = worth<size>(i) - moments.mean;
    moments.variance += counts[i] * deviation * deviation;
  }
  moments.variance /= n;
  return moments;
}

/// f of score_of(): in (0, 1].
template <std::size_t size>
double variance_fraction(Counts<size> counts) noexcept {
  counts.front() += 2;
  counts.back() += 2;
  const Moments moments = moments_of(counts);
  return moments.variance / (moments.mean * (1 - moments.mean));
}

template <std::size_t size>
std::optional<Score> score_of_counts(const Counts<size>& counts) noexcept {
  const double n = total(counts);
  if (n == 0) return std::nullopt;
  const Moments moments = moments_of(counts);
  return Score{.value = moments.mean,
               .standard_error = std::sqrt(moments.variance / n),
               .interval = wilson_interval(moments.mean, n / variance_fraction(counts))};
}

}  // namespace

std::optional<Score> score_of(const Record& record) noexcept { return score_of_counts(counts_of(record)); }

std::optional<Score> score_of(const PairRecord& record) noexcept { return score_of_counts(counts_of(record)); }

}  // namespace forkmunk::referee::statistics
