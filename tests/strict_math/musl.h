// SPDX-License-Identifier: MIT
#pragma once

/// musl's own functions, taken out of its archive and given these names (musl_reference.cmake).
extern "C" {
double musl_sin(double);
double musl_cos(double);
void musl_sincos(double, double*, double*);
double musl_exp(double);
double musl_pow(double, double);
}
