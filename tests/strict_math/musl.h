// SPDX-License-Identifier: MIT
#pragma once

/// musl's functions, renamed by musl_reference.cmake.
extern "C" {
double musl_sin(double);
double musl_cos(double);
double musl_exp(double);
double musl_pow(double, double);
}
