#include "fast/collision_kernel.h"

namespace forkmunk::chipmunk::fast {

#ifdef FORKMUNK_FAST_KERNELS
namespace baseline {
extern const CollisionKernels kCollisionKernels;
}
namespace avx2 {
extern const CollisionKernels kCollisionKernels;
}
namespace avx512 {
extern const CollisionKernels kCollisionKernels;
}
#endif

const CollisionKernels* collision_kernels([[maybe_unused]] SimdTarget target) noexcept {
#ifdef FORKMUNK_FAST_KERNELS
  switch (target) {
    case SimdTarget::baseline: return &baseline::kCollisionKernels;
    case SimdTarget::avx2: return &avx2::kCollisionKernels;
    case SimdTarget::avx512: return &avx512::kCollisionKernels;
  }
#endif
  return nullptr;
}

}  // namespace forkmunk::chipmunk::fast
