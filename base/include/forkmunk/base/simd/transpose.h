// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/simd/lanes.h>

/// Transposes rows in memory, one for each lane of WideLanes, to registers and back.
#if (defined(__SSE2__) || defined(__aarch64__)) && !defined(FORKMUNK_PLAIN_LANES)

FORKMUNK_KERNEL_BEGIN(FORKMUNK_LANES)

struct Rows {
  const Number* of[kLanes];
};

#if defined(FORKMUNK_SINGLE)

#ifndef __aarch64__
namespace detail {
FORKMUNK_INLINE __m128 low2(const float* p) noexcept {
  return _mm_castpd_ps(_mm_load_sd(reinterpret_cast<const double*>(p)));
}
}  // namespace detail
#endif
#if defined(FORKMUNK_SIMD_AVX2)
FORKMUNK_INLINE __m256 two_rows(__m128 low, __m128 high) noexcept {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}
FORKMUNK_INLINE void load2(const Rows& rows, WideLanes& c0, WideLanes& c1) noexcept {
  const auto pair = [&](int r) {  // rows r, r + 1 | r + 4, r + 5
    const __m128 low = _mm_loadh_pi(detail::low2(rows.of[r]), reinterpret_cast<const __m64*>(rows.of[r + 1]));
    const __m128 high = _mm_loadh_pi(detail::low2(rows.of[r + 4]), reinterpret_cast<const __m64*>(rows.of[r + 5]));
    return two_rows(low, high);
  };
  const __m256 a = pair(0), b = pair(2);
  c0 = _mm256_shuffle_ps(a, b, 0x88), c1 = _mm256_shuffle_ps(a, b, 0xdd);
}
FORKMUNK_INLINE void transpose4(__m256 (&r)[4]) noexcept {  // in each half
  const __m256 t0 = _mm256_unpacklo_ps(r[0], r[1]), t1 = _mm256_unpackhi_ps(r[0], r[1]);
  const __m256 t2 = _mm256_unpacklo_ps(r[2], r[3]), t3 = _mm256_unpackhi_ps(r[2], r[3]);
  r[0] = _mm256_shuffle_ps(t0, t2, 0x44), r[1] = _mm256_shuffle_ps(t0, t2, 0xee);
  r[2] = _mm256_shuffle_ps(t1, t3, 0x44), r[3] = _mm256_shuffle_ps(t1, t3, 0xee);
}
FORKMUNK_INLINE void load4(const Rows& rows, WideLanes& c0, WideLanes& c1, WideLanes& c2, WideLanes& c3) noexcept {
  __m256 r[4];
  for (int l = 0; l < 4; ++l) r[l] = two_rows(_mm_loadu_ps(rows.of[l]), _mm_loadu_ps(rows.of[l + 4]));
  transpose4(r);
  c0 = r[0], c1 = r[1], c2 = r[2], c3 = r[3];
}
FORKMUNK_INLINE void store4(float* const (&rows)[kLanes], WideLanes c0, WideLanes c1, WideLanes c2,
                            WideLanes c3) noexcept {
  __m256 r[4]{c0, c1, c2, c3};
  transpose4(r);
  for (int l = 0; l < 4; ++l) {
    _mm_storeu_ps(rows[l], _mm256_castps256_ps128(r[l]));
    _mm_storeu_ps(rows[l + 4], _mm256_extractf128_ps(r[l], 1));
  }
}
#else
#ifdef __aarch64__
FORKMUNK_INLINE void load2(const Rows& rows, WideLanes& c0, WideLanes& c1) noexcept {
  const float32x4_t a = vcombine_f32(vld1_f32(rows.of[0]), vld1_f32(rows.of[1]));
  const float32x4_t b = vcombine_f32(vld1_f32(rows.of[2]), vld1_f32(rows.of[3]));
  c0 = vuzp1q_f32(a, b), c1 = vuzp2q_f32(a, b);
}
FORKMUNK_INLINE void transpose4(WideLanes (&r)[4]) noexcept {
  const auto t0 = (Lanes2)vtrn1q_f32(r[0], r[1]), t1 = (Lanes2)vtrn2q_f32(r[0], r[1]);
  const auto t2 = (Lanes2)vtrn1q_f32(r[2], r[3]), t3 = (Lanes2)vtrn2q_f32(r[2], r[3]);
  r[0] = (WideLanes)vtrn1q_f64(t0, t2), r[1] = (WideLanes)vtrn1q_f64(t1, t3);
  r[2] = (WideLanes)vtrn2q_f64(t0, t2), r[3] = (WideLanes)vtrn2q_f64(t1, t3);
}
#else
FORKMUNK_INLINE void load2(const Rows& rows, WideLanes& c0, WideLanes& c1) noexcept {
  const __m128 a = _mm_loadh_pi(detail::low2(rows.of[0]), reinterpret_cast<const __m64*>(rows.of[1]));
  const __m128 b = _mm_loadh_pi(detail::low2(rows.of[2]), reinterpret_cast<const __m64*>(rows.of[3]));
  c0 = _mm_shuffle_ps(a, b, 0x88), c1 = _mm_shuffle_ps(a, b, 0xdd);
}
FORKMUNK_INLINE void transpose4(WideLanes (&r)[4]) noexcept {
  const __m128 t0 = _mm_unpacklo_ps(r[0], r[1]), t1 = _mm_unpackhi_ps(r[0], r[1]);
  const __m128 t2 = _mm_unpacklo_ps(r[2], r[3]), t3 = _mm_unpackhi_ps(r[2], r[3]);
  r[0] = _mm_movelh_ps(t0, t2), r[1] = _mm_movehl_ps(t2, t0);
  r[2] = _mm_movelh_ps(t1, t3), r[3] = _mm_movehl_ps(t3, t1);
}
#endif
FORKMUNK_INLINE void load4(const Rows& rows, WideLanes& c0, WideLanes& c1, WideLanes& c2, WideLanes& c3) noexcept {
  WideLanes r[4];
  for (int l = 0; l < 4; ++l) __builtin_memcpy(&r[l], rows.of[l], sizeof r[l]);
  transpose4(r);
  c0 = r[0], c1 = r[1], c2 = r[2], c3 = r[3];
}
FORKMUNK_INLINE void store4(float* const (&rows)[kLanes], WideLanes c0, WideLanes c1, WideLanes c2,
                            WideLanes c3) noexcept {
  WideLanes r[4]{c0, c1, c2, c3};
  transpose4(r);
  for (int l = 0; l < 4; ++l) __builtin_memcpy(rows[l], &r[l], sizeof r[l]);
}
#endif

