// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/simd/kernel.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

/// Numbers in the lanes of SIMD registers, and vectors of two coordinates in each lane. The numbers are doubles, or, in
/// the inline namespace `of_floats` with FORKMUNK_SINGLE, floats.
///
/// Each lane gets exactly the written operations, in their order. Comparisons are intrinsics, because gcc compiles
/// those of vector types badly.
#ifdef FORKMUNK_SINGLE
#define FORKMUNK_LANES forkmunk::simd::inline of_floats
#else
#define FORKMUNK_LANES forkmunk::simd
#endif
namespace FORKMUNK_LANES {

#ifdef FORKMUNK_SINGLE
using Number = float;
#else
using Number = double;
#endif

using Lanes2 = double __attribute__((vector_size(16)));
using Lanes4f = float __attribute__((vector_size(16)));

/// A vector in each lane; L is Number for a single one. Not initialised.
template <typename L>
struct VecOf {
  L x, y;
};

template <typename L>
inline constexpr std::size_t kLanesOf = sizeof(L) / sizeof(Number);

}  // namespace FORKMUNK_LANES

FORKMUNK_KERNEL_BEGIN(FORKMUNK_LANES)

// Comparisons return a `Mask`. bits_of() returns a bit for each lane, the first lowest. select() returns a where the
// mask holds, else b. max_of() returns a > b ? a : b and min_of() a < b ? a : b; both return b for equal numbers and
// for NaN.

/// Return minimum and maximum as Chipmunk computes them, by minsd and maxsd: for the expression gcc emits a branch,
/// which is often mispredicted. Where SSE2 is emulated, they are expressions.
#ifdef FORKMUNK_SINGLE

#if defined(__SSE2__) && !defined(__EMSCRIPTEN__)
FORKMUNK_INLINE float min_of(float a, float b) noexcept {
  return _mm_cvtss_f32(_mm_min_ss(_mm_set_ss(a), _mm_set_ss(b)));
}
FORKMUNK_INLINE float max_of(float a, float b) noexcept {
  return _mm_cvtss_f32(_mm_max_ss(_mm_set_ss(a), _mm_set_ss(b)));
}
#else
FORKMUNK_INLINE float min_of(float a, float b) noexcept { return a < b ? a : b; }
FORKMUNK_INLINE float max_of(float a, float b) noexcept { return a > b ? a : b; }
#endif

#ifdef __aarch64__

using Mask4f = uint32x4_t;
FORKMUNK_INLINE Mask4f less(Lanes4f a, Lanes4f b) noexcept { return vcltq_f32(a, b); }
FORKMUNK_INLINE Mask4f at_most(Lanes4f a, Lanes4f b) noexcept { return vcleq_f32(a, b); }
FORKMUNK_INLINE Mask4f equal(Lanes4f a, Lanes4f b) noexcept { return vceqq_f32(a, b); }
FORKMUNK_INLINE Mask4f both_of(Mask4f a, Mask4f b) noexcept { return vandq_u32(a, b); }
FORKMUNK_INLINE Mask4f either_of(Mask4f a, Mask4f b) noexcept { return vorrq_u32(a, b); }
FORKMUNK_INLINE Mask4f except(Mask4f a, Mask4f b) noexcept { return vbicq_u32(a, b); }
FORKMUNK_INLINE std::uint32_t bits_of(Mask4f mask) noexcept { return vaddvq_u32(vandq_u32(mask, Mask4f{1, 2, 4, 8})); }
FORKMUNK_INLINE Lanes4f select(Mask4f mask, Lanes4f a, Lanes4f b) noexcept { return vbslq_f32(mask, a, b); }
// NEON's own minimum and maximum differ for NaN and for zeros of different signs.
FORKMUNK_INLINE Lanes4f max_of(Lanes4f a, Lanes4f b) noexcept { return select(less(b, a), a, b); }
FORKMUNK_INLINE Lanes4f min_of(Lanes4f a, Lanes4f b) noexcept { return select(less(a, b), a, b); }
FORKMUNK_INLINE Lanes4f square_root(Lanes4f a) noexcept { return vsqrtq_f32(a); }
FORKMUNK_INLINE Lanes4f absolute(Lanes4f a) noexcept { return vabsq_f32(a); }

