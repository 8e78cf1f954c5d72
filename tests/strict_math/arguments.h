// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/random.h>

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

/// Arguments that find differences: any, typical and border ones. No expression draws two numbers, because compilers
/// choose the order.
namespace forkmunk::strict_math::test {

inline double double_of(std::uint64_t bits) { return std::bit_cast<double>(bits); }
inline std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

/// Moves `x` by up to 2^n doubles, n from `low` to `high`.
inline double near(double x, unsigned low, unsigned high, Random& random) {
  const unsigned n = low + random.below(high - low + 1);
  return double_of(bits_of(x) + (random.next() >> (63 - n)) - (std::uint64_t{1} << n));
}

inline double with_random_sign(double x, Random& random) { return random.below(2) ? x : -x; }

/// Draws from mantissas and biased exponents alike.
inline double of_exponents(std::uint32_t low, std::uint32_t high, Random& random) {
  const std::uint64_t exponent = low + random.below(high - low + 1);
  return double_of((random.next() & 0x800fffffffffffff) | exponent << 52);
}

inline double argument(Random& random) {
  constexpr double kLn2 = std::numbers::ln2, kHalfPi = std::numbers::pi / 2;
  switch (random.below(16)) {
    case 0:
    case 1: return double_of(random.next());
    case 2:
    case 3: return random.between(-100, 100);
    case 4:
    case 5: return random.between(-4, 4);
    case 6: return random.between(-750, 750);
    case 7: return near(with_random_sign(kHalfPi * random.below(20), random), 10, 50, random);
    case 8: return near(with_random_sign(kHalfPi / 2 * random.below(1u << 23), random), 1, 4, random);
    case 9: return near(with_random_sign(kHalfPi / 2 * random.below(20), random), 34, 34, random);
    case 10: return double_of(random.next() & 0x800fffffffffffff);  // denormal
    case 11: return of_exponents(0x3ff - 60, 0x3ff + 12, random);
    case 12: return of_exponents(0x3ff + 15, 0x3ff + 24, random);  // medium angles
    case 13: return of_exponents(0x3ff + 20, 0x7fe, random);       // huge angles
    case 14: {
      const double step = random.below(100) * kLn2 / 128;
      return step + random.between(-0.01, 0.01);
    }
    default: return with_random_sign(random.between(700, 760), random);  // exp overflows or underflows
  }
}

struct PowArguments {
  double base;
  double exponent;
};

inline PowArguments pow_arguments(Random& random) {
  const double integer = static_cast<double>(static_cast<std::int32_t>(random.below(2001)) - 1000);
  const auto positive = [&](std::uint32_t low, std::uint32_t high) {
    return double_of(bits_of(of_exponents(low, high, random)) & ~(std::uint64_t{1} << 63));
  };
  switch (random.below(14)) {
    case 0: return {double_of(random.next()), double_of(random.next())};
    case 1: return {double_of(random.next() >> 1), of_exponents(0x3ff - 70, 0x3ff + 70, random)};
    case 2:
    case 3: return {random.between(0, 100), random.between(-100, 100)};
    case 4: return {random.between(0, 2), random.between(-20, 20)};
    case 5: return {random.between(-100, 100), integer};
    case 6: return {integer, with_random_sign(0.5 * random.below(2200), random)};
    case 7: return {near(with_random_sign(1, random), 4, 50, random), of_exponents(0x3ff, 0x3ff + 64, random)};
    case 8: return {double_of(random.next() >> 12), random.between(-2, 2)};  // denormal base
    case 9: {                                                                // near overflow and underflow
      const double base = positive(1, 0x7fe);
      const double log2 = static_cast<double>(static_cast<std::int32_t>(bits_of(base) >> 52) - 0x3ff) + 0.5;
      return {base, random.between(-1080, 1030) / log2};
    }
    case 10: return {-positive(0x3ff - 40, 0x3ff + 40), static_cast<double>(random.next() >> random.below(64))};
    case 11: return {random.between(0.9, 1.1), random.between(0, 1e4)};
    case 12: return {random.between(0.8, 1), random.between(0.01, 0.02)};
    default: return {near(positive(0x3fe, 0x400), 4, 4, random), near(integer, 1, 1, random)};
  }
}

/// Special values, thresholds of all formulas, and their neighbours, with both signs.
inline std::vector<double> edges() {
  using limits = std::numeric_limits<double>;
  constexpr double kPi = std::numbers::pi;
  std::vector<double> centres{0, limits::denorm_min(), limits::min(), limits::max(), limits::infinity()};
  centres.push_back(limits::quiet_NaN());
  centres.push_back(double_of(0x3fe6955500000000));  // the first of the table of logarithms
  for (const double x : {0.016, 0.5, 0.9, 1.0, 1.5, 2.0, 2.5, 3.0, 60.0, 512.0, 1024.0, 1075.0, 1e22})
    centres.push_back(x);
  for (const double x : {709.782712893384, 708.3964185322641, 745.1332191019412}) centres.push_back(x);  // exp's limits
  for (const double x : {0x1p-65, 0x1p-54, 0x1p-27, 0x1p-26, 0x1p52, 0x1p53, 0x1p63, 0x1p64, 0x1p1023})
    centres.push_back(x);
  // The doubles nearest to multiples of pi/2.
  for (const double x : {0x1.6ac5b262ca1ffp+849, 0x1.b951f1572eba5p+23, 0x1.504cac51f1eafp+131, 0x1.e009c53148be1p+991,
                         0x1.4c96c11134d36p+577, 0x1.6c6cbc45dc8dep+5, 0x1.39c6fd67805a7p+18}) {
    centres.push_back(x);
  }
  for (int i = 1; i <= 20; ++i) centres.push_back(kPi / 4 * i);
  for (const double turns : {1e3, 0x1p18, 0x1p19, 0x1p20, 0x1p21}) centres.push_back(kPi / 2 * turns);
  // Formulas compare upper halves, so the lower half is smallest and largest.
  for (const std::uint64_t word : {0x3e46a09eu, 0x3e500000u, 0x3fe921fbu, 0x3ff921fbu, 0x4002d97cu, 0x400921fbu,
                                   0x400f6a7au, 0x4012d97cu, 0x4015fdbcu, 0x401921fbu, 0x401c463bu, 0x413921fbu}) {
    centres.push_back(double_of(word << 32));
    centres.push_back(double_of(word << 32 | 0xffffffff));
  }
  std::vector<double> result;
  for (const double centre : centres) {
    for (const std::uint64_t offset : {0, 1, 2, -1, -2}) {
      const double x = double_of((bits_of(centre) + offset) & ~(std::uint64_t{1} << 63));
      result.push_back(x);
      result.push_back(-x);
    }
  }
  return result;
}

inline bool same(double a, double b) { return bits_of(a) == bits_of(b) || (a != a && b != b); }

}  // namespace forkmunk::strict_math::test