#elif defined(FORKMUNK_SIMD_AVX512)

namespace detail {
FORKMUNK_INLINE __m512d even_blocks(__m512d a, __m512d b) noexcept {
  return _mm512_permutex2var_pd(a, _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), b);
}
FORKMUNK_INLINE __m512d odd_blocks(__m512d a, __m512d b) noexcept {
  return _mm512_permutex2var_pd(a, _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2), b);
}
}  // namespace detail

/// Loads two doubles of each row.
FORKMUNK_INLINE void load2(const Rows& rows, WideLanes& c0, WideLanes& c1) noexcept {
  const auto pair = [&](std::size_t row) {
    const __m256d half =
        _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(rows.of[row])), _mm_loadu_pd(rows.of[row + 2]), 1);
    const __m256d other =
        _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(rows.of[row + 4])), _mm_loadu_pd(rows.of[row + 6]), 1);
    return _mm512_insertf64x4(_mm512_castpd256_pd512(half), other, 1);
  };
  const __m512d even = pair(0), odd = pair(1);
  c0 = _mm512_unpacklo_pd(even, odd);
  c1 = _mm512_unpackhi_pd(even, odd);
}

/// Loads four doubles of each row.
FORKMUNK_INLINE void load4(const Rows& rows, WideLanes& c0, WideLanes& c1, WideLanes& c2, WideLanes& c3) noexcept {
  const auto pair = [&](std::size_t row) {
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(rows.of[row])), _mm256_loadu_pd(rows.of[row + 2]),
                              1);
  };
  const __m512d r0 = pair(0), r1 = pair(1), r2 = pair(4), r3 = pair(5);
  const __m512d t0 = _mm512_unpacklo_pd(r0, r1), t1 = _mm512_unpackhi_pd(r0, r1);
  const __m512d t2 = _mm512_unpacklo_pd(r2, r3), t3 = _mm512_unpackhi_pd(r2, r3);
  c0 = _mm512_shuffle_f64x2(t0, t2, 0x88), c2 = _mm512_shuffle_f64x2(t0, t2, 0xdd);
  c1 = _mm512_shuffle_f64x2(t1, t3, 0x88), c3 = _mm512_shuffle_f64x2(t1, t3, 0xdd);
}

/// Stores four columns as four doubles of each row.
FORKMUNK_INLINE void store4(double* const (&rows)[kLanes], WideLanes c0, WideLanes c1, WideLanes c2,
                            WideLanes c3) noexcept {
  const __m512d t0 = _mm512_unpacklo_pd(c0, c1), t1 = _mm512_unpackhi_pd(c0, c1);
  const __m512d t2 = _mm512_unpacklo_pd(c2, c3), t3 = _mm512_unpackhi_pd(c2, c3);
  const __m512d r04 = detail::even_blocks(t0, t2), r26 = detail::odd_blocks(t0, t2);
  const __m512d r15 = detail::even_blocks(t1, t3), r37 = detail::odd_blocks(t1, t3);
  const __m256d all[kLanes]{_mm512_castpd512_pd256(r04),    _mm512_castpd512_pd256(r15),
                            _mm512_castpd512_pd256(r26),    _mm512_castpd512_pd256(r37),
                            _mm512_extractf64x4_pd(r04, 1), _mm512_extractf64x4_pd(r15, 1),
                            _mm512_extractf64x4_pd(r26, 1), _mm512_extractf64x4_pd(r37, 1)};
  for (std::size_t l = 0; l < kLanes; ++l) _mm256_storeu_pd(rows[l], all[l]);
}

#elif defined(FORKMUNK_SIMD_AVX2)

