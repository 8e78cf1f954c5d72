#include "fast/collision_kernel.h"

namespace forkmunk::chipmunk::fast {

#ifdef FORKMUNK_FAST_KERNELS
namespace baseline {
extern const CollisionKernels kCollisionKernels;
}
#endif
#ifdef FORKMUNK_FAST_WIDE_KERNELS
namespace avx2 {
extern const CollisionKernels kCollisionKernels;
}
namespace avx512 {
extern const CollisionKernels kCollisionKernels;
}
#endif

const CollisionKernels* collision_kernels([[maybe_unused]] SimdTarget target) noexcept {
#ifdef FORKMUNK_FAST_WIDE_KERNELS
  if (target == SimdTarget::avx2) return &avx2::kCollisionKernels;
  if (target == SimdTarget::avx512) return &avx512::kCollisionKernels;
#endif
#ifdef FORKMUNK_FAST_KERNELS
  return &baseline::kCollisionKernels;
#else
  return nullptr;
#endif
}

}  // namespace forkmunk::chipmunk::fast