#else

using Mask4f = __m128;
FORKMUNK_INLINE Mask4f less(Lanes4f a, Lanes4f b) noexcept { return _mm_cmplt_ps(a, b); }
FORKMUNK_INLINE Mask4f at_most(Lanes4f a, Lanes4f b) noexcept { return _mm_cmple_ps(a, b); }
FORKMUNK_INLINE Mask4f equal(Lanes4f a, Lanes4f b) noexcept { return _mm_cmpeq_ps(a, b); }
FORKMUNK_INLINE Mask4f both_of(Mask4f a, Mask4f b) noexcept { return _mm_and_ps(a, b); }
FORKMUNK_INLINE Mask4f either_of(Mask4f a, Mask4f b) noexcept { return _mm_or_ps(a, b); }
FORKMUNK_INLINE Mask4f except(Mask4f a, Mask4f b) noexcept { return _mm_andnot_ps(b, a); }
FORKMUNK_INLINE std::uint32_t bits_of(Mask4f mask) noexcept {
  return static_cast<std::uint32_t>(_mm_movemask_ps(mask));
}
#ifdef __wasm_simd128__
FORKMUNK_INLINE Lanes4f select(Mask4f mask, Lanes4f a, Lanes4f b) noexcept {
  return (Lanes4f)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)mask);
}
FORKMUNK_INLINE Lanes4f max_of(Lanes4f a, Lanes4f b) noexcept { return (Lanes4f)wasm_f32x4_pmax((v128_t)b, (v128_t)a); }
FORKMUNK_INLINE Lanes4f min_of(Lanes4f a, Lanes4f b) noexcept { return (Lanes4f)wasm_f32x4_pmin((v128_t)b, (v128_t)a); }
#else
FORKMUNK_INLINE Lanes4f select(Mask4f mask, Lanes4f a, Lanes4f b) noexcept {
  return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}
FORKMUNK_INLINE Lanes4f max_of(Lanes4f a, Lanes4f b) noexcept { return _mm_max_ps(a, b); }
FORKMUNK_INLINE Lanes4f min_of(Lanes4f a, Lanes4f b) noexcept { return _mm_min_ps(a, b); }
#endif
FORKMUNK_INLINE Lanes4f square_root(Lanes4f a) noexcept { return _mm_sqrt_ps(a); }
FORKMUNK_INLINE Lanes4f absolute(Lanes4f a) noexcept { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }

#endif

#if defined(FORKMUNK_SIMD_AVX2)
using Lanes8f = float __attribute__((vector_size(32)));
using Mask8f = __m256;
FORKMUNK_INLINE Mask8f less(Lanes8f a, Lanes8f b) noexcept { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
FORKMUNK_INLINE Mask8f at_most(Lanes8f a, Lanes8f b) noexcept { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
FORKMUNK_INLINE Mask8f equal(Lanes8f a, Lanes8f b) noexcept { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
FORKMUNK_INLINE Mask8f both_of(Mask8f a, Mask8f b) noexcept { return _mm256_and_ps(a, b); }
FORKMUNK_INLINE Mask8f either_of(Mask8f a, Mask8f b) noexcept { return _mm256_or_ps(a, b); }
FORKMUNK_INLINE Mask8f except(Mask8f a, Mask8f b) noexcept { return _mm256_andnot_ps(b, a); }
FORKMUNK_INLINE std::uint32_t bits_of(Mask8f mask) noexcept {
  return static_cast<std::uint32_t>(_mm256_movemask_ps(mask));
}
FORKMUNK_INLINE Lanes8f select(Mask8f mask, Lanes8f a, Lanes8f b) noexcept { return _mm256_blendv_ps(b, a, mask); }
FORKMUNK_INLINE Lanes8f max_of(Lanes8f a, Lanes8f b) noexcept { return _mm256_max_ps(a, b); }
FORKMUNK_INLINE Lanes8f min_of(Lanes8f a, Lanes8f b) noexcept { return _mm256_min_ps(a, b); }
FORKMUNK_INLINE Lanes8f square_root(Lanes8f a) noexcept { return _mm256_sqrt_ps(a); }
FORKMUNK_INLINE Lanes8f absolute(Lanes8f a) noexcept { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
using WideLanes = Lanes8f;
FORKMUNK_INLINE Mask8f mask_of(std::uint32_t bits) noexcept {
  const __m256i lane_bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  return _mm256_castsi256_ps(
      _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits)), lane_bits), lane_bits));
}
#else
using WideLanes = Lanes4f;
#ifdef __aarch64__
FORKMUNK_INLINE Mask4f mask_of(std::uint32_t bits) noexcept { return vtstq_u32(vdupq_n_u32(bits), Mask4f{1, 2, 4, 8}); }
#else
FORKMUNK_INLINE Mask4f mask_of(std::uint32_t bits) noexcept {
  const __m128i lane_bits = _mm_setr_epi32(1, 2, 4, 8);
  return _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(static_cast<int>(bits)), lane_bits), lane_bits));
}
#endif
#endif

