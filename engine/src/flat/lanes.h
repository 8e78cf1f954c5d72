#pragma once

#include "flat/vector.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Two doubles side by side, by compiler vectors: each lane gets exactly the operations that are written, in their
/// order. What runs in two lanes is either both cars (their joints are alike and do not meet) or a body's two motions
/// (its velocity and the one that pushes penetrations apart, which take the same impulses' formulas).
namespace forkmunk::engine::flat {

using Lanes = double __attribute__((vector_size(16)));

inline Lanes both(double x) noexcept { return Lanes{x, x}; }

/// As max_of() on each lane.
inline Lanes max_of(Lanes a, Lanes b) noexcept {
#if defined(__SSE2__)
  return _mm_max_pd(a, b);  // of equal operands or NaN the second, as it must be
#else
  return Lanes{max_of(a[0], b[0]), max_of(a[1], b[1])};
#endif
}

inline Lanes square_root(Lanes a) noexcept {
#if defined(__SSE2__)
  return _mm_sqrt_pd(a);
#else
  return Lanes{std::sqrt(a[0]), std::sqrt(a[1])};
#endif
}

/// Vec2 on each lane.
struct Vec2Lanes {
  Lanes x, y;
};
inline Vec2Lanes lanes_of(Vec2 first, Vec2 second) noexcept {
  return {Lanes{first.x, second.x}, Lanes{first.y, second.y}};
}
inline Vec2Lanes operator+(Vec2Lanes a, Vec2Lanes b) noexcept { return {a.x + b.x, a.y + b.y}; }
inline Vec2Lanes operator-(Vec2Lanes a, Vec2Lanes b) noexcept { return {a.x - b.x, a.y - b.y}; }
inline Vec2Lanes operator-(Vec2Lanes v) noexcept { return {-v.x, -v.y}; }
inline Vec2Lanes operator*(Vec2Lanes v, Lanes s) noexcept { return {v.x * s, v.y * s}; }
inline Lanes dot(Vec2Lanes a, Vec2Lanes b) noexcept { return a.x * b.x + a.y * b.y; }
inline Lanes cross(Vec2Lanes a, Vec2Lanes b) noexcept { return a.x * b.y - a.y * b.x; }
inline Vec2Lanes perpendicular(Vec2Lanes v) noexcept { return {-v.y, v.x}; }
inline Vec2Lanes rotated(Vec2Lanes v, Vec2Lanes rotation) noexcept {
  return {rotation.x * v.x + -rotation.y * v.y, rotation.y * v.x + rotation.x * v.y};
}
/// a where `condition` holds, else b.
template <typename Mask>
Vec2Lanes select(Mask condition, Vec2Lanes a, Vec2Lanes b) noexcept {
  return {condition ? a.x : b.x, condition ? a.y : b.y};
}

}  // namespace forkmunk::engine::flat
