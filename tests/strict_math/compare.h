// SPDX-License-Identifier: MIT
#pragma once

#include "arguments.h"
#include "musl.h"

#include <forkmunk/strict_math/c_names.h>
#include <forkmunk/strict_math/inlined.h>
#include <forkmunk/strict_math/strict_math.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

namespace forkmunk::strict_math::test {

inline constexpr std::array<std::string_view, 4> kFunctions{"sin", "cos", "exp", "pow"};

struct Comparison {
  std::uint64_t compared = 0;
  std::uint64_t different = 0;
  std::string first_difference;

  void add(const Comparison& other) {
    compared += other.compared;
    different += other.different;
    if (first_difference.empty()) first_difference = other.first_difference;
  }
};

inline std::string describe(const char* call, double x, double y, double found, double expected) {
  char text[200];
  std::snprintf(text, sizeof text, "%s: arguments %a (0x%016llx), %a; found %a, musl has %a", call, x,
                static_cast<unsigned long long>(bits_of(x)), y, found, expected);
  return text;
}

inline void check(Comparison& result, const char* call, double x, double y, double found, double expected) {
  if (same(found, expected)) [[likely]]
    return;
  ++result.different;
  if (result.first_difference.empty()) result.first_difference = describe(call, x, y, found, expected);
}

// Also inlined, and together.
inline void compare_sin(double x, Comparison& result) {
  const double expected = musl_sin(x);
  check(result, "sin", x, 0, sin(x), expected);
  check(result, "sin_cos", x, 0, inlined::sin_cos(x).sin, expected);
  ++result.compared;
}

inline void compare_cos(double x, Comparison& result) {
  const double expected = musl_cos(x);
  check(result, "cos", x, 0, cos(x), expected);
  check(result, "sin_cos", x, 0, inlined::sin_cos(x).cos, expected);
  ++result.compared;
}

inline void compare_exp(double x, Comparison& result) {
  check(result, "exp", x, 0, exp(x), musl_exp(x));
  ++result.compared;
}

inline void compare_pow(double x, double y, Comparison& result) {
  check(result, "pow", x, y, pow(x, y), musl_pow(x, y));
  ++result.compared;
}

inline Comparison compare_random(std::string_view function, std::uint64_t count, std::uint64_t seed) {
  Random random(seed);
  Comparison result;
  const auto run = [&](auto compare) {
    for (std::uint64_t i = 0; i < count; ++i) compare(argument(random), result);
  };
  if (function == "sin") run(compare_sin);
  if (function == "cos") run(compare_cos);
  if (function == "exp") run(compare_exp);
  if (function == "pow") {
    for (std::uint64_t i = 0; i < count; ++i) {
      const PowArguments arguments = pow_arguments(random);
      compare_pow(arguments.base, arguments.exponent, result);
    }
  }
  return result;
}

inline Comparison compare_edges(std::string_view function) {
  Comparison result;
  for (const double x : edges()) {
    if (function == "sin") compare_sin(x, result);
    if (function == "cos") compare_cos(x, result);
    if (function == "exp") compare_exp(x, result);
    if (function == "pow") {
      for (const double y : edges()) compare_pow(x, y, result);
    }
  }
  return result;
}

}  // namespace forkmunk::strict_math::test
