// SPDX-License-Identifier: MIT
#pragma once

/// The functions of strict_math.h under C names. The C library's names are redirected to them in source code
/// (-Dsin=forkmunk_strict_sin and so on, which also prevents constant folding with the compiler's sin()) or in object
/// files.
#ifdef __cplusplus
extern "C" {
#endif

double forkmunk_strict_sin(double angle_rad);
double forkmunk_strict_cos(double angle_rad);
/// Works like glibc's sincos(), into which gcc merges sin() and cos() of one angle.
void forkmunk_strict_sincos(double angle_rad, double* sine, double* cosine);
double forkmunk_strict_exp(double exponent);
double forkmunk_strict_pow(double base, double exponent);

#ifdef __cplusplus
}
#endif
