// SPDX-License-Identifier: MIT
#pragma once

#include "strict_math/arguments.h"

#include <forkmunk/strict_math/c_names.h>
#include <forkmunk/strict_math/inlined.h>
#include <forkmunk/strict_math/strict_math.h>

#include <string>

namespace forkmunk::strict_math::test {

/// All NaN are equal.
class Hash {
 public:
  void add(double x) noexcept {
    const std::uint64_t bits = x != x ? 0x7ff8000000000000 : bits_of(x);
    value_ = (value_ ^ bits) * 0x9e3779b97f4a7c15;
    value_ ^= value_ >> 32;
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0;
};

inline constexpr int kCount = 1'000'000;
inline constexpr std::uint64_t kSeed = 20180725;

inline std::vector<double> make_arguments() {
  std::vector<double> arguments = edges();
  Random random(kSeed);
  for (int i = 0; i < kCount; ++i) arguments.push_back(argument(random));
  return arguments;
}

inline std::vector<PowArguments> make_pow_arguments() {
  std::vector<PowArguments> arguments;
  const std::vector<double> at_edges = edges();
  for (std::size_t i = 0; i < at_edges.size(); ++i) {
    for (std::size_t j = i % 7; j < at_edges.size(); j += 7) arguments.push_back({at_edges[i], at_edges[j]});
  }
  Random random(kSeed);
  for (int i = 0; i < kCount; ++i) arguments.push_back(pow_arguments(random));
  return arguments;
}

inline std::uint64_t hash_of(double (*function)(double)) {
  static const std::vector<double> arguments = make_arguments();
  Hash hash;
  for (const double x : arguments) hash.add(function(x));
  return hash.value();
}

inline std::uint64_t hash_of(double (*function)(double, double)) {
  static const std::vector<PowArguments> arguments = make_pow_arguments();
  Hash hash;
  for (const auto [base, exponent] : arguments) hash.add(function(base, exponent));
  return hash.value();
}

inline constexpr std::uint64_t kSin = 0x9799f4c8bdd6b549;
inline constexpr std::uint64_t kCos = 0x381e7871936132ed;
inline constexpr std::uint64_t kExp = 0x91e5d16522489859;
inline constexpr std::uint64_t kPow = 0x9289d6d4d19b9990;

struct Way {
  const char* name;  ///< The constant above, then the way.
  std::uint64_t found;
  std::uint64_t expected;
};

/// Inlined ones have the including source's flags. Takes a second.
inline std::vector<Way> all_ways() {
  const auto c_sine = [](double x) {
    double sine = 0, cosine = 0;
    forkmunk_strict_sincos(x, &sine, &cosine);
    return sine;
  };
  const auto c_cosine = [](double x) {
    double sine = 0, cosine = 0;
    forkmunk_strict_sincos(x, &sine, &cosine);
    return cosine;
  };
  return {
      {"kSin, sin", hash_of(strict_math::sin), kSin},
      {"kSin, inlined", hash_of([](double x) { return inlined::sin(x); }), kSin},
      {"kSin, sin_cos", hash_of([](double x) { return sin_cos(x).sin; }), kSin},
      {"kSin, in C", hash_of(forkmunk_strict_sin), kSin},
      {"kSin, sincos in C", hash_of(c_sine), kSin},
      {"kCos, cos", hash_of(strict_math::cos), kCos},
      {"kCos, inlined", hash_of([](double x) { return inlined::cos(x); }), kCos},
      {"kCos, sin_cos", hash_of([](double x) { return sin_cos(x).cos; }), kCos},
      {"kCos, in C", hash_of(forkmunk_strict_cos), kCos},
      {"kCos, sincos in C", hash_of(c_cosine), kCos},
      {"kExp, exp", hash_of(strict_math::exp), kExp},
      {"kExp, inlined", hash_of([](double x) { return inlined::exp(x); }), kExp},
      {"kExp, in C", hash_of(forkmunk_strict_exp), kExp},
      {"kPow, pow", hash_of(strict_math::pow), kPow},
      {"kPow, in C", hash_of(forkmunk_strict_pow), kPow},
  };
}

}  // namespace forkmunk::strict_math::test
