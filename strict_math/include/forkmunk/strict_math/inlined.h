// SPDX-License-Identifier: MIT AND SunPro
#pragma once

#include <forkmunk/strict_math/strict_math.h>

#include <array>
#include <bit>
#include <cfloat>
#include <cstddef>
#include <cstdint>

// The common paths of sin, cos and exp without a call, for this project's own sources. The bits need the project's
// flags (forkmunk_flags: no fast-math, no contraction, no vectorising by gcc), so everything is forced inline. Other
// programs include strict_math.h.
//
// The order of operations, which fixes the bits, is that of FreeBSD's msun (sin, cos), ARM's optimized routines (exp)
// and musl 1.2.3. Copyright (c) 1993 Sun Microsystems, Inc.; (c) 2018, Arm Limited; (c) 2005-2020 Rich Felker, et al.:
// msun.txt, optimized-routines.txt and musl.txt in LICENSES.
#define FORKMUNK_INLINE [[gnu::always_inline]] inline

#ifdef __FAST_MATH__
#error \
    "strict_math/inlined.h has other bits under -ffast-math: include strict_math/strict_math.h, whose functions are calls"
#endif
static_assert(FLT_EVAL_METHOD >= 0 && FLT_EVAL_METHOD != 2,
              "doubles must be computed as doubles: on 32-bit x86, compile with -msse2 -mfpmath=sse");

