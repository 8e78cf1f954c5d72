// SPDX-License-Identifier: MIT
#include "pow_table.h"

#include <forkmunk/strict_math/inlined.h>

#include <cmath>
#include <limits>

// The exponential beyond the common path of inlined.h, and the power x^y = e^(y ln x). The logarithm has about 68 bits
// as a sum of two doubles. The order of operations is that of ARM's optimized routines without fused multiply-add.
// Copyright (c) 2018, Arm Limited: LICENSES/optimized-routines.txt.

namespace forkmunk::strict_math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double overflown(bool negative) noexcept { return negative ? -kInfinity : kInfinity; }

double underflown(bool negative) noexcept { return negative ? -0.0 : 0.0; }

/// Computes sign e^x from its factors where the result may be beyond the normal doubles: |x| from 512 to 1024.
///
/// \param factors  the factors of e^x; scale_bits has the sign.
/// \param steps    the steps of the reduced exponent; bit 31 is set if x is negative.
double scaled_far(const inlined::ExpFactors& factors, std::uint64_t steps) noexcept {
  constexpr std::uint64_t kExponentUnit = std::uint64_t{1} << 52;
  if ((steps & 0x80000000) == 0) {  // large: 2^1009 is split off, so that the exponent is valid again
    const double scale = std::bit_cast<double>(factors.scale_bits - 1009 * kExponentUnit);
    return 0x1p1009 * (scale + scale * factors.excess);
  }
  const std::uint64_t scale_bits = factors.scale_bits + 1022 * kExponentUnit;
  const double scale = std::bit_cast<double>(scale_bits);
  double result = scale + scale * factors.excess;
  if (std::fabs(result) < 1.0) {
    // The result is denormal. It is rounded once, here, where 1 + result has exactly the bits that a denormal keeps.
    const double one = result < 0.0 ? -1.0 : 1.0;
    const double error = scale - result + scale * factors.excess;
    const double rounded = one + result;
    result = (rounded + (one - rounded + result + error)) - one;
    if (result == 0.0) result = std::bit_cast<double>(scale_bits & inlined::kSignBit);
  }
  return 0x1p-1022 * result;
}

/// An unevaluated sum, in which `low` is the rounding error of `high`.
struct TwoDoubles {
  double high;
  double low;
};

/// Returns the logarithm of the double with these bits. The exponent field may lie below 0, for a denormal that was
/// normalised.
TwoDoubles logarithm(std::uint64_t bits) noexcept {
  // x = 2^k z with z in [0x1.69555p-1, 0x1.69555p0); row i of the table has a c near z.
  const std::uint64_t offset = bits - 0x3fe6955500000000;
  const LogTableRow& row = kLogTable[(offset >> 45) % kLogTableSize];
  const double k = static_cast<double>(static_cast<std::int64_t>(offset) >> 52);
  const std::uint64_t z_bits = bits - (offset & (std::uint64_t{0xfff} << 52));
  const double z = std::bit_cast<double>(z_bits);

  // r = z/c - 1 in two parts, the first of which can be squared exactly.
  const double z_high = std::bit_cast<double>((z_bits + 0x80000000) & ~std::uint64_t{0xffffffff});
  const double r_high = z_high * row.inverse - 1.0;
  const double r_low = (z - z_high) * row.inverse;
  const double r = r_high + r_low;

  // k ln(2) + ln(c) + r, its rounding error, and the first two terms of ln(1 + r): r - r^2/2.
  const double base = k * 0x1.62e42fefa38p-1 + row.log;
  const double with_r = base + r;
  const double low_1 = k * 0x1.ef35793c7673p-45 + row.log_tail;
  const double low_2 = base - with_r + r;
  const double half_r = -0.5 * r, half_r2 = r * half_r, half_r3 = r * half_r2;
  const double half_high = -0.5 * r_high, half_high2 = r_high * half_high;
  const double high = with_r + half_high2;
  const double low_3 = r_low * (half_r + half_high);
  const double low_4 = with_r - high + half_high2;

  // The rest of ln(1 + r), in powers of r and -r^2/2. The coefficients include the factor.
  const double terms_56 = -0x1.2495b9b4845e9p+0 + r * 0x1.0002b8b263fc3p+0;
  const double terms_34 = 0x1.999999959554ep-1 + r * -0x1.555555529a47ap-1;
  const double terms_12 = -0x1.555555555556p-1 + r * 0x1.0000000000006p-1;
  const double polynomial = half_r3 * (terms_12 + half_r2 * (terms_34 + half_r2 * terms_56));
  const double low = low_1 + low_2 + low_3 + low_4 + polynomial;
  const double sum = high + low;
  return {sum, high - sum + low};
}

