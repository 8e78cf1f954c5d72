// SPDX-License-Identifier: MIT AND SunPro
#pragma once

#include <forkmunk/strict_math/exp_table.h>
#include <forkmunk/strict_math/strict_math.h>

#include <bit>
#include <cfloat>
#include <cstdint>

// The common paths of sin, cos and exp without a call, for this project's own sources. The bits need the project's
// flags (forkmunk_flags: no fast-math, no contraction, no vectorising by gcc), so everything is forced inline. Other
// programs include strict_math.h.
//
// The order of operations fixes the bits. It is the order of FreeBSD's msun (sin, cos), of ARM's optimized routines
// (exp) and of musl 1.2.3. Copyright (c) 1993 Sun Microsystems, Inc.; (c) 2018, Arm Limited; (c) 2005-2020 Rich Felker,
// et al.: msun.txt, optimized-routines.txt and musl.txt in LICENSES.
#define FORKMUNK_INLINE [[gnu::always_inline]] inline

#ifdef __FAST_MATH__
#error \
    "strict_math/inlined.h has other bits under -ffast-math: include strict_math/strict_math.h, whose functions are calls"
#endif
static_assert(FLT_EVAL_METHOD >= 0 && FLT_EVAL_METHOD != 2,
              "doubles must be computed as doubles: on 32-bit x86, compile with -msse2 -mfpmath=sse");

namespace forkmunk::strict_math::inlined {

// --- Sine and cosine: the angle a is reduced to a - n pi/2 = high + low, within pi/4; a polynomial gives the result.

/// Returns the upper 32 bits of |x|. These words have the order of the doubles, to 2^-20 of their size.
FORKMUNK_INLINE std::uint32_t magnitude_word(double x) noexcept {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x) >> 32) & 0x7fffffff;
}

FORKMUNK_INLINE double flip_sign(double x, std::uint64_t sign_bit) noexcept {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ sign_bit);
}

/// The pieces of pi/2. Each has 33 bits, so that multiples below 2^20 are exact, and is followed by the remainder.
inline constexpr double kQuarter1 = 0x1.921fb544p+0, kAfterQuarter1 = 0x1.0b4611a626331p-34;
inline constexpr double kQuarter2 = 0x1.0b4611a6p-34, kAfterQuarter2 = 0x1.3198a2e037073p-69;
inline constexpr double kQuarter3 = 0x1.3198a2ep-69, kAfterQuarter3 = 0x1.b839a252049c1p-104;
/// Adding and then subtracting this number rounds to a whole number.
inline constexpr double kRounder = 0x1.8p+52;

/// A reduced angle: |a| = quarters pi/2 + high + low.
struct ReducedAngle {
  double high;
  double low;
  std::uint32_t quarters;  ///< n modulo 4; higher bits may be set
};

/// Reduces an angle so near to a multiple of pi/2 that one piece of pi/2 leaves too few bits.
[[nodiscard]] ReducedAngle reduce_near_multiple(double magnitude, double quarters) noexcept;
/// Reduces an angle of 2^20 quarters and more. Infinities and NaN give NaN.
[[nodiscard]] ReducedAngle reduce_huge(double magnitude) noexcept;

/// Reduces |a|. \pre |a| is above pi/4: its word is above 0x3fe921fb.
FORKMUNK_INLINE ReducedAngle reduce(double magnitude, std::uint32_t word) noexcept {
  // Up to 9/8 turns, comparisons give n. They cannot if a multiple of pi/2 has the same word (the third multiple has
  // another mantissa).
  if (word <= 0x401c463b && (word & 0xfffff) != 0x921fb && word != 0x4012d97c) [[likely]] {
    const std::uint32_t n = 1u + (word > 0x4002d97c) + (word > 0x400f6a7a) + (word > 0x4015fdbc);
    const double quarters = n;
    const double rest = magnitude - quarters * kQuarter1;
    const double correction = quarters * kAfterQuarter1;
    const double high = rest - correction;
    return {high, (rest - high) - correction, n};
  }
  if (word >= 0x413921fb) [[unlikely]]
    return reduce_huge(magnitude);

  double quarters = magnitude * 0x1.45f306dc9c883p-1 + kRounder - kRounder;
  double rest = magnitude - quarters * kQuarter1;
  double correction = quarters * kAfterQuarter1;
  double high = rest - correction;
  constexpr double kEighth = 0x1.921fb54442d18p-1;
  if (high < -kEighth || high > kEighth) [[unlikely]] {  // n was one too large or too small
    quarters += high < 0 ? -1 : 1;
    rest = magnitude - quarters * kQuarter1;
    correction = quarters * kAfterQuarter1;
    high = rest - correction;
  }
  const auto exponent = static_cast<int>(word >> 20), high_exponent = static_cast<int>(magnitude_word(high) >> 20);
  if (exponent - high_exponent > 16) [[unlikely]]
    return reduce_near_multiple(magnitude, quarters);
  return {high, (rest - high) - correction, static_cast<std::uint32_t>(static_cast<std::int32_t>(quarters))};
}