namespace forkmunk::strict_math::inlined {

// --- Sine and cosine: a polynomial of a - n pi/2 = high + low, within pi/4.

/// Returns the upper 32 bits of |x|, which have the order of the doubles, to 2^-20 of their size.
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
/// Adding and then subtracting it rounds to a whole number.
inline constexpr double kRounder = 0x1.8p+52;

/// |a| = quarters pi/2 + high + low
struct ReducedAngle {
  double high;
  double low;
  std::uint32_t quarters;  ///< n modulo 4; higher bits may be set
};

/// One piece of pi/2 leaves too few bits near a multiple of pi/2.
[[nodiscard]] ReducedAngle reduce_near_multiple(double magnitude, double quarters) noexcept;
/// \pre 2^20 quarters or more. Infinities and NaN give NaN.
[[nodiscard]] ReducedAngle reduce_huge(double magnitude) noexcept;

/// \pre |a| is above pi/4: its word is above 0x3fe921fb.
FORKMUNK_INLINE ReducedAngle reduce(double magnitude, std::uint32_t word) noexcept {
  // Up to 9/8 turns, comparisons give n, unless a multiple of pi/2 has the same word.
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

/// sin(x) = x + S1 x^3 + x^5 R(x^2), for |x| up to pi/4
inline constexpr double kSin1 = -0x1.5555555555549p-3, kSin2 = 0x1.111111110f8a6p-7, kSin3 = -0x1.a01a019c161d5p-13,
                        kSin4 = 0x1.71de357b1fe7dp-19, kSin5 = -0x1.ae5e68a2b9cebp-26, kSin6 = 0x1.5d93a5acfd57cp-33;
/// cos(x) = 1 - x^2/2 + x^4 R(x^2)
inline constexpr double kCos1 = 0x1.555555555554cp-5, kCos2 = -0x1.6c16c16c15177p-10, kCos3 = 0x1.a01a019cb159p-16,
                        kCos4 = -0x1.27e4f809c52adp-22, kCos5 = 0x1.1ee9ebdb4b1c4p-29, kCos6 = -0x1.8fae9be8838d4p-37;

FORKMUNK_INLINE double sin_tail(double z) noexcept {
  return kSin2 + z * (kSin3 + z * kSin4) + z * (z * z) * (kSin5 + z * kSin6);
}

/// \pre |x| is at most an eighth of a turn.
FORKMUNK_INLINE double sin_of_small(double x) noexcept {
  const double z = x * x;
  return x + z * x * (kSin1 + z * sin_tail(z));
}

FORKMUNK_INLINE double sin_of_reduced(double high, double low) noexcept {
  const double z = high * high;
  const double cube = z * high;
  return high - ((z * (0.5 * low - cube * sin_tail(z)) - low) - cube * kSin1);
}

/// Returns the cosine of x + y from z = x^2 and lost = x y, corrected for rounding.
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
/// The word of 2^-26. For smaller angles sin(x) is x, which keeps the sign of -0, and cos(x) rounds to 1.
inline constexpr std::uint32_t kTinyAngleWord = 0x3e500000;
inline constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

/// Calls a function only for huge angles.
FORKMUNK_INLINE double sin(double angle_rad) noexcept {
  const std::uint32_t word = magnitude_word(angle_rad);
  if (word <= kEighthTurnWord) return word < kTinyAngleWord ? angle_rad : sin_of_small(angle_rad);
  const std::uint64_t sign = std::bit_cast<std::uint64_t>(angle_rad) & kSignBit;
  const ReducedAngle a = reduce(flip_sign(angle_rad, sign), word);
  const double result = a.quarters & 1 ? cos_of_reduced(a.high, a.low) : sin_of_reduced(a.high, a.low);
  return flip_sign(result, sign ^ std::uint64_t{a.quarters & 2} << 62);
}

FORKMUNK_INLINE double cos(double angle_rad) noexcept {
  const std::uint32_t word = magnitude_word(angle_rad);
  if (word <= kEighthTurnWord) return cos_of_small(angle_rad);
  const std::uint64_t sign = std::bit_cast<std::uint64_t>(angle_rad) & kSignBit;
  const ReducedAngle a = reduce(flip_sign(angle_rad, sign), word);
  const double result = a.quarters & 1 ? sin_of_reduced(a.high, a.low) : cos_of_reduced(a.high, a.low);
  return flip_sign(result, std::uint64_t{(a.quarters + 1) & 2} << 62);
}

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

// --- Exponential: x = k ln(2)/128 + r, so e^x = 2^(k/128) e^r.

inline constexpr std::size_t kExpTableSize = 128;

/// 2^(i/128) = scale (1 + tail), exact to about 106 bits.
struct ExpTableRow {
  double tail;
  /// The bits of `scale` minus i << 45, so that adding (128 n + i) << 45 gives the bits of 2^n scale.
  std::uint64_t scale_bits;
};

/// The numbers come from ARM's optimized routines. Copyright (c) 2018, Arm Limited:
/// LICENSES/optimized-routines.txt.
inline constexpr std::array<ExpTableRow, kExpTableSize> kExpTable{{
    {0, 0x3ff0000000000000},
    {0x1.b3b4f1a88bf6ep-54, 0x3feff63da9fb3335},
    {-0x1.160139cd8dc5dp-56, 0x3fefec9a3e778061},
    {-0x1.05e7a108766d1p-54, 0x3fefe315e86e7f85},
    {0x1.cd2523567f613p-55, 0x3fefd9b0d3158574},
    {-0x1.bce8023f98efap-55, 0x3fefd06b29ddf6de},
    {0x1.0f74e61e6c861p-57, 0x3fefc74518759bc8},
    {0x1.0a3e45b33d399p-54, 0x3fefbe3ecac6f383},
    {0x1.79aa65d837b6dp-54, 0x3fefb5586cf9890f},
    {0x1.eb51a92fdeffcp-55, 0x3fefac922b7247f7},
    {0x1.ebe3d702f9cd1p-60, 0x3fefa3ec32d3d1a2},
    {-0x1.a033489906e0bp-57, 0x3fef9b66affed31b},
    {-0x1.556522a2fbd0ep-54, 0x3fef9301d0125b51},
    {-0x1.080ef8c4eea55p-58, 0x3fef8abdc06c31cc},
    {-0x1.1c923b9d5f416p-54, 0x3fef829aaea92de0},
    {0x1.0d3e3e95c55afp-55, 0x3fef7a98c8a58e51},
    {-0x1.01b15eaa59348p-55, 0x3fef72b83c7d517b},
    {-0x1.f1ff055de323dp-55, 0x3fef6af9388c8dea},
    {0x1.b898c3f1353bfp-55, 0x3fef635beb6fcb75},
    {-0x1.6d99c7611eb26p-54, 0x3fef5be084045cd4},
    {0x1.aecf73e3a2f6p-54, 0x3fef54873168b9aa},
    {-0x1.fe782cb86389dp-55, 0x3fef4d5022fcd91d},
    {0x1.a6f4144a6c38dp-55, 0x3fef463b88628cd6},
    {0x1.07a05b0e4047dp-55, 0x3fef3f49917ddc96},
    {0x1.68efde3a8a894p-54, 0x3fef387a6e756238},
    {0x1.75e18f274487dp-55, 0x3fef31ce4fb2a63f},
    {0x1.0472b981fe7f2p-55, 0x3fef2b4565e27cdd},
    {-0x1.6b87b3f71085ep-54, 0x3fef24dfe1f56381},
    {0x1.2f7e16d09ab31p-55, 0x3fef1e9df51fdee1},
    {-0x1.d219b1a6fbffap-60, 0x3fef187fd0dad990},
    {0x1.b3782720c0ab4p-55, 0x3fef1285a6e4030b},
    {0x1.e149289cecb8fp-57, 0x3fef0cafa93e2f56},
    {0x1.34d754db0abb6p-55, 0x3fef06fe0a31b715},
    {0x1.64201e2ac744cp-55, 0x3fef0170fc4cd831},
    {0x1.fdd395dd3f84ap-55, 0x3feefc08b26416ff},
    {-0x1.6a3803b8e5b04p-55, 0x3feef6c55f929ff1},
    {-0x1.24aedcc4b5068p-54, 0x3feef1a7373aa9cb},
    {-0x1.907f81b512d8ep-54, 0x3feeecae6d05d866},
    {-0x1.1d1e83e9436d2p-56, 0x3feee7db34e59ff7},
    {-0x1.91919b3ce1b15p-54, 0x3feee32dc313a8e5},
    {0x1.59f48a72a4c6dp-55, 0x3feedea64c123422},
    {-0x1.312607a28698ap-54, 0x3feeda4504ac801c},
    {-0x1.8a78f4817895bp-58, 0x3feed60a21f72e2a},
    {-0x1.c2c9b67499a1bp-56, 0x3feed1f5d950a897},
    {0x1.363ed60c2ac11p-59, 0x3feece086061892d},
    {0x1.666093b0664efp-54, 0x3feeca41ed1d0057},
    {0x1.ecce1daa10379p-57, 0x3feec6a2b5c13cd0},
    {0x1.3ff8e3f0f123p-54, 0x3feec32af0d7d3de},
    {0x1.690cebb7aafbp-56, 0x3feebfdad5362a27},
    {0x1.31dbdeb54e077p-54, 0x3feebcb299fddd0d},
    {-0x1.f94340071a38ep-55, 0x3feeb9b2769d2ca7},
    {-0x1.7deccdc93a349p-55, 0x3feeb6daa2cf6642},
    {-0x1.8dec6bd0f385fp-56, 0x3feeb42b569d4f82},
    {-0x1.61246ec7b5cf6p-55, 0x3feeb1a4ca5d920f},
    {0x1.3350518fdd78ep-54, 0x3feeaf4736b527da},
    {0x1.b98b72f8a9b05p-56, 0x3feead12d497c7fd},
    {0x1.063e1e21c5409p-54, 0x3feeab07dd485429},
    {0x1.4c7855019c6eap-60, 0x3feea9268a5946b7},
    {0x1.432e62b64c035p-54, 0x3feea76f15ad2148},
    {-0x1.ce44a6199769fp-55, 0x3feea5e1b976dc09},
    {-0x1.c33c53bef4da8p-55, 0x3feea47eb03a5585},
    {-0x1.45378892be9aep-55, 0x3feea34634ccc320},
    {-0x1.3cedd78565858p-54, 0x3feea23882552225},
    {0x1.710aa807e1964p-58, 0x3feea155d44ca973},
    {-0x1.3b3efbf5e2228p-54, 0x3feea09e667f3bcd},
    {-0x1.a12ad8734b982p-57, 0x3feea012750bdabf},
    {-0x1.367efb86da9eep-57, 0x3fee9fb23c651a2f},
    {-0x1.0dc3d54e08851p-55, 0x3fee9f7df9519484},
    {-0x1.81f647e5a3ecfp-56, 0x3fee9f75e8ec5f74},
    {-0x1.6ee4ac08b7dbp-55, 0x3fee9f9a48a58174},
    {-0x1.619321e55e68ap-55, 0x3fee9feb564267c9},
    {0x1.09ccb5e09d4d3p-54, 0x3feea0694fde5d3f},
    {-0x1.b32dcb94da51dp-56, 0x3feea11473eb0187},
    {0x1.4ecfd5467c06bp-54, 0x3feea1ed0130c132},
    {0x1.5ebe1abd66c55p-57, 0x3feea2f336cf4e62},
    {-0x1.8a1c52fb3cf42p-55, 0x3feea427543e1a12},
    {-0x1.369b6f13b3734p-54, 0x3feea589994cce13},
    {-0x1.05e843a19ff1ep-55, 0x3feea71a4623c7ad},
    {-0x1.4d450d872576ep-54, 0x3feea8d99b4492ed},
    {0x1.0ad675b0e8ap-54, 0x3feeaac7d98a6699},
    {0x1.db72fc1f0eab4p-55, 0x3feeace5422aa0db},
    {-0x1.5b6609cc5e7ffp-57, 0x3feeaf3216b5448c},
    {0x1.bf68359f35f44p-56, 0x3feeb1ae99157736},
    {-0x1.3091fa71e3d83p-54, 0x3feeb45b0b91ffc6},
    {-0x1.da9b88b6c1e29p-58, 0x3feeb737b0cdc5e5},
    {-0x1.c23f97c90b959p-57, 0x3feeba44cbc8520f},
    {-0x1.2434322f4f9aap-54, 0x3feebd829fde4e50},
    {-0x1.5ca6cd7668e4bp-55, 0x3feec0f170ca07ba},
    {0x1.1affc2b91ce27p-56, 0x3feec49182a3f090},
    {0x1.dd235e10a73bbp-57, 0x3feec86319e32323},
    {-0x1.7c50422622263p-55, 0x3feecc667b5de565},
    {0x1.b1c86e3e231d5p-55, 0x3feed09bec4a2d33},
    {-0x1.1bbd1d3bcbb15p-54, 0x3feed503b23e255d},
    {0x1.0cc319cee31d2p-54, 0x3feed99e1330b358},
    {0x1.469846e735ab3p-55, 0x3feede6b5579fdbf},
    {-0x1.2dfcd978e9db4p-55, 0x3feee36bbfd3f37a},
    {0x1.c1a7792cb3387p-55, 0x3feee89f995ad3ad},
    {-0x1.07b8f4ad1d9fap-54, 0x3feeee07298db666},
    {-0x1.5c3d956dcaebap-58, 0x3feef3a2b84f15fb},
    {-0x1.0a40e3da6f64p-54, 0x3feef9728de5593a},
    {-0x1.8d6f438ad9334p-57, 0x3feeff76f2fb5e47},
    {-0x1.1eee26b588a35p-54, 0x3fef05b030a1064a},
    {0x1.4ffd70a5fddcdp-56, 0x3fef0c1e904bc1d2},
    {-0x1.1bdfbfa9298acp-54, 0x3fef12c25bd71e09},
    {0x1.36eae30af0cb3p-56, 0x3fef199bdd85529c},
    {0x1.ee3325c9ffd94p-55, 0x3fef20ab5fffd07a},
    {0x1.4e08fd10959acp-55, 0x3fef27f12e57d14b},
    {0x1.3cdaf384e1a67p-57, 0x3fef2f6d9406e7b5},
    {0x1.76b2c6c921968p-57, 0x3fef3720dcef9069},
    {-0x1.08a1883ccb5d2p-55, 0x3fef3f0b555dc3fa},
    {-0x1.fad5d3ffffa6fp-55, 0x3fef472d4a07897c},
    {-0x1.00dae3875a949p-54, 0x3fef4f87080d89f2},
    {0x1.4a385a63d07a7p-56, 0x3fef5818dcfba487},
    {-0x1.2919e2040220fp-55, 0x3fef60e316c98398},
    {0x1.e5a50d5c192acp-55, 0x3fef69e603db3285},
    {0x1.43a59ac016b4bp-55, 0x3fef7321f301b460},
    {-0x1.2d52107b43e1fp-55, 0x3fef7c97337b9b5f},
    {-0x1.92ab93b470dc9p-55, 0x3fef864614f5a129},
    {0x1.4b604603a88d3p-56, 0x3fef902ee78b3ff6},
    {0x1.3c5ec519d7271p-55, 0x3fef9a51fbc74c83},
    {-0x1.ff7128fd391fp-55, 0x3fefa4afa2a490da},
    {-0x1.dae98e223747dp-55, 0x3fefaf482d8e67f1},
    {0x1.ec3bc41aa2008p-55, 0x3fefba1bee615a27},
    {0x1.42b94c3a9eb32p-55, 0x3fefc52b376bba97},
    {0x1.a64a931d185eep-55, 0x3fefd0765b6e4540},
    {-0x1.e37bae43be3edp-55, 0x3fefdbfdad9cbe14},
    {0x1.7893b4d91cd9dp-56, 0x3fefe7c1819e90d8},
    {0x1.305c14160cc89p-58, 0x3feff3c22b8f71f1},
}};

struct ReducedExponent {
  double rest;
  std::uint64_t steps;  ///< k in two's complement, in the lower 32 bits
};

FORKMUNK_INLINE ReducedExponent reduce_exponent(double x) noexcept {
  const double shifted = 0x1.71547652b82fep+7 * x + kRounder;
  const double steps = shifted - kRounder;
  return {x + steps * -0x1.62e42fefap-8 + steps * -0x1.cf79abc9e3b3ap-47, std::bit_cast<std::uint64_t>(shifted)};
}

/// 2^(k/128) e^r = scale + scale * excess
struct ExpFactors {
  double excess;
  std::uint64_t scale_bits;  ///< the exponent may have wrapped around for |x| above 512
};

FORKMUNK_INLINE ExpFactors exp_factors(double rest, std::uint64_t steps) noexcept {
  const ExpTableRow& row = kExpTable[steps % kExpTableSize];
  const double r = rest, r2 = rest * rest;
  const double low_order = row.tail + r + r2 * (0x1.ffffffffffdbdp-2 + r * 0x1.555555555543cp-3);
  return {low_order + r2 * r2 * (0x1.55555cf172b91p-5 + r * 0x1.1111167a4d017p-7), row.scale_bits + (steps << 45)};
}

FORKMUNK_INLINE std::uint32_t biased_exponent(double x) noexcept { return magnitude_word(x) >> 20; }

/// |x| from 2^-54 to below 512
FORKMUNK_INLINE bool is_plain_exponent(double x) noexcept { return biased_exponent(x) - 0x3c9 < 0x408 - 0x3c9; }

/// \pre is_plain_exponent(x) is false.
[[nodiscard]] double exp_of_extreme(double x) noexcept;

FORKMUNK_INLINE double exp(double exponent) noexcept {
  if (!is_plain_exponent(exponent)) [[unlikely]]
    return exp_of_extreme(exponent);
  const ReducedExponent reduced = reduce_exponent(exponent);
  const ExpFactors factors = exp_factors(reduced.rest, reduced.steps);
  const double scale = std::bit_cast<double>(factors.scale_bits);
  return scale + scale * factors.excess;
}

}  // namespace forkmunk::strict_math::inlined
