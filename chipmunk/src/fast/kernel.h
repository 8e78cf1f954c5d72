#pragma once

#ifdef __x86_64__
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <emmintrin.h>
#include <wasm_simd128.h>
#endif

/// What a step computes in SIMD lanes is compiled once for each SIMD target (chipmunk/CMakeLists.txt), each time in a
/// namespace of its own, between FORKMUNK_FAST_BEGIN and FORKMUNK_FAST_END; the rules are those of
/// engine/src/flat/kernel.h. All #includes come before FORKMUNK_FAST_BEGIN, and what stands between uses no function
/// that is shared with other targets, unless it is forced inline or called by its address.
///
/// All targets give the same bits: their instructions differ in width only, products and sums are never contracted.
#if defined(FORKMUNK_FAST_AVX512)
#define FORKMUNK_FAST_TARGET avx512
#define FORKMUNK_FAST_INSTRUCTIONS "avx2,avx512f,avx512dq,avx512vl"
#elif defined(FORKMUNK_FAST_AVX2)
#define FORKMUNK_FAST_TARGET avx2
#define FORKMUNK_FAST_INSTRUCTIONS "avx2"
#else
#define FORKMUNK_FAST_TARGET baseline
#endif

#define FORKMUNK_FAST_PRAGMA(text) _Pragma(#text)
#ifndef FORKMUNK_FAST_INSTRUCTIONS
#define FORKMUNK_FAST_TARGET_BEGIN
#define FORKMUNK_FAST_TARGET_END
#elif defined(__clang__)
#define FORKMUNK_FAST_ATTRIBUTE(list) \
  FORKMUNK_FAST_PRAGMA(clang attribute push(__attribute__((target(list))), apply_to = function))
#define FORKMUNK_FAST_TARGET_BEGIN FORKMUNK_FAST_ATTRIBUTE(FORKMUNK_FAST_INSTRUCTIONS)
#define FORKMUNK_FAST_TARGET_END _Pragma("clang attribute pop")
#else
#define FORKMUNK_FAST_ATTRIBUTE(list) FORKMUNK_FAST_PRAGMA(GCC target(list))
#define FORKMUNK_FAST_TARGET_BEGIN _Pragma("GCC push_options") FORKMUNK_FAST_ATTRIBUTE(FORKMUNK_FAST_INSTRUCTIONS)
#define FORKMUNK_FAST_TARGET_END _Pragma("GCC pop_options")
#endif

#define FORKMUNK_FAST_BEGIN  \
  FORKMUNK_FAST_TARGET_BEGIN \
  namespace forkmunk::chipmunk::fast::inline FORKMUNK_FAST_TARGET {
#define FORKMUNK_FAST_END \
  }                       \
  FORKMUNK_FAST_TARGET_END
