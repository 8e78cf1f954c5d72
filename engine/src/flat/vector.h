#pragma once

#include <forkmunk/engine/vec2.h>

#include <cfloat>
#include <cmath>

/// Arithmetic of the flat engine. Every function evaluates as it is written, from left to right and without
/// contraction: the order is Chipmunk's, and the bits depend on it.
namespace forkmunk::engine::flat {

/// min and max as Chipmunk has them: of equal operands the second, and b if either is NaN.
inline double min_of(double a, double b) noexcept { return a < b ? a : b; }
inline double max_of(double a, double b) noexcept { return a > b ? a : b; }
inline double clamp(double x, double low, double high) noexcept { return min_of(max_of(x, low), high); }
inline double clamp_01(double x) noexcept { return max_of(0.0, min_of(x, 1.0)); }

inline Vec2 operator+(Vec2 a, Vec2 b) noexcept { return {a.x + b.x, a.y + b.y}; }
inline Vec2 operator-(Vec2 a, Vec2 b) noexcept { return {a.x - b.x, a.y - b.y}; }
inline Vec2 operator-(Vec2 v) noexcept { return {-v.x, -v.y}; }
inline Vec2 operator*(Vec2 v, double s) noexcept { return {v.x * s, v.y * s}; }
inline double dot(Vec2 a, Vec2 b) noexcept { return a.x * b.x + a.y * b.y; }
inline double cross(Vec2 a, Vec2 b) noexcept { return a.x * b.y - a.y * b.x; }
/// Turned by +90 degrees, and by -90.
inline Vec2 perpendicular(Vec2 v) noexcept { return {-v.y, v.x}; }
inline Vec2 reverse_perpendicular(Vec2 v) noexcept { return {v.y, -v.x}; }
inline double length_squared(Vec2 v) noexcept { return dot(v, v); }
inline double length(Vec2 v) noexcept { return std::sqrt(dot(v, v)); }
/// v / |v|, and 0 for 0: the smallest normal number keeps the division defined.
inline Vec2 normalized(Vec2 v) noexcept { return v * (1.0 / (length(v) + DBL_MIN)); }
/// a (1 - t) + b t.
inline Vec2 lerp(Vec2 a, Vec2 b, double t) noexcept { return a * (1.0 - t) + b * t; }
/// v turned by the angle whose cosine and sine are (rotation.x, rotation.y).
inline Vec2 rotated(Vec2 v, Vec2 rotation) noexcept {
  return {rotation.x * v.x + -rotation.y * v.y, rotation.y * v.x + rotation.x * v.y};
}
/// The product of complex numbers a b.
inline Vec2 complex_product(Vec2 a, Vec2 b) noexcept { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

/// A bounding box: left, bottom, right, top.
struct Box {
  double l = 0, b = 0, r = 0, t = 0;
};

inline bool intersect(const Box& a, const Box& b) noexcept {
  return a.l <= b.r && b.l <= a.r && a.b <= b.t && b.b <= a.t;
}
inline bool contains(const Box& outer, const Box& inner) noexcept {
  return outer.l <= inner.l && outer.r >= inner.r && outer.b <= inner.b && outer.t >= inner.t;
}
inline Box merged(const Box& a, const Box& b) noexcept {
  return {min_of(a.l, b.l), min_of(a.b, b.b), max_of(a.r, b.r), max_of(a.t, b.t)};
}
inline double area(const Box& a) noexcept { return (a.r - a.l) * (a.t - a.b); }
inline double merged_area(const Box& a, const Box& b) noexcept {
  return (max_of(a.r, b.r) - min_of(a.l, b.l)) * (max_of(a.t, b.t) - min_of(a.b, b.b));
}
/// Twice the centres' distance, in the sum norm.
inline double proximity(const Box& a, const Box& b) noexcept {
  const double x = a.l + a.r - b.l - b.r;
  const double y = a.b + a.t - b.b - b.t;
  return (x < 0 ? -x : x) + (y < 0 ? -y : y);
}
inline Box box_around(Vec2 centre, double radius) noexcept {
  return {centre.x - radius, centre.y - radius, centre.x + radius, centre.y + radius};
}
inline Vec2 centre(const Box& a) noexcept { return lerp({a.l, a.b}, {a.r, a.t}, 0.5); }

}  // namespace forkmunk::engine::flat