/// The coefficients of sin(x) = x + S1 x^3 + x^5 R(x^2), for |x| up to pi/4.
inline constexpr double kSin1 = -0x1.5555555555549p-3, kSin2 = 0x1.111111110f8a6p-7, kSin3 = -0x1.a01a019c161d5p-13,
                        kSin4 = 0x1.71de357b1fe7dp-19, kSin5 = -0x1.ae5e68a2b9cebp-26, kSin6 = 0x1.5d93a5acfd57cp-33;
/// The coefficients of cos(x) = 1 - x^2/2 + x^4 R(x^2).
inline constexpr double kCos1 = 0x1.555555555554cp-5, kCos2 = -0x1.6c16c16c15177p-10, kCos3 = 0x1.a01a019cb159p-16,
                        kCos4 = -0x1.27e4f809c52adp-22, kCos5 = 0x1.1ee9ebdb4b1c4p-29, kCos6 = -0x1.8fae9be8838d4p-37;

FORKMUNK_INLINE double sin_tail(double z) noexcept {
  return kSin2 + z * (kSin3 + z * kSin4) + z * (z * z) * (kSin5 + z * kSin6);
}

/// Returns the sine of x, for |x| of at most an eighth of a turn.
FORKMUNK_INLINE double sin_of_small(double x) noexcept {
  const double z = x * x;
  return x + z * x * (kSin1 + z * sin_tail(z));
}

FORKMUNK_INLINE double sin_of_reduced(double high, double low) noexcept {
  const double z = high * high;
  const double cube = z * high;
  return high - ((z * (0.5 * low - cube * sin_tail(z)) - low) - cube * kSin1);
}

/// Returns the cosine of x + y from z = x^2 and lost = x y: 1 - x^2/2, corrected for its rounding error.
FORKMUNK_INLINE double cos_from(double z, double lost) noexcept {
  const double z2 = z * z;
  const double r = z * (kCos1 + z * (kCos2 + z * kCos3)) + z2 * z2 * (kCos4 + z * (kCos5 + z * kCos6));
  const double half = 0.5 * z;
  const double w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z * r - lost));
}

FORKMUNK_INLINE double cos_of_small(double x) noexcept { return cos_from(x * x, 0.0); }

FORKMUNK_INLINE double cos_of_reduced(double high, double low) noexcept { return cos_from(high * high, high * low); }

inline constexpr std::uint32_t kEighthTurnWord = 0x3fe921fb;
/// The word of 2^-26. For smaller angles sin(x) is x and cos(x) rounds to 1. Returning x also keeps the sign of -0.
inline constexpr std::uint32_t kTinyAngleWord = 0x3e500000;
inline constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

/// Returns strict_math::sin() without a call, except for huge angles.
FORKMUNK_INLINE double sin(double angle_rad) noexcept {
  const std::uint32_t word = magnitude_word(angle_rad);
  if (word <= kEighthTurnWord) return word < kTinyAngleWord ? angle_rad : sin_of_small(angle_rad);
  const std::uint64_t sign = std::bit_cast<std::uint64_t>(angle_rad) & kSignBit;
  const ReducedAngle a = reduce(flip_sign(angle_rad, sign), word);
  const double result = a.quarters & 1 ? cos_of_reduced(a.high, a.low) : sin_of_reduced(a.high, a.low);
  return flip_sign(result, sign ^ std::uint64_t{a.quarters & 2} << 62);
}