namespace detail {
FORKMUNK_INLINE void transpose4(__m256d (&r)[4]) noexcept {
  const __m256d t0 = _mm256_unpacklo_pd(r[0], r[1]), t1 = _mm256_unpackhi_pd(r[0], r[1]);
  const __m256d t2 = _mm256_unpacklo_pd(r[2], r[3]), t3 = _mm256_unpackhi_pd(r[2], r[3]);
  r[0] = _mm256_permute2f128_pd(t0, t2, 0x20), r[1] = _mm256_permute2f128_pd(t1, t3, 0x20);
  r[2] = _mm256_permute2f128_pd(t0, t2, 0x31), r[3] = _mm256_permute2f128_pd(t1, t3, 0x31);
}
}  // namespace detail

FORKMUNK_INLINE void load2(const Rows& rows, WideLanes& c0, WideLanes& c1) noexcept {
  const auto pair = [&](std::size_t row) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(rows.of[row])), _mm_loadu_pd(rows.of[row + 2]), 1);
  };
  const __m256d even = pair(0), odd = pair(1);
  c0 = _mm256_unpacklo_pd(even, odd);
  c1 = _mm256_unpackhi_pd(even, odd);
}

FORKMUNK_INLINE void load4(const Rows& rows, WideLanes& c0, WideLanes& c1, WideLanes& c2, WideLanes& c3) noexcept {
  __m256d r[4];
  for (std::size_t l = 0; l < 4; ++l) r[l] = _mm256_loadu_pd(rows.of[l]);
  detail::transpose4(r);
  c0 = r[0], c1 = r[1], c2 = r[2], c3 = r[3];
}

FORKMUNK_INLINE void store4(double* const (&rows)[kLanes], WideLanes c0, WideLanes c1, WideLanes c2,
                            WideLanes c3) noexcept {
  __m256d r[4]{c0, c1, c2, c3};
  detail::transpose4(r);
  for (std::size_t l = 0; l < kLanes; ++l) _mm256_storeu_pd(rows[l], r[l]);
}

#else

#ifdef __aarch64__

FORKMUNK_INLINE void load2(const Rows& rows, WideLanes& c0, WideLanes& c1) noexcept {
  const float64x2_t r0 = vld1q_f64(rows.of[0]), r1 = vld1q_f64(rows.of[1]);
  c0 = vzip1q_f64(r0, r1), c1 = vzip2q_f64(r0, r1);
}

FORKMUNK_INLINE void store4(double* const (&rows)[kLanes], WideLanes c0, WideLanes c1, WideLanes c2,
                            WideLanes c3) noexcept {
  vst1q_f64(rows[0], vzip1q_f64(c0, c1)), vst1q_f64(rows[0] + 2, vzip1q_f64(c2, c3));
  vst1q_f64(rows[1], vzip2q_f64(c0, c1)), vst1q_f64(rows[1] + 2, vzip2q_f64(c2, c3));
}

#else

FORKMUNK_INLINE void load2(const Rows& rows, WideLanes& c0, WideLanes& c1) noexcept {
  const __m128d r0 = _mm_loadu_pd(rows.of[0]), r1 = _mm_loadu_pd(rows.of[1]);
  c0 = _mm_unpacklo_pd(r0, r1), c1 = _mm_unpackhi_pd(r0, r1);
}

FORKMUNK_INLINE void store4(double* const (&rows)[kLanes], WideLanes c0, WideLanes c1, WideLanes c2,
                            WideLanes c3) noexcept {
  _mm_storeu_pd(rows[0], _mm_unpacklo_pd(c0, c1)), _mm_storeu_pd(rows[0] + 2, _mm_unpacklo_pd(c2, c3));
  _mm_storeu_pd(rows[1], _mm_unpackhi_pd(c0, c1)), _mm_storeu_pd(rows[1] + 2, _mm_unpackhi_pd(c2, c3));
}

#endif

FORKMUNK_INLINE void load4(const Rows& rows, WideLanes& c0, WideLanes& c1, WideLanes& c2, WideLanes& c3) noexcept {
  load2(rows, c0, c1);
  load2(Rows{{rows.of[0] + 2, rows.of[1] + 2}}, c2, c3);
}

#endif

/// In two halves, because a group of solvers often loads what the previous group stored, which is fastest from the
/// store buffer.
FORKMUNK_INLINE void load8(const Rows& rows, WideLanes (&c)[8]) noexcept {
  load4(rows, c[0], c[1], c[2], c[3]);
  Rows second;
  for (std::size_t l = 0; l < kLanes; ++l) second.of[l] = rows.of[l] + 4;
  load4(second, c[4], c[5], c[6], c[7]);
}
FORKMUNK_INLINE void store8(Number* const (&rows)[kLanes], const WideLanes (&c)[8]) noexcept {
  store4(rows, c[0], c[1], c[2], c[3]);
  Number* second[kLanes];
  for (std::size_t l = 0; l < kLanes; ++l) second[l] = rows[l] + 4;
  store4(second, c[4], c[5], c[6], c[7]);
}

FORKMUNK_KERNEL_END

#endif
