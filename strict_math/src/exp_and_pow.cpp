// SPDX-License-Identifier: MIT
#include <forkmunk/strict_math/inlined.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

// The exponential beyond inlined.h, and x^y = e^(y ln x), with the logarithm to about 68 bits as a sum of two doubles.
// The order of operations is that of ARM's optimized routines without fused multiply-add. Copyright (c) 2018, Arm
// Limited: LICENSES/optimized-routines.txt.

namespace forkmunk::strict_math {
namespace {

constexpr std::size_t kLogTableSize = 128;

/// Row i has a c in the i-th of 128 intervals of [0x1.69555p-1, 0x1.69555p0).
struct LogTableRow {
  double inverse;   ///< 1/c, with so few bits that z/c - 1 is exact
  double log;       ///< ln(c), with so few bits that adding a multiple of ln(2) is exact
  double log_tail;  ///< ln(c) - log
};

/// The numbers have the same origin.
constexpr std::array<LogTableRow, kLogTableSize> kLogTable{{
    {0x1.6ap+0, -0x1.62c82f2b9c8p-2, 0x1.ab4242837568p-48},
    {0x1.68p+0, -0x1.5d1bdbf5808p-2, -0x1.ca508d8e0f72p-46},
    {0x1.66p+0, -0x1.57677174558p-2, -0x1.362a4d5b6506dp-45},
    {0x1.64p+0, -0x1.51aad872df8p-2, -0x1.684e49eb067d5p-49},
    {0x1.62p+0, -0x1.4be5f957778p-2, -0x1.41b6993293eep-47},
    {0x1.6p+0, -0x1.4618bc21c6p-2, 0x1.3d82f484c84ccp-46},
    {0x1.5ep+0, -0x1.404308686a8p-2, 0x1.c42f3ed820b3ap-50},
    {0x1.5cp+0, -0x1.3a64c556948p-2, 0x1.0b1c68651946p-45},
    {0x1.5ap+0, -0x1.347dd9a988p-2, 0x1.5594dd4c58092p-45},
    {0x1.58p+0, -0x1.2e8e2bae12p-2, 0x1.67b1e99b72bd8p-45},
    {0x1.56p+0, -0x1.2895a13de88p-2, 0x1.5ca14b6cfb03fp-46},
    {0x1.56p+0, -0x1.2895a13de88p-2, 0x1.5ca14b6cfb03fp-46},
    {0x1.54p+0, -0x1.22941fbcf78p-2, -0x1.65a242853da76p-46},
    {0x1.52p+0, -0x1.1c898c16998p-2, -0x1.fafbc68e75404p-46},
    {0x1.5p+0, -0x1.1675cababa8p-2, 0x1.f1fc63382a8fp-46},
    {0x1.4ep+0, -0x1.1058bf9ae48p-2, -0x1.6a8c4fd055a66p-45},
    {0x1.4cp+0, -0x1.0a324e2739p-2, -0x1.c6bee7ef4030ep-47},
    {0x1.4ap+0, -0x1.0402594b4dp-2, -0x1.036b89ef42d7fp-48},
    {0x1.4ap+0, -0x1.0402594b4dp-2, -0x1.036b89ef42d7fp-48},
    {0x1.48p+0, -0x1.fb9186d5e4p-3, 0x1.d572aab993c87p-47},
    {0x1.46p+0, -0x1.ef0adcbdc6p-3, 0x1.b26b79c86af24p-45},
    {0x1.44p+0, -0x1.e27076e2afp-3, -0x1.72f4f543fff1p-46},
    {0x1.42p+0, -0x1.d5c216b4fcp-3, 0x1.1ba91bbca681bp-45},
    {0x1.4p+0, -0x1.c8ff7c79aap-3, 0x1.7794f689f8434p-45},
    {0x1.4p+0, -0x1.c8ff7c79aap-3, 0x1.7794f689f8434p-45},
    {0x1.3ep+0, -0x1.bc286742d9p-3, 0x1.94eb0318bb78fp-46},
    {0x1.3cp+0, -0x1.af3c94e80cp-3, 0x1.a4e633fcd9066p-52},
    {0x1.3ap+0, -0x1.a23bc1fe2bp-3, -0x1.58c64dc46c1eap-45},
    {0x1.3ap+0, -0x1.a23bc1fe2bp-3, -0x1.58c64dc46c1eap-45},
    {0x1.38p+0, -0x1.9525a9cf45p-3, -0x1.ad1d904c1d4e3p-45},
    {0x1.36p+0, -0x1.87fa06520dp-3, 0x1.bbdbf7fdbfa09p-45},
    {0x1.34p+0, -0x1.7ab890210ep-3, 0x1.bdb9072534a58p-45},
    {0x1.34p+0, -0x1.7ab890210ep-3, 0x1.bdb9072534a58p-45},
    {0x1.32p+0, -0x1.6d60fe719dp-3, -0x1.0e46aa3b2e266p-46},
    {0x1.3p+0, -0x1.5ff3070a79p-3, -0x1.e9e439f105039p-46},
    {0x1.3p+0, -0x1.5ff3070a79p-3, -0x1.e9e439f105039p-46},
    {0x1.2ep+0, -0x1.526e5e3a1bp-3, -0x1.0de8b90075b8fp-45},
    {0x1.2cp+0, -0x1.44d2b6ccb8p-3, 0x1.70cc16135783cp-46},
    {0x1.2cp+0, -0x1.44d2b6ccb8p-3, 0x1.70cc16135783cp-46},
    {0x1.2ap+0, -0x1.371fc201e9p-3, 0x1.178864d27543ap-48},
    {0x1.28p+0, -0x1.29552f81ffp-3, -0x1.48d301771c408p-45},
    {0x1.26p+0, -0x1.1b72ad52f6p-3, -0x1.e80a41811a396p-45},
    {0x1.26p+0, -0x1.1b72ad52f6p-3, -0x1.e80a41811a396p-45},
    {0x1.24p+0, -0x1.0d77e7cd09p-3, 0x1.a699688e85bf4p-47},
    {0x1.24p+0, -0x1.0d77e7cd09p-3, 0x1.a699688e85bf4p-47},
    {0x1.22p+0, -0x1.fec9131dbep-4, -0x1.575545ca333f2p-45},
    {0x1.2p+0, -0x1.e27076e2bp-4, 0x1.a342c2af0003cp-45},
    {0x1.2p+0, -0x1.e27076e2bp-4, 0x1.a342c2af0003cp-45},
    {0x1.1ep+0, -0x1.c5e548f5bcp-4, -0x1.d0c57585fbe06p-46},
    {0x1.1cp+0, -0x1.a926d3a4aep-4, 0x1.53935e85baac8p-45},
    {0x1.1cp+0, -0x1.a926d3a4aep-4, 0x1.53935e85baac8p-45},
    {0x1.1ap+0, -0x1.8c345d631ap-4, 0x1.37c294d2f5668p-46},
    {0x1.1ap+0, -0x1.8c345d631ap-4, 0x1.37c294d2f5668p-46},
    {0x1.18p+0, -0x1.6f0d28ae56p-4, -0x1.69737c93373dap-45},
    {0x1.16p+0, -0x1.51b073f062p-4, 0x1.f025b61c65e57p-46},
    {0x1.16p+0, -0x1.51b073f062p-4, 0x1.f025b61c65e57p-46},
    {0x1.14p+0, -0x1.341d7961bep-4, 0x1.c5edaccf913dfp-45},
    {0x1.14p+0, -0x1.341d7961bep-4, 0x1.c5edaccf913dfp-45},
    {0x1.12p+0, -0x1.16536eea38p-4, 0x1.47c5e768fa309p-46},
    {0x1.1p+0, -0x1.f0a30c0118p-5, 0x1.d599e83368e91p-45},
    {0x1.1p+0, -0x1.f0a30c0118p-5, 0x1.d599e83368e91p-45},
    {0x1.0ep+0, -0x1.b42dd71198p-5, 0x1.c827ae5d6704cp-46},
    {0x1.0ep+0, -0x1.b42dd71198p-5, 0x1.c827ae5d6704cp-46},
    {0x1.0cp+0, -0x1.77458f632cp-5, -0x1.cfc4634f2a1eep-45},
    {0x1.0cp+0, -0x1.77458f632cp-5, -0x1.cfc4634f2a1eep-45},
    {0x1.0ap+0, -0x1.39e87b9fecp-5, 0x1.502b7f526feaap-48},
    {0x1.0ap+0, -0x1.39e87b9fecp-5, 0x1.502b7f526feaap-48},
    {0x1.08p+0, -0x1.f829b0e78p-6, -0x1.980267c7e09e4p-45},
    {0x1.08p+0, -0x1.f829b0e78p-6, -0x1.980267c7e09e4p-45},
    {0x1.06p+0, -0x1.7b91b07d58p-6, -0x1.88d5493faa639p-45},
    {0x1.04p+0, -0x1.fc0a8b0fcp-7, -0x1.f1e7cf6d3a69cp-50},
    {0x1.04p+0, -0x1.fc0a8b0fcp-7, -0x1.f1e7cf6d3a69cp-50},
    {0x1.02p+0, -0x1.fe02a6b1p-8, -0x1.9e23f0dda40e4p-46},
    {0x1.02p+0, -0x1.fe02a6b1p-8, -0x1.9e23f0dda40e4p-46},
    {0x1p+0, 0, 0},
    {0x1p+0, 0, 0},
    {0x1.fcp-1, 0x1.010157589p-7, -0x1.0c76b999d2be8p-46},
    {0x1.f8p-1, 0x1.0205658938p-6, -0x1.3dc5b06e2f7d2p-45},
    {0x1.f4p-1, 0x1.8492528c9p-6, -0x1.aa0ba325a0c34p-45},
    {0x1.fp-1, 0x1.0415d89e74p-5, 0x1.111c05cf1d753p-47},
    {0x1.ecp-1, 0x1.466aed42ep-5, -0x1.c167375bdfd28p-45},
    {0x1.e8p-1, 0x1.894aa149fcp-5, -0x1.97995d05a267dp-46},
    {0x1.e4p-1, 0x1.ccb73cdddcp-5, -0x1.a68f247d82807p-46},
    {0x1.e2p-1, 0x1.eea31c006cp-5, -0x1.e113e4fc93b7bp-47},
    {0x1.dep-1, 0x1.1973bd1466p-4, -0x1.5325d560d9e9bp-45},
    {0x1.dap-1, 0x1.3bdf5a7d1ep-4, 0x1.cc85ea5db4ed7p-45},
    {0x1.d6p-1, 0x1.5e95a4d97ap-4, -0x1.c69063c5d1d1ep-45},
    {0x1.d4p-1, 0x1.700d30aeacp-4, 0x1.c1e8da99ded32p-49},
    {0x1.dp-1, 0x1.9335e5d594p-4, 0x1.3115c3abd47dap-45},
    {0x1.ccp-1, 0x1.b6ac88dad6p-4, -0x1.390802bf768e5p-46},
    {0x1.cap-1, 0x1.c885801bc4p-4, 0x1.646d1c65aacd3p-45},
    {0x1.c6p-1, 0x1.ec739830a2p-4, -0x1.dc068afe645ep-45},
    {0x1.c4p-1, 0x1.fe89139dbep-4, -0x1.534d64fa10afdp-45},
    {0x1.cp-1, 0x1.1178e8227ep-3, 0x1.1ef78ce2d07f2p-45},
    {0x1.bep-1, 0x1.1aa2b7e23fp-3, 0x1.ca78e44389934p-45},
    {0x1.bap-1, 0x1.2d1610c868p-3, 0x1.39d6ccb81b4a1p-47},
    {0x1.b8p-1, 0x1.365fcb0159p-3, 0x1.62fa8234b7289p-51},
    {0x1.b4p-1, 0x1.4913d8333bp-3, 0x1.5837954fdb678p-45},
    {0x1.b2p-1, 0x1.527e5e4a1bp-3, 0x1.633e8e5697dc7p-45},
    {0x1.aep-1, 0x1.6574ebe8c1p-3, 0x1.9cf8b2c3c2e78p-46},
    {0x1.acp-1, 0x1.6f0128b757p-3, -0x1.5118de59c21e1p-45},
    {0x1.aap-1, 0x1.7898d85445p-3, -0x1.c661070914305p-46},
    {0x1.a6p-1, 0x1.8beafeb39p-3, -0x1.73d54aae92cd1p-47},
    {0x1.a4p-1, 0x1.95a5adcf7p-3, 0x1.7f22858a0ff6fp-47},
    {0x1.ap-1, 0x1.a93ed3c8aep-3, -0x1.8724350562169p-45},
    {0x1.9ep-1, 0x1.b31d8575bdp-3, -0x1.c358d4eace1aap-47},
    {0x1.9cp-1, 0x1.bd087383bep-3, -0x1.d4bc4595412b6p-45},
    {0x1.9ap-1, 0x1.c6ffbc6f01p-3, -0x1.1ec72c5962bd2p-48},
    {0x1.96p-1, 0x1.db13db0d49p-3, -0x1.aff2af715b035p-45},
    {0x1.94p-1, 0x1.e530effe71p-3, 0x1.212276041f43p-51},
    {0x1.92p-1, 0x1.ef5ade4ddp-3, -0x1.a211565bb8e11p-51},
    {0x1.9p-1, 0x1.f991c6cb3bp-3, 0x1.bcbecca0cdf3p-46},
    {0x1.8cp-1, 0x1.07138604d58p-2, 0x1.89cdb16ed4e91p-48},
    {0x1.8ap-1, 0x1.0c42d67616p-2, 0x1.7188b163ceae9p-45},
    {0x1.88p-1, 0x1.1178e8227e8p-2, -0x1.c210e63a5f01cp-45},
    {0x1.86p-1, 0x1.16b5ccbacf8p-2, 0x1.b9acdf7a51681p-45},
    {0x1.84p-1, 0x1.1bf99635a68p-2, 0x1.ca6ed5147bdb7p-45},
    {0x1.82p-1, 0x1.214456d0eb8p-2, 0x1.a87deba46baeap-47},
    {0x1.7ep-1, 0x1.2bef07cdc9p-2, 0x1.a9cfa4a5004f4p-45},
    {0x1.7cp-1, 0x1.314f1e1d36p-2, -0x1.8e27ad3213cb8p-45},
    {0x1.7ap-1, 0x1.36b6776be1p-2, 0x1.16ecdb0f177c8p-46},
    {0x1.78p-1, 0x1.3c25277333p-2, 0x1.83b54b606bd5cp-46},
    {0x1.76p-1, 0x1.419b423d5e8p-2, 0x1.8e436ec90e09dp-47},
    {0x1.74p-1, 0x1.4718dc271c8p-2, -0x1.f27ce0967d675p-45},
    {0x1.72p-1, 0x1.4c9e09e173p-2, -0x1.e20891b0ad8a4p-45},
    {0x1.7p-1, 0x1.522ae0738ap-2, 0x1.ebe708164c759p-45},
    {0x1.6ep-1, 0x1.57bf753c8dp-2, 0x1.fadedee5d40efp-46},
    {0x1.6cp-1, 0x1.5d5bddf596p-2, -0x1.a0b2a08a465dcp-47},
}};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double overflown(bool negative) noexcept { return negative ? -kInfinity : kInfinity; }

double underflown(bool negative) noexcept { return negative ? -0.0 : 0.0; }

/// Computes sign e^x for |x| from 512 to 1024, where the result may be beyond the normal doubles.
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
    // Denormals are rounded once, here, where 1 + result has exactly the bits that a denormal keeps.
    const double one = result < 0.0 ? -1.0 : 1.0;
    const double error = scale - result + scale * factors.excess;
    const double rounded = one + result;
    result = (rounded + (one - rounded + result + error)) - one;
    if (result == 0.0) result = std::bit_cast<double>(scale_bits & inlined::kSignBit);
  }
  return 0x1p-1022 * result;
}

/// `low` is the rounding error of `high`.
struct TwoDoubles {
  double high;
  double low;
};

/// The exponent field may lie below 0, for a normalised denormal.
TwoDoubles logarithm(std::uint64_t bits) noexcept {
  // x = 2^k z, and row i has a c near z.
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

/// \pre x or y is 0, infinite or NaN.
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
  // Usually x is positive and normal, and |y| is from 2^-65 to below 2^63.
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
