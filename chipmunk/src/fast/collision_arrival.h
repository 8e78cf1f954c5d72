#pragma once

#include "fast/collision_kernel.h"
#include "fast/stock_step.h"

#include <array>
#include <cstddef>

namespace forkmunk::chipmunk::fast {

/// The pairs for which a collision calls back while the narrow phase is at work: begin and preSolve. What these
/// callbacks change may decide the collisions after them.
class Callbacks {
 public:
  /// Reads the space's handlers. Cost: a few nanoseconds for each.
  explicit Callbacks(cpSpace* space);
  [[nodiscard]] bool any() const noexcept { return all_ || count_ > 0; }
  /// Whether a collision of two shapes may call back.
  [[nodiscard]] bool concern(const cpShape& a, const cpShape& b) const noexcept;

 private:
  static constexpr std::size_t kHandlersMax = 16;
  static void add(void* handler, void* self);

  bool all_ = false;
  std::size_t count_ = 0;
  std::array<const cpCollisionHandler*, kHandlersMax> handlers_;
};

/// What cpSpaceCollideShapes() does with the collision of two shapes: makes the arbiter if they have none, calls back,
/// and adds it to space->arbiters. \pre info.count > 0. info.arr is copied.
void arrive(cpSpace* space, cpArbiter* arbiter, cpShape* a, cpShape* b, cpCollisionInfo& info);

}  // namespace forkmunk::chipmunk::fast
