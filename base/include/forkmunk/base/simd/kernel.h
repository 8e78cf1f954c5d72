// SPDX-License-Identifier: MIT
#pragma once

/// Kernels: code between FORKMUNK_KERNEL_BEGIN(namespace) and FORKMUNK_KERNEL_END is compiled once for each SIMD target
/// (simd_target.h), with FORKMUNK_SIMD_NEON, _AVX2, _AVX512 or none of them, in an inline namespace with the target's
/// name.
///
/// Only a kernel may use its target's instructions. Other code is compiled for the baseline, so it does not matter
/// which copy of an inline function the linker keeps. Therefore all #includes come before FORKMUNK_KERNEL_BEGIN, and a
/// kernel calls shared functions only if they are forced inline or called by address. tests/architecture checks the
/// objects.
///
/// All targets give the same bits: products and sums are never contracted.

#ifndef FORKMUNK_PLAIN_LANES
#if defined(__SSE2__) && !defined(__EMSCRIPTEN__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif
#ifdef __aarch64__
#include <arm_neon.h>
#endif
#endif

/// Inlines a function always, for its callers' instructions.
#define FORKMUNK_INLINE [[gnu::always_inline]] inline

#if defined(FORKMUNK_SIMD_AVX512)
#define FORKMUNK_SIMD_TARGET avx512
#define FORKMUNK_SIMD_INSTRUCTIONS "avx2,avx512f,avx512dq,avx512vl"
#elif defined(FORKMUNK_SIMD_AVX2)
#define FORKMUNK_SIMD_TARGET avx2
#define FORKMUNK_SIMD_INSTRUCTIONS "avx2"
#elif defined(FORKMUNK_SIMD_NEON)
#define FORKMUNK_SIMD_TARGET neon  // every aarch64 has its instructions
#else
#define FORKMUNK_SIMD_TARGET baseline
#endif

#define FORKMUNK_SIMD_PRAGMA(text) _Pragma(#text)
#ifndef FORKMUNK_SIMD_INSTRUCTIONS
#define FORKMUNK_SIMD_BEGIN
#define FORKMUNK_SIMD_END
#elif defined(__clang__)
#define FORKMUNK_SIMD_ATTRIBUTE(list) \
  FORKMUNK_SIMD_PRAGMA(clang attribute push(__attribute__((target(list))), apply_to = function))
#define FORKMUNK_SIMD_BEGIN FORKMUNK_SIMD_ATTRIBUTE(FORKMUNK_SIMD_INSTRUCTIONS)
#define FORKMUNK_SIMD_END _Pragma("clang attribute pop")
#else
#define FORKMUNK_SIMD_ATTRIBUTE(list) FORKMUNK_SIMD_PRAGMA(GCC target(list))
#define FORKMUNK_SIMD_BEGIN _Pragma("GCC push_options") FORKMUNK_SIMD_ATTRIBUTE(FORKMUNK_SIMD_INSTRUCTIONS)
#define FORKMUNK_SIMD_END _Pragma("GCC pop_options")
#endif

#define FORKMUNK_KERNEL_BEGIN(name) \
  FORKMUNK_SIMD_BEGIN               \
  namespace name::inline FORKMUNK_SIMD_TARGET {
#define FORKMUNK_KERNEL_END \
  }                         \
  FORKMUNK_SIMD_END
