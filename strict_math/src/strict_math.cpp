#include <forkmunk/strict_math/inlined.h>
#include <forkmunk/strict_math/strict_math.h>

namespace forkmunk::strict_math {

double sin(double angle_rad) noexcept { return inlined::sin(angle_rad); }
double cos(double angle_rad) noexcept { return inlined::cos(angle_rad); }
SinCos sin_cos(double angle_rad) noexcept { return inlined::sin_cos(angle_rad); }
double exp(double exponent) noexcept { return inlined::exp(exponent); }

}  // namespace forkmunk::strict_math