/// Returns strict_math::cos() without a call, except for huge angles.
FORKMUNK_INLINE double cos(double angle_rad) noexcept {
  const std::uint32_t word = magnitude_word(angle_rad);
  if (word <= kEighthTurnWord) return cos_of_small(angle_rad);
  const std::uint64_t sign = std::bit_cast<std::uint64_t>(angle_rad) & kSignBit;
  const ReducedAngle a = reduce(flip_sign(angle_rad, sign), word);
  const double result = a.quarters & 1 ? sin_of_reduced(a.high, a.low) : cos_of_reduced(a.high, a.low);
  return flip_sign(result, std::uint64_t{(a.quarters + 1) & 2} << 62);
}

/// Returns strict_math::sin_cos() without a call, except for huge angles.
FORKMUNK_INLINE SinCos sin_cos(double angle_rad) noexcept {
  const std::uint32_t word = magnitude_word(angle_rad);
  if (word <= kEighthTurnWord) {
    const double sine = word < kTinyAngleWord ? angle_rad : sin_of_small(angle_rad);
    return {sine, cos_of_small(angle_rad)};
  }
  const std::uint64_t sign = std::bit_cast<std::uint64_t>(angle_rad) & kSignBit;
  const ReducedAngle a = reduce(flip_sign(angle_rad, sign), word);
  const double along = sin_of_reduced(a.high, a.low), across = cos_of_reduced(a.high, a.low);
  const bool swapped = a.quarters & 1;
  return {flip_sign(swapped ? across : along, sign ^ std::uint64_t{a.quarters & 2} << 62),
          flip_sign(swapped ? along : across, std::uint64_t{(a.quarters + 1) & 2} << 62)};
}

// --- Exponential: x = k ln(2)/128 + r, so e^x = 2^(k/128) e^r. A table gives the first factor, a polynomial the
// second.

/// The exponent x minus the nearest multiple of ln(2)/128.
struct ReducedExponent {
  double rest;
  std::uint64_t steps;  ///< k in two's complement, in the lower 32 bits
};

FORKMUNK_INLINE ReducedExponent reduce_exponent(double x) noexcept {
  const double shifted = 0x1.71547652b82fep+7 * x + kRounder;
  const double steps = shifted - kRounder;
  return {x + steps * -0x1.62e42fefap-8 + steps * -0x1.cf79abc9e3b3ap-47, std::bit_cast<std::uint64_t>(shifted)};
}

/// The factors of an exponential: 2^(k/128) e^r = scale + scale * excess.
struct ExpFactors {
  double excess;
  std::uint64_t scale_bits;  ///< its exponent may have wrapped around for |x| above 512
};

FORKMUNK_INLINE ExpFactors exp_factors(double rest, std::uint64_t steps) noexcept {
  const ExpTableRow& row = kExpTable[steps % kExpTableSize];
  const double r = rest, r2 = rest * rest;
  const double low_order = row.tail + r + r2 * (0x1.ffffffffffdbdp-2 + r * 0x1.555555555543cp-3);
  return {low_order + r2 * r2 * (0x1.55555cf172b91p-5 + r * 0x1.1111167a4d017p-7), row.scale_bits + (steps << 45)};
}

/// Returns the biased exponent of a double, without its sign.
FORKMUNK_INLINE std::uint32_t biased_exponent(double x) noexcept { return magnitude_word(x) >> 20; }

/// Returns whether e^x is the common case: |x| from 2^-54 to below 512.
FORKMUNK_INLINE bool is_plain_exponent(double x) noexcept { return biased_exponent(x) - 0x3c9 < 0x408 - 0x3c9; }

/// Returns e^x where is_plain_exponent(x) is false.
[[nodiscard]] double exp_of_extreme(double x) noexcept;

/// Returns strict_math::exp(), without a call for exponents of usual size.
FORKMUNK_INLINE double exp(double exponent) noexcept {
  if (!is_plain_exponent(exponent)) [[unlikely]]
    return exp_of_extreme(exponent);
  const ReducedExponent reduced = reduce_exponent(exponent);
  const ExpFactors factors = exp_factors(reduced.rest, reduced.steps);
  const double scale = std::bit_cast<double>(factors.scale_bits);
  return scale + scale * factors.excess;
}

}  // namespace forkmunk::strict_math::inlined
