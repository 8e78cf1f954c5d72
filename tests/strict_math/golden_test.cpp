// Hashes of a million results of each function: equal from every compiler, with any flags and on any processor. This
// file and the module's sources are compiled several times, with other flags (CMakeLists.txt).

#include "arguments.h"

#include <forkmunk/strict_math/c_names.h>
#include <forkmunk/strict_math/inlined.h>
#include <forkmunk/strict_math/strict_math.h>

#include <cstdio>
#include <string>

#include <gtest/gtest.h>

// The flags' name, where they are not the module's own.
#ifndef FORKMUNK_SUITE
#define FORKMUNK_SUITE StrictMathGolden
#endif

namespace {

namespace strict_math = forkmunk::strict_math;
using forkmunk::engine::Random;
using strict_math::test::bits_of;

/// Over doubles in their order, every NaN counting as the same one.
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

constexpr int kCount = 1'000'000;
constexpr std::uint64_t kSeed = 20180725;

std::vector<double> make_arguments() {
  std::vector<double> arguments = strict_math::test::edges();
  Random random(kSeed);
  for (int i = 0; i < kCount; ++i) arguments.push_back(strict_math::test::argument(random));
  return arguments;
}

std::vector<strict_math::test::PowArguments> make_pow_arguments() {
  std::vector<strict_math::test::PowArguments> arguments;
  const std::vector<double> edges = strict_math::test::edges();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::size_t j = i % 7; j < edges.size(); j += 7) arguments.push_back({edges[i], edges[j]});
  }
  Random random(kSeed);
  for (int i = 0; i < kCount; ++i) arguments.push_back(strict_math::test::pow_arguments(random));
  return arguments;
}

std::uint64_t hash_of(double (*function)(double)) {
  static const std::vector<double> arguments = make_arguments();
  Hash hash;
  for (const double x : arguments) hash.add(function(x));
  return hash.value();
}

std::uint64_t hash_of(double (*function)(double, double)) {
  static const std::vector<strict_math::test::PowArguments> arguments = make_pow_arguments();
  Hash hash;
  for (const auto [base, exponent] : arguments) hash.add(function(base, exponent));
  return hash.value();
}

constexpr std::uint64_t kSin = 0x9799f4c8bdd6b549;
constexpr std::uint64_t kCos = 0x381e7871936132ed;
constexpr std::uint64_t kExp = 0x91e5d16522489859;
constexpr std::uint64_t kPow = 0x9289d6d4d19b9990;

// On a difference, the constant ready to paste.
void expect_hash(const char* name, std::uint64_t found, std::uint64_t expected) {
  char text[60];
  std::snprintf(text, sizeof text, "%s = 0x%016llx", name, static_cast<unsigned long long>(found));
  EXPECT_EQ(found, expected) << text;
}

TEST(FORKMUNK_SUITE, EveryWayToTheSineGivesItsBits) {
  expect_hash("kSin", hash_of(strict_math::sin), kSin);
  expect_hash("kSin", hash_of([](double x) { return strict_math::inlined::sin(x); }), kSin);
  expect_hash("kSin", hash_of([](double x) { return strict_math::sin_cos(x).sin; }), kSin);
  expect_hash("kSin", hash_of(forkmunk_strict_sin), kSin);
  const auto both = [](double x) {
    double sine = 0, cosine = 0;
    forkmunk_strict_sincos(x, &sine, &cosine);
    return sine;
  };
  expect_hash("kSin", hash_of(both), kSin);
}

TEST(FORKMUNK_SUITE, EveryWayToTheCosineGivesItsBits) {
  expect_hash("kCos", hash_of(strict_math::cos), kCos);
  expect_hash("kCos", hash_of([](double x) { return strict_math::inlined::cos(x); }), kCos);
  expect_hash("kCos", hash_of([](double x) { return strict_math::sin_cos(x).cos; }), kCos);
  expect_hash("kCos", hash_of(forkmunk_strict_cos), kCos);
  const auto both = [](double x) {
    double sine = 0, cosine = 0;
    forkmunk_strict_sincos(x, &sine, &cosine);
    return cosine;
  };
  expect_hash("kCos", hash_of(both), kCos);
}

TEST(FORKMUNK_SUITE, EveryWayToTheExponentialGivesItsBits) {
  expect_hash("kExp", hash_of(strict_math::exp), kExp);
  expect_hash("kExp", hash_of([](double x) { return strict_math::inlined::exp(x); }), kExp);
  expect_hash("kExp", hash_of(forkmunk_strict_exp), kExp);
}

TEST(FORKMUNK_SUITE, EveryWayToThePowerGivesItsBits) {
  expect_hash("kPow", hash_of(strict_math::pow), kPow);
  expect_hash("kPow", hash_of(forkmunk_strict_pow), kPow);
}

}  // namespace
