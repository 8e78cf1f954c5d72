// SPDX-License-Identifier: MIT
#pragma once

namespace forkmunk::strict_math {

struct SinCos {
  double sin;
  double cos;
};

/// Sine, cosine, exponential and power with the bits of musl 1.2.3 built without fused multiply-add, the same from any
/// compiler and processor.
///
/// The functions accept every double: infinities, NaN, denormals, signed zeros, angles of any size. A NaN result is
/// quiet; its payload is unspecified. The processor must round to nearest and keep denormals, which is the default
/// unless a program is linked with -Ofast or -ffast-math. errno is not set; the raised floating-point exceptions are
/// unspecified. Cost in instructions on x86-64: sin_cos() 65 to an eighth of a turn, 115 to 9/8, 155 to 2^18 turns, 800
/// beyond; exp() 50, pow() 165.   Thread: any.
///
/// The functions are correct under any compiler flags of the caller.
[[nodiscard]] double sin(double angle_rad) noexcept;
[[nodiscard]] double cos(double angle_rad) noexcept;
[[nodiscard]] SinCos sin_cos(double angle_rad) noexcept;
[[nodiscard]] double exp(double exponent) noexcept;
[[nodiscard]] double pow(double base, double exponent) noexcept;

}  // namespace forkmunk::strict_math
