// SPDX-License-Identifier: MIT
#include <forkmunk/strict_math/c_names.h>
#include <forkmunk/strict_math/inlined.h>
#include <forkmunk/strict_math/strict_math.h>

namespace forkmunk::strict_math {

double sin(double angle_rad) noexcept { return inlined::sin(angle_rad); }
double cos(double angle_rad) noexcept { return inlined::cos(angle_rad); }
SinCos sin_cos(double angle_rad) noexcept { return inlined::sin_cos(angle_rad); }
double exp(double exponent) noexcept { return inlined::exp(exponent); }

}  // namespace forkmunk::strict_math

namespace strict_math = forkmunk::strict_math;

double forkmunk_strict_sin(double angle_rad) { return strict_math::inlined::sin(angle_rad); }
double forkmunk_strict_cos(double angle_rad) { return strict_math::inlined::cos(angle_rad); }

void forkmunk_strict_sincos(double angle_rad, double* sine, double* cosine) {
  const strict_math::SinCos both = strict_math::inlined::sin_cos(angle_rad);
  *sine = both.sin;
  *cosine = both.cos;
}

double forkmunk_strict_exp(double exponent) { return strict_math::inlined::exp(exponent); }
double forkmunk_strict_pow(double base, double exponent) { return strict_math::pow(base, exponent); }
