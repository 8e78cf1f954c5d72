#pragma once

#include "fast/kernel.h"

#include <forkmunk/strict_math/force_inline.h>

#include <cstddef>
#include <cstdint>

/// As many doubles as a register of the SIMD target holds. Each lane gets exactly the operations that are written, in
/// their order. Sums, products and quotients are the compiler's vectors'.
FORKMUNK_FAST_BEGIN

#if defined(FORKMUNK_FAST_AVX512)

inline constexpr std::size_t kLanes = 8;
using Lanes = double __attribute__((vector_size(64), may_alias));
/// The result of a comparison, lane by lane.
using Mask = __mmask8;

FORKMUNK_INLINE Lanes all_lanes(double x) noexcept { return (Lanes)_mm512_set1_pd(x); }
FORKMUNK_INLINE Mask greater(Lanes a, Lanes b) noexcept { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
FORKMUNK_INLINE Mask less(Lanes a, Lanes b) noexcept { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
FORKMUNK_INLINE Mask equal(Lanes a, Lanes b) noexcept { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
FORKMUNK_INLINE std::uint32_t bits_of(Mask mask) noexcept { return mask; }
FORKMUNK_INLINE Mask mask_of(std::uint32_t bits) noexcept { return static_cast<Mask>(bits); }
/// a where `mask` holds, else b.
FORKMUNK_INLINE Lanes select(Mask mask, Lanes a, Lanes b) noexcept { return (Lanes)_mm512_mask_blend_pd(mask, b, a); }
/// a > b ? a : b and a < b ? a : b, as cpfmax() and cpfmin(): b where they are equal or one is NaN.
FORKMUNK_INLINE Lanes max_of(Lanes a, Lanes b) noexcept { return (Lanes)_mm512_max_pd(a, b); }
FORKMUNK_INLINE Lanes min_of(Lanes a, Lanes b) noexcept { return (Lanes)_mm512_min_pd(a, b); }
FORKMUNK_INLINE Lanes square_root(Lanes a) noexcept { return (Lanes)_mm512_sqrt_pd(a); }

#elif defined(FORKMUNK_FAST_AVX2)

inline constexpr std::size_t kLanes = 4;
using Lanes = double __attribute__((vector_size(32), may_alias));
using Mask = __m256d;

FORKMUNK_INLINE Lanes all_lanes(double x) noexcept { return (Lanes)_mm256_set1_pd(x); }
FORKMUNK_INLINE Mask greater(Lanes a, Lanes b) noexcept { return _mm256_cmp_pd(a, b, _CMP_GT_OQ); }
FORKMUNK_INLINE Mask less(Lanes a, Lanes b) noexcept { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
FORKMUNK_INLINE Mask equal(Lanes a, Lanes b) noexcept { return _mm256_cmp_pd(a, b, _CMP_EQ_OQ); }
FORKMUNK_INLINE std::uint32_t bits_of(Mask mask) noexcept {
  return static_cast<std::uint32_t>(_mm256_movemask_pd(mask));
}
FORKMUNK_INLINE Mask mask_of(std::uint32_t bits) noexcept {
  const __m256i lane_bits = _mm256_set_epi64x(8, 4, 2, 1);
  return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(bits), lane_bits), lane_bits));
}
FORKMUNK_INLINE Lanes select(Mask mask, Lanes a, Lanes b) noexcept { return (Lanes)_mm256_blendv_pd(b, a, mask); }
FORKMUNK_INLINE Lanes max_of(Lanes a, Lanes b) noexcept { return (Lanes)_mm256_max_pd(a, b); }
FORKMUNK_INLINE Lanes min_of(Lanes a, Lanes b) noexcept { return (Lanes)_mm256_min_pd(a, b); }
FORKMUNK_INLINE Lanes square_root(Lanes a) noexcept { return (Lanes)_mm256_sqrt_pd(a); }

#elif defined(__SSE2__)

inline constexpr std::size_t kLanes = 2;
using Lanes = double __attribute__((vector_size(16), may_alias));
using Mask = __m128d;

FORKMUNK_INLINE Lanes all_lanes(double x) noexcept { return (Lanes)_mm_set1_pd(x); }
FORKMUNK_INLINE Mask greater(Lanes a, Lanes b) noexcept { return _mm_cmpgt_pd(a, b); }
FORKMUNK_INLINE Mask less(Lanes a, Lanes b) noexcept { return _mm_cmplt_pd(a, b); }
FORKMUNK_INLINE Mask equal(Lanes a, Lanes b) noexcept { return _mm_cmpeq_pd(a, b); }
FORKMUNK_INLINE std::uint32_t bits_of(Mask mask) noexcept { return static_cast<std::uint32_t>(_mm_movemask_pd(mask)); }
FORKMUNK_INLINE Mask mask_of(std::uint32_t bits) noexcept {
  return _mm_castsi128_pd(
      _mm_set_epi64x(-static_cast<std::int64_t>(bits >> 1 & 1), -static_cast<std::int64_t>(bits & 1)));
}
FORKMUNK_INLINE Lanes select(Mask mask, Lanes a, Lanes b) noexcept {
  return (Lanes)_mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b));
}
#ifdef __wasm_simd128__
// As SSE2's, but for the order; Emscripten's _mm_max_pd() is a comparison and a selection.
FORKMUNK_INLINE Lanes max_of(Lanes a, Lanes b) noexcept { return (Lanes)wasm_f64x2_pmax((v128_t)b, (v128_t)a); }
FORKMUNK_INLINE Lanes min_of(Lanes a, Lanes b) noexcept { return (Lanes)wasm_f64x2_pmin((v128_t)b, (v128_t)a); }
#else
FORKMUNK_INLINE Lanes max_of(Lanes a, Lanes b) noexcept { return (Lanes)_mm_max_pd(a, b); }
FORKMUNK_INLINE Lanes min_of(Lanes a, Lanes b) noexcept { return (Lanes)_mm_min_pd(a, b); }
#endif
FORKMUNK_INLINE Lanes square_root(Lanes a) noexcept { return (Lanes)_mm_sqrt_pd(a); }

#endif

inline constexpr std::uint32_t kAllLanes = (1u << kLanes) - 1;

FORKMUNK_FAST_END
