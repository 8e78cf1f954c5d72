#include "extreme_exp.h"

#include <cmath>
#include <limits>

namespace forkmunk::strict_math {

double overflown(bool negative) noexcept {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return negative ? -kInfinity : kInfinity;
}

double underflown(bool negative) noexcept { return negative ? -0.0 : 0.0; }

double scaled_far(const inlined::ExpFactors& factors, std::uint64_t steps) noexcept {
  constexpr std::uint64_t kExponentUnit = std::uint64_t{1} << 52;
  if ((steps & 0x80000000) == 0) {  // large: 2^1009 apart, its exponent is valid again
    const double scale = std::bit_cast<double>(factors.scale_bits - 1009 * kExponentUnit);
    return 0x1p1009 * (scale + scale * factors.excess);
  }
  const std::uint64_t scale_bits = factors.scale_bits + 1022 * kExponentUnit;
  const double scale = std::bit_cast<double>(scale_bits);
  double result = scale + scale * factors.excess;
  if (std::fabs(result) < 1.0) {
    // The result is denormal: round it once, here, where 1 + result has exactly the bits that a denormal keeps.
    const double one = result < 0.0 ? -1.0 : 1.0;
    const double error = scale - result + scale * factors.excess;
    const double rounded = one + result;
    result = (rounded + (one - rounded + result + error)) - one;
    if (result == 0.0) result = std::bit_cast<double>(scale_bits & inlined::kSignBit);
  }
  return 0x1p-1022 * result;
}

double inlined::exp_of_extreme(double x) noexcept {
  if (biased_exponent(x) < 0x3ff) return 1.0 + x;  // tiny
  if (biased_exponent(x) == 0x7ff) return x == -std::numeric_limits<double>::infinity() ? 0.0 : 1.0 + x;
  if (std::fabs(x) >= 1024) return x < 0 ? underflown(false) : overflown(false);
  const ReducedExponent reduced = reduce_exponent(x);
  return scaled_far(exp_factors(reduced.rest, reduced.steps), reduced.steps);
}

}  // namespace forkmunk::strict_math
