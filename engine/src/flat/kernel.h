#pragma once

/// The code of a step is compiled once for each SIMD target (engine/CMakeLists.txt), each time in its own namespace,
/// between FORKMUNK_KERNEL_BEGIN and FORKMUNK_KERNEL_END. Only that code may use the target's instructions: shared
/// code, in flat itself and in all headers, is compiled for the baseline wherever it is instantiated, so it does not
/// matter which copy of an inline function the linker keeps. No function of flat itself may call a kernel's
/// (architecture.avx2_kernel checks the objects). So all #includes come before FORKMUNK_KERNEL_BEGIN.
///
/// All kernels give the same bits, because the instructions differ only in width; products and sums are never
/// contracted.
#ifdef FORKMUNK_AVX2_REGION
#define FORKMUNK_KERNEL avx2
#ifdef __clang__
#define FORKMUNK_TARGET_BEGIN _Pragma("clang attribute push(__attribute__((target(\"avx2\"))), apply_to = function)")
#define FORKMUNK_TARGET_END _Pragma("clang attribute pop")
#else
#define FORKMUNK_TARGET_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2\")")
#define FORKMUNK_TARGET_END _Pragma("GCC pop_options")
#endif
#else
#define FORKMUNK_KERNEL baseline
#define FORKMUNK_TARGET_BEGIN
#define FORKMUNK_TARGET_END
#endif

#define FORKMUNK_KERNEL_BEGIN \
  FORKMUNK_TARGET_BEGIN       \
  namespace forkmunk::engine::flat::inline FORKMUNK_KERNEL {
#define FORKMUNK_KERNEL_END \
  }                         \
  FORKMUNK_TARGET_END
