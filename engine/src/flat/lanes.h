#pragma once

#include "flat/vector.h"

#include <forkmunk/strict_math/force_inline.h>

#include <cstdint>

/// Two doubles in SIMD lanes: each lane gets exactly the written operations, in their order. Sums and products use the
/// compiler's vector types; comparisons, which it compiles badly, are written as SSE2 intrinsics.
///
/// The two lanes are both cars (their joints are alike and independent), a body's two motions (velocity and bias
/// velocity have the same formulas), or x and y.
FORKMUNK_KERNEL_BEGIN

using Lanes = double __attribute__((vector_size(16)));

inline Lanes both(double x) noexcept { return Lanes{x, x}; }

/// Two consecutive doubles. \pre aligned to 16 bytes.
inline Lanes load(const double* pair) noexcept { return *reinterpret_cast<const Lanes*>(pair); }
inline void store(double* pair, Lanes value) noexcept { *reinterpret_cast<Lanes*>(pair) = value; }

#ifdef FORKMUNK_SSE2_LANES

/// The result of a comparison, lane by lane.
using Mask = __m128d;
inline Mask less(Lanes a, Lanes b) noexcept { return _mm_cmplt_pd(a, b); }
inline Mask at_most(Lanes a, Lanes b) noexcept { return _mm_cmple_pd(a, b); }
inline Mask equal(Lanes a, Lanes b) noexcept { return _mm_cmpeq_pd(a, b); }
inline Mask both_of(Mask a, Mask b) noexcept { return _mm_and_pd(a, b); }
/// Whether a comparison holds in both lanes; in any.
inline bool all(Mask mask) noexcept { return _mm_movemask_pd(mask) == 3; }
inline bool any(Mask mask) noexcept { return _mm_movemask_pd(mask) != 0; }
/// Bit 0 for the first lane, bit 1 for the second.
inline std::uint32_t bits_of(Mask mask) noexcept { return static_cast<std::uint32_t>(_mm_movemask_pd(mask)); }
/// a where `mask` holds, else b.
inline Lanes select(Mask mask, Lanes a, Lanes b) noexcept {
  return _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b));
}
/// Like the functions of the same names on doubles: they return the second operand on ties and NaN.
inline Lanes max_of(Lanes a, Lanes b) noexcept { return _mm_max_pd(a, b); }
inline Lanes min_of(Lanes a, Lanes b) noexcept { return _mm_min_pd(a, b); }
inline Lanes square_root(Lanes a) noexcept { return _mm_sqrt_pd(a); }

#else

struct Mask {
  bool first, second;
};
inline Mask less(Lanes a, Lanes b) noexcept { return {a[0] < b[0], a[1] < b[1]}; }
inline Mask at_most(Lanes a, Lanes b) noexcept { return {a[0] <= b[0], a[1] <= b[1]}; }
inline Mask equal(Lanes a, Lanes b) noexcept { return {a[0] == b[0], a[1] == b[1]}; }
inline Mask both_of(Mask a, Mask b) noexcept { return {a.first && b.first, a.second && b.second}; }
inline bool all(Mask mask) noexcept { return mask.first && mask.second; }
inline bool any(Mask mask) noexcept { return mask.first || mask.second; }
inline std::uint32_t bits_of(Mask mask) noexcept { return (mask.first ? 1u : 0u) | (mask.second ? 2u : 0u); }
inline Lanes select(Mask mask, Lanes a, Lanes b) noexcept {
  return Lanes{mask.first ? a[0] : b[0], mask.second ? a[1] : b[1]};
}
inline Lanes max_of(Lanes a, Lanes b) noexcept { return Lanes{max_of(a[0], b[0]), max_of(a[1], b[1])}; }
inline Lanes min_of(Lanes a, Lanes b) noexcept { return Lanes{min_of(a[0], b[0]), min_of(a[1], b[1])}; }
inline Lanes square_root(Lanes a) noexcept { return Lanes{std::sqrt(a[0]), std::sqrt(a[1])}; }

#endif

/// With x and y in the lanes: a.x b.x + a.y b.y.
inline double dot_of(Lanes a, Lanes b) noexcept {
  const Lanes product = a * b;
#ifdef FORKMUNK_SSE2_LANES
  return _mm_cvtsd_f64(_mm_add_sd(product, _mm_unpackhi_pd(product, product)));  // gcc copies product[0] first
#else
  return product[0] + product[1];
#endif
}

/// With x and y in the lanes: rotated by +90 degrees.
inline Lanes turned_left(Lanes v) noexcept {
#ifdef FORKMUNK_SSE2_LANES
  return _mm_xor_pd(_mm_shuffle_pd(v, v, 1), Lanes{-0.0, 0.0});
#else
  return Lanes{-v[1], v[0]};
#endif
}

/// Vec on each lane.
template <typename L>
struct VecOf {
  L x, y;
};
#define FORKMUNK_VEC    \
  template <typename L> \
  FORKMUNK_INLINE
FORKMUNK_VEC VecOf<L> operator+(VecOf<L> a, VecOf<L> b) noexcept { return {a.x + b.x, a.y + b.y}; }
FORKMUNK_VEC VecOf<L> operator-(VecOf<L> a, VecOf<L> b) noexcept { return {a.x - b.x, a.y - b.y}; }
FORKMUNK_VEC VecOf<L> operator*(VecOf<L> v, L s) noexcept { return {v.x * s, v.y * s}; }
FORKMUNK_VEC L dot(VecOf<L> a, VecOf<L> b) noexcept { return a.x * b.x + a.y * b.y; }
FORKMUNK_VEC L cross(VecOf<L> a, VecOf<L> b) noexcept { return a.x * b.y - a.y * b.x; }
FORKMUNK_VEC VecOf<L> perpendicular(VecOf<L> v) noexcept { return {-v.y, v.x}; }
FORKMUNK_VEC VecOf<L> rotated(VecOf<L> v, VecOf<L> rotation) noexcept {
  return {rotation.x * v.x - rotation.y * v.y, rotation.y * v.x + rotation.x * v.y};
}
#undef FORKMUNK_VEC

FORKMUNK_KERNEL_END