#else

#if defined(__SSE2__) && !defined(FORKMUNK_PLAIN_LANES) && !defined(__EMSCRIPTEN__)
FORKMUNK_INLINE double min_of(double a, double b) noexcept {
  return _mm_cvtsd_f64(_mm_min_sd(_mm_set_sd(a), _mm_set_sd(b)));
}
FORKMUNK_INLINE double max_of(double a, double b) noexcept {
  return _mm_cvtsd_f64(_mm_max_sd(_mm_set_sd(a), _mm_set_sd(b)));
}
#else
FORKMUNK_INLINE double min_of(double a, double b) noexcept { return a < b ? a : b; }
FORKMUNK_INLINE double max_of(double a, double b) noexcept { return a > b ? a : b; }
#endif

#if defined(__SSE2__) && !defined(FORKMUNK_PLAIN_LANES)

using Mask2 = __m128d;
FORKMUNK_INLINE Mask2 less(Lanes2 a, Lanes2 b) noexcept { return _mm_cmplt_pd(a, b); }
FORKMUNK_INLINE Mask2 at_most(Lanes2 a, Lanes2 b) noexcept { return _mm_cmple_pd(a, b); }
FORKMUNK_INLINE Mask2 equal(Lanes2 a, Lanes2 b) noexcept { return _mm_cmpeq_pd(a, b); }
FORKMUNK_INLINE Mask2 both_of(Mask2 a, Mask2 b) noexcept { return _mm_and_pd(a, b); }
FORKMUNK_INLINE Mask2 either_of(Mask2 a, Mask2 b) noexcept { return _mm_or_pd(a, b); }
FORKMUNK_INLINE Mask2 except(Mask2 a, Mask2 b) noexcept { return _mm_andnot_pd(b, a); }
FORKMUNK_INLINE std::uint32_t bits_of(Mask2 mask) noexcept { return static_cast<std::uint32_t>(_mm_movemask_pd(mask)); }
FORKMUNK_INLINE Lanes2 select(Mask2 mask, Lanes2 a, Lanes2 b) noexcept {
  return _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b));
}
#ifdef __wasm_simd128__
// pmax and pmin are SSE2's with exchanged operands. Emscripten emulates _mm_max_pd().
FORKMUNK_INLINE Lanes2 max_of(Lanes2 a, Lanes2 b) noexcept { return (Lanes2)wasm_f64x2_pmax((v128_t)b, (v128_t)a); }
FORKMUNK_INLINE Lanes2 min_of(Lanes2 a, Lanes2 b) noexcept { return (Lanes2)wasm_f64x2_pmin((v128_t)b, (v128_t)a); }
#else
FORKMUNK_INLINE Lanes2 max_of(Lanes2 a, Lanes2 b) noexcept { return _mm_max_pd(a, b); }
FORKMUNK_INLINE Lanes2 min_of(Lanes2 a, Lanes2 b) noexcept { return _mm_min_pd(a, b); }
#endif
FORKMUNK_INLINE Lanes2 square_root(Lanes2 a) noexcept { return _mm_sqrt_pd(a); }
FORKMUNK_INLINE Lanes2 absolute(Lanes2 a) noexcept { return _mm_andnot_pd(_mm_set1_pd(-0.0), a); }

#elif defined(__aarch64__) && !defined(FORKMUNK_PLAIN_LANES)

