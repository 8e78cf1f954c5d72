// SPDX-License-Identifier: MIT AND SunPro
#include <forkmunk/strict_math/inlined.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace forkmunk::strict_math::inlined {
namespace {

/// Limbs have 24 bits, so a product of two is exact in a double, and a sum of three products in 64 bits.
constexpr unsigned kLimbBits = 24;
constexpr std::uint64_t kLimbMask = (std::uint64_t{1} << kLimbBits) - 1;

/// The bits of 2/pi after the point, as in FreeBSD's msun. Copyright (C) 1993 Sun Microsystems, Inc.:
/// LICENSES/msun.txt.
constexpr std::array<std::uint32_t, 66> kTwoOverPi{
    0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb, 0xc561b7,
    0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5, 0x2ebb44, 0x84e99c,
    0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c, 0x845f8b, 0xbdf928, 0x3b1ff8, 0x97ffde, 0x05980f, 0xef2f11,
    0x8b5a0a, 0x6d1f6d, 0x367ecf, 0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d, 0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7,
    0x8a5292, 0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330, 0x46fc7b, 0x6babf0, 0xcfbc20, 0x9af436, 0x1da9e3, 0x91615e,
    0xe61b08, 0x659985, 0x5f14a0, 0x68408d, 0xffd880, 0x4d7327, 0x310606, 0x1556ca, 0x73a8c9, 0x60e27b, 0xc08c6b,
};

constexpr std::array kHalfPi{0x1.921fb4p+0, 0x1.4442dp-24, 0x1.846988p-48, 0x1.8cc516p-72, 0x1.01b838p-96};

constexpr std::size_t kLimbsBelow = 4;
/// No double x is nearer than 2^-62 |x| to a multiple of pi/2, so the limbs are recomputed once or twice at most.
constexpr std::size_t kLimbsMax = 16;

/// |a| 2/pi minus the nearest whole number: a fraction up to 1/2, and its sign.
struct QuarterFraction {
  std::array<std::uint64_t, kLimbsMax> limbs;  ///< the lowest first
  std::size_t leading;                         ///< the highest limb that is not 0
  int exponent;                                ///< the unit of limb i is 2^(exponent + 24 i)
  bool negative;
  std::uint32_t quarters;  ///< the whole number modulo 8
};

/// Returns |a| = (a[0] + a[1] 2^-24 + a[2] 2^-48) 2^exponent times 2/pi, cut off `count` limbs behind the point.
/// Earlier limbs of 2/pi than `first` give whole turns.
QuarterFraction multiply(const std::array<std::uint64_t, 3>& a, int exponent, std::size_t first, std::size_t count) {
  QuarterFraction result{};
  auto& limbs = result.limbs;
  std::uint64_t carry = 0;
  for (std::size_t s = count + 1; s-- > 0;) {
    std::uint64_t sum = carry;
    for (std::size_t j = 0; j < a.size() && j <= first + s; ++j) sum += a[j] * kTwoOverPi[first + s - j];
    limbs[count - s] = s == 0 ? sum : sum & kLimbMask;
    carry = sum >> kLimbBits;
  }

  // The point is within the two highest limbs, which `top` joins. Bits far above the point are dropped.
  const int unit = exponent - static_cast<int>(kLimbBits * (first + 1));
  std::uint64_t top = limbs[count] << kLimbBits | limbs[count - 1];
  const auto fraction_bits = static_cast<unsigned>(static_cast<int>(kLimbBits) - unit);
  const std::uint64_t one = std::uint64_t{1} << fraction_bits;
  result.quarters = static_cast<std::uint32_t>(top >> fraction_bits) & 7;
  top &= one - 1;
  result.negative = 2 * top >= one;
  if (result.negative) {  // measured from the other side: 1 - fraction
    ++result.quarters;
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      const std::uint64_t difference = 0 - limbs[i] - borrow;
      limbs[i] = difference & kLimbMask;
      borrow = difference >> 63;
    }
    top = one - top - borrow;
  }
  limbs[count - 1] = top & kLimbMask;
  limbs[count] = top >> kLimbBits & kLimbMask;
  limbs[count + 1] = top >> 2 * kLimbBits;
  result.leading = count + 1;
  while (limbs[result.leading] == 0) --result.leading;
  result.exponent = unit - static_cast<int>(kLimbBits * count);
  return result;
}

double power_of_two(int exponent) noexcept {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 0x3ff) << 52);
}

/// Returns the fraction times pi/2 and its rounding error, limb by limb, with the smallest products first.
ReducedAngle times_half_pi(const QuarterFraction& fraction) noexcept {
  const std::size_t leading = fraction.leading;
  std::array<double, kLimbsMax> scaled{}, products{};
  for (std::size_t i = 0; i <= leading; ++i) {
    scaled[i] =
        static_cast<double>(fraction.limbs[i]) * power_of_two(fraction.exponent + static_cast<int>(kLimbBits * i));
  }
  for (std::size_t d = 0; d <= leading; ++d) {  // products that are d limbs below the leading ones
    for (std::size_t k = 0; k <= std::min(d, kHalfPi.size() - 1); ++k) {
      products[d] += kHalfPi[k] * scaled[leading - d + k];
    }
  }
  double high = 0;
  for (std::size_t d = leading + 1; d-- > 0;) high += products[d];
  double low = products[0] - high;
  for (std::size_t d = 1; d <= leading; ++d) low += products[d];
  const std::uint64_t sign = fraction.negative ? kSignBit : 0;
  return {flip_sign(high, sign), flip_sign(low, sign), fraction.quarters};
}

}  // namespace

ReducedAngle reduce_near_multiple(double magnitude, double quarters) noexcept {
  const auto exponent = static_cast<int>(biased_exponent(magnitude));
  double before = magnitude - quarters * kQuarter1;
  double correction = quarters * kQuarter2;
  double rest = before - correction;
  correction = quarters * kAfterQuarter2 - ((before - rest) - correction);
  double high = rest - correction;
  if (exponent - static_cast<int>(biased_exponent(high)) > 49) {
    before = rest;
    correction = quarters * kQuarter3;
    rest = before - correction;
    correction = quarters * kAfterQuarter3 - ((before - rest) - correction);
    high = rest - correction;
  }
  return {high, (rest - high) - correction, static_cast<std::uint32_t>(static_cast<std::int32_t>(quarters))};
}

// Multiplies only the bits of 2/pi that affect the fraction of a turn, after Payne and Hanek.
ReducedAngle reduce_huge(double magnitude) noexcept {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(magnitude);
  const auto biased = static_cast<int>(biased_exponent(magnitude));
  if (biased == 0x7ff) return {magnitude - magnitude, magnitude - magnitude, 0};

  // The 53 bits as limbs of 24, 24 and 5; the unit of the first limb is 2^exponent.
  const std::uint64_t mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52;
  const std::array<std::uint64_t, 3> limbs{mantissa >> 29, mantissa >> 5 & kLimbMask, (mantissa & 31) << 19};
  const int exponent = biased - 0x3ff - 23;
  const auto first = static_cast<std::size_t>(std::max(0, (exponent - 3) / static_cast<int>(kLimbBits)));

  std::size_t count = kLimbsBelow;
  for (;;) {
    const QuarterFraction fraction = multiply(limbs, exponent, first, count);
    if (fraction.leading >= kLimbsBelow) return times_half_pi(fraction);
    count += kLimbsBelow - fraction.leading;
  }
}

}  // namespace forkmunk::strict_math::inlined
