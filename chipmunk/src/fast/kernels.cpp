// SPDX-License-Identifier: MIT

#include "fast/collision_kernel.h"
#include "fast/solver.h"

#include <forkmunk/base/simd_target.h>

namespace forkmunk::FORKMUNK_CHIPMUNK::fast {

#define FORKMUNK_DECLARE_KERNELS(target)           \
  namespace target {                               \
  extern const CollisionKernels kCollisionKernels; \
  SolverKernel make_solver_kernel() noexcept;      \
  }
#ifdef FORKMUNK_HAS_BASELINE_KERNELS
FORKMUNK_DECLARE_KERNELS(baseline)
#endif
#ifdef FORKMUNK_HAS_NEON_KERNELS
FORKMUNK_DECLARE_KERNELS(neon)
#endif
#ifdef FORKMUNK_HAS_AVX2_KERNELS
FORKMUNK_DECLARE_KERNELS(avx2)
#endif
#ifdef FORKMUNK_HAS_AVX512_KERNELS
FORKMUNK_DECLARE_KERNELS(avx512)
#endif
#undef FORKMUNK_DECLARE_KERNELS

namespace {

// Fewer would leave most of 8 lanes empty.
[[maybe_unused]] constexpr int kContactsOf8Lanes = 64;
[[maybe_unused]] constexpr int kJointsOfAContact = 4;
// Fewer would leave most of 4 lanes empty.
[[maybe_unused]] constexpr int kItemsOf4Lanes = 24;
// Making groups of fewer takes longer than their lanes save.
constexpr int kItemsMin = 8;

}  // namespace

const CollisionKernels* collision_kernels([[maybe_unused]] SimdTarget target) noexcept {
#ifdef FORKMUNK_HAS_AVX512_KERNELS
  if (target == SimdTarget::avx512) return &avx512::kCollisionKernels;
#endif
#ifdef FORKMUNK_HAS_AVX2_KERNELS
  if (target == SimdTarget::avx2 || target == SimdTarget::avx512) return &avx2::kCollisionKernels;
#endif
#ifdef FORKMUNK_HAS_NEON_KERNELS
  if (target == SimdTarget::neon) return &neon::kCollisionKernels;
#endif
#ifdef FORKMUNK_HAS_BASELINE_KERNELS
  return &baseline::kCollisionKernels;
#else
  return nullptr;
#endif
}

const SolverKernel* solver_kernel(int contacts, int joints) noexcept {
  if (contacts + joints < kItemsMin) return nullptr;
  [[maybe_unused]] const bool fill_4_lanes = contacts + joints >= kItemsOf4Lanes;
  [[maybe_unused]] const bool fill_8_lanes = contacts + joints / kJointsOfAContact >= kContactsOf8Lanes;
#ifdef FORKMUNK_HAS_AVX512_KERNELS
  if (fill_8_lanes && simd_target() == SimdTarget::avx512) {
    static const SolverKernel kernel = avx512::make_solver_kernel();
    return &kernel;
  }
#endif
#ifdef FORKMUNK_HAS_AVX2_KERNELS
  if (FORKMUNK_BY_PRECISION(fill_4_lanes, fill_8_lanes) &&
      (simd_target() == SimdTarget::avx2 || simd_target() == SimdTarget::avx512)) {
    static const SolverKernel kernel = avx2::make_solver_kernel();
    return &kernel;
  }
#endif
#ifdef FORKMUNK_HAS_NEON_KERNELS
  if (simd_target() == SimdTarget::neon) {
    static const SolverKernel kernel = neon::make_solver_kernel();
    return &kernel;
  }
#endif
#ifdef FORKMUNK_HAS_BASELINE_KERNELS
  static const SolverKernel kernel = baseline::make_solver_kernel();
  return &kernel;
#else
  return nullptr;
#endif
}

}  // namespace forkmunk::FORKMUNK_CHIPMUNK::fast