using Mask2 = uint64x2_t;
FORKMUNK_INLINE Mask2 less(Lanes2 a, Lanes2 b) noexcept { return vcltq_f64(a, b); }
FORKMUNK_INLINE Mask2 at_most(Lanes2 a, Lanes2 b) noexcept { return vcleq_f64(a, b); }
FORKMUNK_INLINE Mask2 equal(Lanes2 a, Lanes2 b) noexcept { return vceqq_f64(a, b); }
FORKMUNK_INLINE Mask2 both_of(Mask2 a, Mask2 b) noexcept { return vandq_u64(a, b); }
FORKMUNK_INLINE Mask2 either_of(Mask2 a, Mask2 b) noexcept { return vorrq_u64(a, b); }
FORKMUNK_INLINE Mask2 except(Mask2 a, Mask2 b) noexcept { return vbicq_u64(a, b); }
FORKMUNK_INLINE std::uint32_t bits_of(Mask2 mask) noexcept {
  return static_cast<std::uint32_t>(vaddvq_u64(vandq_u64(mask, Mask2{1, 2})));
}
FORKMUNK_INLINE Lanes2 select(Mask2 mask, Lanes2 a, Lanes2 b) noexcept { return vbslq_f64(mask, a, b); }
// NEON's own minimum and maximum differ for NaN and for zeros of different signs.
FORKMUNK_INLINE Lanes2 max_of(Lanes2 a, Lanes2 b) noexcept { return select(less(b, a), a, b); }
FORKMUNK_INLINE Lanes2 min_of(Lanes2 a, Lanes2 b) noexcept { return select(less(a, b), a, b); }
FORKMUNK_INLINE Lanes2 square_root(Lanes2 a) noexcept { return vsqrtq_f64(a); }
FORKMUNK_INLINE Lanes2 absolute(Lanes2 a) noexcept { return vabsq_f64(a); }

#else

struct Mask2 {
  bool first, second;
};
FORKMUNK_INLINE Mask2 less(Lanes2 a, Lanes2 b) noexcept { return {a[0] < b[0], a[1] < b[1]}; }
FORKMUNK_INLINE Mask2 at_most(Lanes2 a, Lanes2 b) noexcept { return {a[0] <= b[0], a[1] <= b[1]}; }
FORKMUNK_INLINE Mask2 equal(Lanes2 a, Lanes2 b) noexcept { return {a[0] == b[0], a[1] == b[1]}; }
FORKMUNK_INLINE Mask2 both_of(Mask2 a, Mask2 b) noexcept { return {a.first && b.first, a.second && b.second}; }
FORKMUNK_INLINE std::uint32_t bits_of(Mask2 mask) noexcept { return (mask.first ? 1u : 0u) | (mask.second ? 2u : 0u); }
FORKMUNK_INLINE Lanes2 select(Mask2 mask, Lanes2 a, Lanes2 b) noexcept {
  return Lanes2{mask.first ? a[0] : b[0], mask.second ? a[1] : b[1]};
}
FORKMUNK_INLINE Lanes2 max_of(Lanes2 a, Lanes2 b) noexcept { return Lanes2{max_of(a[0], b[0]), max_of(a[1], b[1])}; }
FORKMUNK_INLINE Lanes2 min_of(Lanes2 a, Lanes2 b) noexcept { return Lanes2{min_of(a[0], b[0]), min_of(a[1], b[1])}; }
FORKMUNK_INLINE Lanes2 square_root(Lanes2 a) noexcept { return Lanes2{std::sqrt(a[0]), std::sqrt(a[1])}; }

#endif

#if defined(FORKMUNK_SIMD_AVX2) || defined(FORKMUNK_SIMD_AVX512)

