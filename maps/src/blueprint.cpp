// SPDX-License-Identifier: MIT
#include <forkmunk/maps/blueprint.h>

#include <cmath>
#include <utility>

namespace forkmunk::maps {
namespace {

// A number of 106 bits: high + low, where `high` is the nearest double. Operations follow Dekker (1971) and Knuth.
struct Double2 {
  double high = 0, low = 0;
};

Double2 sum(double a, double b) noexcept {
  const double s = a + b, b_part = s - a;
  return {s, (a - (s - b_part)) + (b - b_part)};
}

Double2 product(double a, double b) noexcept {
  const auto split = [](double x) {
    const double shifted = x * 0x1.0000002p+27, high = shifted - (shifted - x);
    return Double2{high, x - high};
  };
  const Double2 u = split(a), v = split(b);
  const double p = a * b;
  return {p, ((u.high * v.high - p) + u.high * v.low + u.low * v.high) + u.low * v.low};
}

Double2 operator+(Double2 a, Double2 b) noexcept {
  const Double2 high = sum(a.high, b.high), low = sum(a.low, b.low);
  const Double2 carried = sum(high.high, high.low + low.high);
  return sum(carried.high, carried.low + low.low);
}

Double2 operator-(Double2 a) noexcept { return {-a.high, -a.low}; }

Double2 operator*(Double2 a, Double2 b) noexcept {
  const Double2 p = product(a.high, b.high);
  return sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

Double2 operator/(Double2 a, double divisor) noexcept {
  const double quotient = a.high / divisor;
  const Double2 rest = a + -product(quotient, divisor);
  return sum(quotient, rest.high / divisor);
}

// x - x^3/3! + x^5/5! - ... from x, or 1 - x^2/2! + x^4/4! - ... from 1. For |x| up to pi/4 the 15th term is below
// 2^-110 of the sum.
Double2 series(Double2 first, int first_power, Double2 x) noexcept {
  const Double2 square = x * x;
  Double2 term = first, result = first;
  for (int power = first_power; power < first_power + 30; power += 2) {
    term = -(term * square) / static_cast<double>((power + 1) * (power + 2));
    result = result + term;
  }
  return result;
}

struct SineAndCosine {
  double sine;
  double cosine;
};

// Correctly rounded for an angle of a few turns, as the contest's maps are; strict_math and the C libraries are off by
// one bit for some points.
SineAndCosine rounded_sine_and_cosine(double angle_rad) noexcept {
  // pi/2 in three doubles.
  constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPi2 = 0x1.1a62633145c07p-54, kHalfPi3 = -0x1.f1976b7ed8fbcp-110;
  const double quarters = std::round(angle_rad / kHalfPi);
  Double2 rest = Double2{angle_rad} + -product(quarters, kHalfPi);
  rest = rest + -product(quarters, kHalfPi2);
  rest = rest + -product(quarters, kHalfPi3);

  double sine = series(rest, 1, rest).high;
  double cosine = series({1, 0}, 0, rest).high;
  const auto turn = static_cast<long long>(quarters) & 3;
  if (turn % 2 == 1) {
    std::swap(sine, cosine);
    cosine = -cosine;
  }
  return turn < 2 ? SineAndCosine{sine, cosine} : SineAndCosine{-sine, -cosine};
}

// The rules' order of operations decides the rounding.
engine::Vec2 point_on(const Arc& arc, double step_rad, int index) {
  const double angle = arc.from_rad + step_rad * index;
  const auto [sine, cosine] = rounded_sine_and_cosine(angle);
  return {arc.centre.x + arc.radius * cosine, arc.centre.y + arc.radius * sine};
}

}  // namespace

Blueprint extended(Blueprint base, std::int64_t external_id, const std::vector<Line>& lines,
                   const std::vector<Arc>& arcs) {
  base.external_id = external_id;
  base.lines.insert(base.lines.end(), lines.begin(), lines.end());
  base.arcs.insert(base.arcs.end(), arcs.begin(), arcs.end());
  return base;
}

engine::MapSetup expand(const Blueprint& blueprint) {
  engine::MapSetup map{.external_id = blueprint.external_id, .segments = {}};
  for (const Line& line : blueprint.lines) map.segments.push_back({line.from, line.to, kWallRadius});
  for (const Arc& arc : blueprint.arcs) {
    const double step_rad = (arc.to_rad - arc.from_rad) / arc.segment_count;
    for (int i = 0; i < arc.segment_count; ++i) {
      map.segments.push_back({point_on(arc, step_rad, i), point_on(arc, step_rad, i + 1), kWallRadius});
    }
  }
  return map;
}

}  // namespace forkmunk::maps