/// Returns sign e^(x.high + x.low).
double exponential(TwoDoubles x, std::uint64_t sign) noexcept {
  const std::uint32_t exponent = inlined::biased_exponent(x.high);
  const bool plain = inlined::is_plain_exponent(x.high);
  if (!plain) {
    if (exponent < 0x3ff) return inlined::flip_sign(1.0 + x.high, sign);
    if (exponent >= 0x409) return x.high < 0 ? underflown(sign != 0) : overflown(sign != 0);
  }
  const inlined::ReducedExponent reduced = inlined::reduce_exponent(x.high);
  inlined::ExpFactors factors = inlined::exp_factors(reduced.rest + x.low, reduced.steps);
  factors.scale_bits += sign;
  if (!plain) return scaled_far(factors, reduced.steps);
  const double scale = std::bit_cast<double>(factors.scale_bits);
  return scale + scale * factors.excess;
}

bool is_integer(double y) noexcept { return std::trunc(y) == y; }
bool is_odd(double y) noexcept { return std::fabs(y) < 0x1p53 && is_integer(y) && !is_integer(0.5 * y); }

/// Returns x^y where x or y is 0, infinite or NaN.
double power_of_extremes(double x, double y) noexcept {
  if (y == 0 || x == 1) return 1.0;  // also if the other is NaN
  if (std::isnan(x) || std::isnan(y)) return x + y;
  if (std::isinf(y)) {
    const double size = std::fabs(x);
    if (size == 1) return 1.0;
    return (size < 1) == (y < 0) ? kInfinity : 0.0;
  }
  const double size = (x == 0) == (y < 0) ? kInfinity : 0.0;
  return std::signbit(x) && is_odd(y) ? -size : size;
}

bool is_zero_or_not_finite(double x) noexcept { return x == 0 || inlined::biased_exponent(x) == 0x7ff; }

}  // namespace

double inlined::exp_of_extreme(double x) noexcept {
  if (biased_exponent(x) < 0x3ff) return 1.0 + x;
  if (biased_exponent(x) == 0x7ff) return x == -std::numeric_limits<double>::infinity() ? 0.0 : 1.0 + x;
  if (std::fabs(x) >= 1024) return x < 0 ? underflown(false) : overflown(false);
  const ReducedExponent reduced = reduce_exponent(x);
  return scaled_far(exp_factors(reduced.rest, reduced.steps), reduced.steps);
}

double pow(double base, double exponent) noexcept {
  const double x = base, y = exponent;
  std::uint64_t x_bits = std::bit_cast<std::uint64_t>(x);
  std::uint64_t sign = 0;
  // In the usual case x is positive and normal, and |y| is from 2^-65 to below 2^63.
  const std::uint32_t y_exponent = inlined::biased_exponent(y);
  const bool plain_y = y_exponent - 0x3be < 0x43e - 0x3be;
  if ((x_bits >> 52) - 1 >= 0x7fe || !plain_y) [[unlikely]] {
    if (is_zero_or_not_finite(x) || is_zero_or_not_finite(y)) return power_of_extremes(x, y);
    if (x < 0) {
      if (!is_integer(y)) return std::numeric_limits<double>::quiet_NaN();
      if (is_odd(y)) sign = inlined::kSignBit;
    }
    const double size = std::fabs(x);
    if (!plain_y) {
      if (size == 1) return 1.0;
      if (y_exponent < 0x3be) return size > 1 ? 1.0 + y : 1.0 - y;
      return (size > 1) == (y > 0) ? overflown(false) : underflown(false);
    }
    x_bits = std::bit_cast<std::uint64_t>(size);
    if (size < std::numeric_limits<double>::min()) {
      x_bits = std::bit_cast<std::uint64_t>(size * 0x1p52) - (std::uint64_t{52} << 52);
    }
  }

  // The product y ln(x) is split so that its high part is exact.
  const TwoDoubles log = logarithm(x_bits);
  constexpr std::uint64_t kUpperBits = ~std::uint64_t{0x7ffffff};
  const double y_high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(y) & kUpperBits);
  const double y_low = y - y_high;
  const double log_high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(log.high) & kUpperBits);
  const double log_low = log.high - log_high + log.low;
  return exponential({y_high * log_high, y_low * log_high + y * log_low}, sign);
}

}  // namespace forkmunk::strict_math
