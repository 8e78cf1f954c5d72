#pragma once

/// The functions of strict_math.h under names for C: what a C library's names are redirected to, in calls
/// (-Dsin=forkmunk_strict_sin and so on, which keeps the compiler from folding constants by its own mathematics) or in
/// objects.
#ifdef __cplusplus
extern "C" {
#endif

double forkmunk_strict_sin(double angle_rad);
double forkmunk_strict_cos(double angle_rad);
/// glibc's sincos(), which gcc calls where sin() and cos() of one angle are asked for.
void forkmunk_strict_sincos(double angle_rad, double* sine, double* cosine);
double forkmunk_strict_exp(double exponent);
double forkmunk_strict_pow(double base, double exponent);

#ifdef __cplusplus
}
#endif