using Lanes4 = double __attribute__((vector_size(32)));
using Mask4 = __m256d;
FORKMUNK_INLINE Mask4 less(Lanes4 a, Lanes4 b) noexcept { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
FORKMUNK_INLINE Mask4 at_most(Lanes4 a, Lanes4 b) noexcept { return _mm256_cmp_pd(a, b, _CMP_LE_OQ); }
FORKMUNK_INLINE Mask4 equal(Lanes4 a, Lanes4 b) noexcept { return _mm256_cmp_pd(a, b, _CMP_EQ_OQ); }
FORKMUNK_INLINE Mask4 both_of(Mask4 a, Mask4 b) noexcept { return _mm256_and_pd(a, b); }
FORKMUNK_INLINE Mask4 either_of(Mask4 a, Mask4 b) noexcept { return _mm256_or_pd(a, b); }
FORKMUNK_INLINE Mask4 except(Mask4 a, Mask4 b) noexcept { return _mm256_andnot_pd(b, a); }
FORKMUNK_INLINE std::uint32_t bits_of(Mask4 mask) noexcept {
  return static_cast<std::uint32_t>(_mm256_movemask_pd(mask));
}
FORKMUNK_INLINE Lanes4 select(Mask4 mask, Lanes4 a, Lanes4 b) noexcept { return _mm256_blendv_pd(b, a, mask); }
FORKMUNK_INLINE Lanes4 max_of(Lanes4 a, Lanes4 b) noexcept { return _mm256_max_pd(a, b); }
FORKMUNK_INLINE Lanes4 min_of(Lanes4 a, Lanes4 b) noexcept { return _mm256_min_pd(a, b); }
FORKMUNK_INLINE Lanes4 square_root(Lanes4 a) noexcept { return _mm256_sqrt_pd(a); }
FORKMUNK_INLINE Lanes4 absolute(Lanes4 a) noexcept { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }

#endif

#if defined(FORKMUNK_SIMD_AVX512)

using Lanes8 = double __attribute__((vector_size(64)));
using Mask8 = __mmask8;
FORKMUNK_INLINE Mask8 less(Lanes8 a, Lanes8 b) noexcept { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
FORKMUNK_INLINE Mask8 at_most(Lanes8 a, Lanes8 b) noexcept { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
FORKMUNK_INLINE Mask8 equal(Lanes8 a, Lanes8 b) noexcept { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
FORKMUNK_INLINE Mask8 both_of(Mask8 a, Mask8 b) noexcept { return static_cast<Mask8>(a & b); }
FORKMUNK_INLINE Mask8 either_of(Mask8 a, Mask8 b) noexcept { return static_cast<Mask8>(a | b); }
FORKMUNK_INLINE Mask8 except(Mask8 a, Mask8 b) noexcept { return static_cast<Mask8>(a & ~b); }
FORKMUNK_INLINE std::uint32_t bits_of(Mask8 mask) noexcept { return mask; }
FORKMUNK_INLINE Lanes8 select(Mask8 mask, Lanes8 a, Lanes8 b) noexcept { return _mm512_mask_blend_pd(mask, b, a); }
FORKMUNK_INLINE Lanes8 max_of(Lanes8 a, Lanes8 b) noexcept { return _mm512_max_pd(a, b); }
FORKMUNK_INLINE Lanes8 min_of(Lanes8 a, Lanes8 b) noexcept { return _mm512_min_pd(a, b); }
FORKMUNK_INLINE Lanes8 square_root(Lanes8 a) noexcept { return _mm512_sqrt_pd(a); }
FORKMUNK_INLINE Lanes8 absolute(Lanes8 a) noexcept { return _mm512_abs_pd(a); }

#endif

/// WideLanes is the target's register. mask_of() returns the mask of the lanes whose bits are set.
#if defined(FORKMUNK_SIMD_AVX512)
using WideLanes = Lanes8;
FORKMUNK_INLINE Mask8 mask_of(std::uint32_t bits) noexcept { return static_cast<Mask8>(bits); }
#elif defined(FORKMUNK_SIMD_AVX2)
using WideLanes = Lanes4;
FORKMUNK_INLINE Mask4 mask_of(std::uint32_t bits) noexcept {
  const __m256i lane_bits = _mm256_set_epi64x(8, 4, 2, 1);
  return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(bits), lane_bits), lane_bits));
}
#else
using WideLanes = Lanes2;
#if defined(__SSE2__) && !defined(FORKMUNK_PLAIN_LANES)
FORKMUNK_INLINE Mask2 mask_of(std::uint32_t bits) noexcept {
  return _mm_castsi128_pd(
      _mm_set_epi64x(-static_cast<std::int64_t>(bits >> 1 & 1), -static_cast<std::int64_t>(bits & 1)));
}
#elif defined(__aarch64__) && !defined(FORKMUNK_PLAIN_LANES)
FORKMUNK_INLINE Mask2 mask_of(std::uint32_t bits) noexcept { return vtstq_u64(vdupq_n_u64(bits), Mask2{1, 2}); }
#endif
#endif

#endif

inline constexpr std::size_t kLanes = kLanesOf<WideLanes>;
inline constexpr std::uint32_t kAllLanes = (1u << kLanes) - 1;

template <typename L>
using MaskOf = decltype(less(L{}, L{}));

template <typename L>
FORKMUNK_INLINE auto greater(L a, L b) noexcept {
  return less(b, a);
}
#ifndef FORKMUNK_SINGLE
FORKMUNK_INLINE bool all(Mask2 mask) noexcept { return bits_of(mask) == 3; }
#endif
template <typename L>
FORKMUNK_INLINE bool any_at_most(L a, L b) noexcept {
  return bits_of(at_most(a, b)) != 0;
}
template <typename L>
FORKMUNK_INLINE L clamp(L x, std::type_identity_t<L> low, std::type_identity_t<L> high) noexcept {
  return min_of(max_of(x, low), high);
}

namespace detail {
template <typename L, std::size_t... kLane>
FORKMUNK_INLINE L all_lanes(Number x, std::index_sequence<kLane...>) noexcept {
  return L{((void)kLane, x)...};
}
}  // namespace detail
template <typename L>
FORKMUNK_INLINE L all_lanes(Number x) noexcept {
  return detail::all_lanes<L>(x, std::make_index_sequence<kLanesOf<L>>());
}
FORKMUNK_INLINE WideLanes all_lanes(Number x) noexcept { return all_lanes<WideLanes>(x); }
FORKMUNK_INLINE Number clamp_01(Number x) noexcept { return max_of(Number{0}, min_of(x, Number{1})); }
FORKMUNK_INLINE WideLanes clamp_01(WideLanes x) noexcept { return max_of(all_lanes(0), min_of(x, all_lanes(1))); }

/// \pre `first` is aligned to the size of L.
template <typename L = Lanes2>
FORKMUNK_INLINE L load(const Number* first) noexcept {
  return *reinterpret_cast<const L*>(first);
}
template <typename L>
FORKMUNK_INLINE void store(Number* first, L value) noexcept {
  *reinterpret_cast<L*>(first) = value;
}

#define FORKMUNK_VEC    \
  template <typename L> \
  FORKMUNK_INLINE
FORKMUNK_VEC VecOf<L> operator+(VecOf<L> a, VecOf<L> b) noexcept { return {a.x + b.x, a.y + b.y}; }
FORKMUNK_VEC VecOf<L> operator-(VecOf<L> a, VecOf<L> b) noexcept { return {a.x - b.x, a.y - b.y}; }
FORKMUNK_VEC VecOf<L> operator-(VecOf<L> v) noexcept { return {-v.x, -v.y}; }
FORKMUNK_VEC VecOf<L> operator*(VecOf<L> v, std::type_identity_t<L> s) noexcept { return {v.x * s, v.y * s}; }
FORKMUNK_VEC L dot(VecOf<L> a, VecOf<L> b) noexcept { return a.x * b.x + a.y * b.y; }
FORKMUNK_VEC L cross(VecOf<L> a, VecOf<L> b) noexcept { return a.x * b.y - a.y * b.x; }
/// Returns v rotated by +90 degrees.
FORKMUNK_VEC VecOf<L> perpendicular(VecOf<L> v) noexcept { return {-v.y, v.x}; }
/// Returns v rotated by the angle with cosine rotation.x and sine rotation.y.
FORKMUNK_VEC VecOf<L> rotated(VecOf<L> v, VecOf<L> rotation) noexcept {
  return {rotation.x * v.x - rotation.y * v.y, rotation.y * v.x + rotation.x * v.y};
}
FORKMUNK_VEC VecOf<L> select(MaskOf<L> mask, VecOf<L> a, VecOf<L> b) noexcept {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y)};
}
#undef FORKMUNK_VEC

FORKMUNK_KERNEL_END
