#pragma once

namespace forkmunk::strict_math {

/// Sine and cosine of one angle.
struct SinCos {
  double sin;
  double cos;
};

/// Sine, cosine, exponential and power with the bits of musl 1.2.3 built without fused multiply-add: the same from any
/// compiler and processor, which a C library's are not.
///
/// Every double is an argument: infinities, NaN, denormals, zeros with their signs, angles of any size. A NaN that
/// comes out is quiet and otherwise any. The processor must round to nearest and keep denormals, as
/// it does in every program that is not linked with -Ofast or -ffast-math. errno stays as it is; which floating-point
/// exceptions are raised is not defined. Cost in instructions on x86-64: sin_cos() 65 to an eighth of a turn, 115 to
/// 9/8, 155 to 2^18 turns, 800 beyond; exp() 50, pow() 165.   Thread: any.
///
/// These are calls, compiled in this module: right under any flags of the caller. inlined.h has them without the call,
/// for sources that are compiled with this project's own flags.
[[nodiscard]] double sin(double angle_rad) noexcept;
[[nodiscard]] double cos(double angle_rad) noexcept;
[[nodiscard]] SinCos sin_cos(double angle_rad) noexcept;
[[nodiscard]] double exp(double exponent) noexcept;
[[nodiscard]] double pow(double base, double exponent) noexcept;

}  // namespace forkmunk::strict_math
