#include <forkmunk/referee/statistics/interval.h>

#include <algorithm>
#include <cmath>

namespace forkmunk::referee::statistics {

Interval wilson_interval(double proportion, double sample_size) noexcept {
  const double z2 = kNormalQuantile95 * kNormalQuantile95 / sample_size;
  const double center = (proportion + z2 / 2) / (1 + z2);
  const double half_width = std::sqrt(z2 * (proportion * (1 - proportion) + z2 / 4)) / (1 + z2);
  // Rounding must not move the ends from 0 and 1: 1 - 1e-16 would be a finite Elo.
  return {.low = proportion <= 0 ? 0 : std::max(0.0, center - half_width),
          .high = proportion >= 1 ? 1 : std::min(1.0, center + half_width)};
}

}  // namespace forkmunk::referee::statistics
