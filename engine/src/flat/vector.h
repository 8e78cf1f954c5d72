#pragma once

#include "flat/kernel.h"

#include <forkmunk/engine/vec2.h>

#if defined(__SSE2__) && !defined(FORKMUNK_PLAIN_LANES)
#define FORKMUNK_SSE2_LANES 1
#include <emmintrin.h>
#endif

#include <cfloat>
#include <cmath>

/// Arithmetic of the flat engine. Every function evaluates as written, from left to right and without contraction: the
/// order is Chipmunk's, and the bits depend on it.
namespace forkmunk::engine::flat {

/// A point or a vector. Uninitialised by default, unlike Vec2: a step makes many.
struct Vec {
  double x, y;
};
}  // namespace forkmunk::engine::flat

FORKMUNK_KERNEL_BEGIN

inline Vec vec(Vec2 v) noexcept { return {v.x, v.y}; }
inline Vec2 vec2(Vec v) noexcept { return {v.x, v.y}; }

/// Chipmunk's min and max: return b on ties and NaN. Written as SSE2 minsd/maxsd because gcc emits a branch that
/// mispredicts (a selection where SSE2 is emulated).
#if defined(FORKMUNK_SSE2_LANES) && !defined(__EMSCRIPTEN__)
inline double min_of(double a, double b) noexcept { return _mm_cvtsd_f64(_mm_min_sd(_mm_set_sd(a), _mm_set_sd(b))); }
inline double max_of(double a, double b) noexcept { return _mm_cvtsd_f64(_mm_max_sd(_mm_set_sd(a), _mm_set_sd(b))); }
#else
inline double min_of(double a, double b) noexcept { return a < b ? a : b; }
inline double max_of(double a, double b) noexcept { return a > b ? a : b; }
#endif
inline double clamp(double x, double low, double high) noexcept { return min_of(max_of(x, low), high); }
inline double clamp_01(double x) noexcept { return max_of(0.0, min_of(x, 1.0)); }

inline Vec operator+(Vec a, Vec b) noexcept { return {a.x + b.x, a.y + b.y}; }
inline Vec operator-(Vec a, Vec b) noexcept { return {a.x - b.x, a.y - b.y}; }
inline Vec operator-(Vec v) noexcept { return {-v.x, -v.y}; }
inline Vec operator*(Vec v, double s) noexcept { return {v.x * s, v.y * s}; }
inline double dot(Vec a, Vec b) noexcept { return a.x * b.x + a.y * b.y; }
inline double cross(Vec a, Vec b) noexcept { return a.x * b.y - a.y * b.x; }
/// Rotated by +90 degrees, and by -90.
inline Vec perpendicular(Vec v) noexcept { return {-v.y, v.x}; }
inline Vec reverse_perpendicular(Vec v) noexcept { return {v.y, -v.x}; }
inline double length_squared(Vec v) noexcept { return dot(v, v); }
inline double length(Vec v) noexcept { return std::sqrt(dot(v, v)); }
/// v / |v|, and 0 for 0: the smallest normal number keeps the division defined.
inline Vec normalized(Vec v) noexcept { return v * (1.0 / (length(v) + DBL_MIN)); }
/// a (1 - t) + b t.
inline Vec lerp(Vec a, Vec b, double t) noexcept { return a * (1.0 - t) + b * t; }
/// v rotated by the angle with cosine rotation.x and sine rotation.y.
inline Vec rotated(Vec v, Vec rotation) noexcept {
  return {rotation.x * v.x + -rotation.y * v.y, rotation.y * v.x + rotation.x * v.y};
}
/// The product of complex numbers a b.
inline Vec complex_product(Vec a, Vec b) noexcept { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }

FORKMUNK_KERNEL_END
