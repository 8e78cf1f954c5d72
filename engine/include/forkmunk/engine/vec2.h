// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

namespace forkmunk::engine {

/// A point or a vector in map units; y points up. Operations are evaluated as written, from left to right.
struct Vec2 {
  double x = 0;
  double y = 0;

  friend constexpr bool operator==(const Vec2&, const Vec2&) noexcept = default;
  constexpr Vec2& operator+=(Vec2 v) noexcept { return *this = {x + v.x, y + v.y}; }
  constexpr Vec2& operator-=(Vec2 v) noexcept { return *this = {x - v.x, y - v.y}; }
  constexpr Vec2& operator*=(double s) noexcept { return *this = {x * s, y * s}; }
  constexpr Vec2& operator/=(double s) noexcept { return *this = {x / s, y / s}; }
};

[[nodiscard]] constexpr Vec2 operator+(Vec2 a, Vec2 b) noexcept { return a += b; }
[[nodiscard]] constexpr Vec2 operator-(Vec2 a, Vec2 b) noexcept { return a -= b; }
[[nodiscard]] constexpr Vec2 operator-(Vec2 v) noexcept { return {-v.x, -v.y}; }
[[nodiscard]] constexpr Vec2 operator*(Vec2 v, double s) noexcept { return v *= s; }
[[nodiscard]] constexpr Vec2 operator*(double s, Vec2 v) noexcept { return v *= s; }
[[nodiscard]] constexpr Vec2 operator/(Vec2 v, double s) noexcept { return v /= s; }
[[nodiscard]] constexpr double dot(Vec2 a, Vec2 b) noexcept { return a.x * b.x + a.y * b.y; }
/// Returns the z of the cross product, which is positive if b is counter-clockwise from a.
[[nodiscard]] constexpr double cross(Vec2 a, Vec2 b) noexcept { return a.x * b.y - a.y * b.x; }
[[nodiscard]] inline double length(Vec2 v) noexcept { return std::sqrt(dot(v, v)); }

}  // namespace forkmunk::engine
