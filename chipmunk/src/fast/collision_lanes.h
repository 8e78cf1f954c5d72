#pragma once

#include "fast/lanes.h"
#include "fast/transpose.h"

#include <chipmunk/chipmunk_structs.h>

/// Before a loop over lanes that are handled one by one: unrolled, such loops fill most of the instruction cache.
#ifdef __clang__
#define FORKMUNK_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define FORKMUNK_ROLLED _Pragma("GCC unroll 1")
#endif

/// What the narrow phase adds to lanes.h: masks are combined, and each lane has vectors.
FORKMUNK_FAST_BEGIN

inline constexpr int kLaneCount = static_cast<int>(kLanes);

#if defined(FORKMUNK_FAST_AVX512)

FORKMUNK_INLINE Mask at_most(Lanes a, Lanes b) noexcept { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
FORKMUNK_INLINE Mask both(Mask a, Mask b) noexcept { return static_cast<Mask>(a & b); }
FORKMUNK_INLINE Mask either(Mask a, Mask b) noexcept { return static_cast<Mask>(a | b); }
FORKMUNK_INLINE Mask except(Mask a, Mask b) noexcept { return static_cast<Mask>(a & ~b); }
FORKMUNK_INLINE Lanes size_of(Lanes a) noexcept { return (Lanes)_mm512_abs_pd(a); }
FORKMUNK_INLINE Lanes load(const double* from) noexcept { return (Lanes)_mm512_loadu_pd(from); }
FORKMUNK_INLINE void store(double* to, Lanes a) noexcept { _mm512_storeu_pd(to, a); }

#elif defined(FORKMUNK_FAST_AVX2)

FORKMUNK_INLINE Mask at_most(Lanes a, Lanes b) noexcept { return _mm256_cmp_pd(a, b, _CMP_LE_OQ); }
FORKMUNK_INLINE Mask both(Mask a, Mask b) noexcept { return _mm256_and_pd(a, b); }
FORKMUNK_INLINE Mask either(Mask a, Mask b) noexcept { return _mm256_or_pd(a, b); }
FORKMUNK_INLINE Mask except(Mask a, Mask b) noexcept { return _mm256_andnot_pd(b, a); }
FORKMUNK_INLINE Lanes size_of(Lanes a) noexcept { return (Lanes)_mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
FORKMUNK_INLINE Lanes load(const double* from) noexcept { return (Lanes)_mm256_loadu_pd(from); }
FORKMUNK_INLINE void store(double* to, Lanes a) noexcept { _mm256_storeu_pd(to, a); }

#else

FORKMUNK_INLINE Mask at_most(Lanes a, Lanes b) noexcept { return _mm_cmple_pd(a, b); }
FORKMUNK_INLINE Mask both(Mask a, Mask b) noexcept { return _mm_and_pd(a, b); }
FORKMUNK_INLINE Mask either(Mask a, Mask b) noexcept { return _mm_or_pd(a, b); }
FORKMUNK_INLINE Mask except(Mask a, Mask b) noexcept { return _mm_andnot_pd(b, a); }
FORKMUNK_INLINE Lanes size_of(Lanes a) noexcept { return (Lanes)_mm_andnot_pd(_mm_set1_pd(-0.0), a); }
FORKMUNK_INLINE Lanes load(const double* from) noexcept { return (Lanes)_mm_loadu_pd(from); }
FORKMUNK_INLINE void store(double* to, Lanes a) noexcept { _mm_storeu_pd(to, a); }

#endif

FORKMUNK_INLINE Mask no_lane() noexcept { return mask_of(0); }
FORKMUNK_INLINE Mask every_lane() noexcept { return mask_of(kAllLanes); }

/// Small numbers, one a lane, and any 32 bits.
using Indices = std::int32_t __attribute__((vector_size(4 * kLanes)));
using IndexBits = std::uint32_t __attribute__((vector_size(4 * kLanes)));
FORKMUNK_INLINE Indices indices_of(Lanes a) noexcept { return __builtin_convertvector(a, Indices); }
FORKMUNK_INLINE Lanes lanes_of(Indices a) noexcept { return __builtin_convertvector(a, Lanes); }
FORKMUNK_INLINE IndexBits bits_of(Indices a) noexcept { return (IndexBits)a; }

/// A vector in each lane.
struct Vecs {
  Lanes x, y;
};
FORKMUNK_INLINE Vecs operator+(Vecs a, Vecs b) noexcept { return {a.x + b.x, a.y + b.y}; }
FORKMUNK_INLINE Vecs operator-(Vecs a, Vecs b) noexcept { return {a.x - b.x, a.y - b.y}; }
FORKMUNK_INLINE Vecs operator-(Vecs a) noexcept { return {-a.x, -a.y}; }
FORKMUNK_INLINE Vecs operator*(Vecs a, Lanes s) noexcept { return {a.x * s, a.y * s}; }
FORKMUNK_INLINE Lanes dot(Vecs a, Vecs b) noexcept { return a.x * b.x + a.y * b.y; }
FORKMUNK_INLINE Lanes cross(Vecs a, Vecs b) noexcept { return a.x * b.y - a.y * b.x; }
/// Turned by +90 degrees.
FORKMUNK_INLINE Vecs perpendicular(Vecs a) noexcept { return {-a.y, a.x}; }
FORKMUNK_INLINE Vecs select(Mask mask, Vecs a, Vecs b) noexcept {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y)};
}
FORKMUNK_INLINE Lanes clamp(Lanes x, Lanes low, Lanes high) noexcept { return min_of(max_of(x, low), high); }
FORKMUNK_INLINE Lanes clamp_01(Lanes x) noexcept { return max_of(all_lanes(0.0), min_of(x, all_lanes(1.0))); }

/// Each lane's vector: the first two doubles of its row.
FORKMUNK_INLINE Vecs load_points(const Rows& points) noexcept {
  Vecs loaded;
  load2(points, loaded.x, loaded.y);
  return loaded;
}

FORKMUNK_FAST_END
