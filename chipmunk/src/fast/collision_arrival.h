#pragma once

#include "fast/collision_kernel.h"
#include "fast/late_contacts.h"
#include "fast/stock_step.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace forkmunk::chipmunk::fast {

/// The pairs for which a collision calls a user's function while the narrow phase is at work: begin and preSolve. What
/// it changes may decide the collisions after it.
class Callbacks {
 public:
  enum class Forecast : std::uint8_t {
    none,      ///< A collision does not call back.
    unlikely,  ///< One would, and the shapes did not touch in the step before.
    likely,
  };
  explicit Callbacks(cpSpace* space) { read(space); }
  /// Reads the space's handlers, which a callback may have changed. Cost: a few nanoseconds for each.
  void read(cpSpace* space);
  [[nodiscard]] Forecast forecast(cpSpace* space, const cpShape& a, const cpShape& b) const noexcept {
    return all_ || count_ > 0 ? find(space, a, b) : Forecast::none;
  }

 private:
  static constexpr std::size_t kHandlersMax = 16;
  struct Handler {
    const cpCollisionHandler* handler;
    bool has_begin, has_pre_solve;
  };
  static void add(void* handler, void* self);
  [[nodiscard]] Forecast find(cpSpace* space, const cpShape& a, const cpShape& b) const noexcept;

  bool all_ = false;
  std::size_t count_ = 0;
  std::array<Handler, kHandlersMax> handlers_;
};

/// The arbiter of two shapes in a bucket of the space's cached arbiters, from `bin` on; null if they have none.
[[nodiscard]] cpArbiter* find_arbiter(const layout::HashSetBin* bin, const cpShape* a, const cpShape* b) noexcept;

/// What cpSpaceCollideShapes() does with the collision of two shapes: makes the arbiter if they have none, calls back,
/// and adds it to space->arbiters. \pre cpSpaceContactSlots(); info.count > 0 contacts are in contacts.data().
void arrive(cpSpace* space, cpArbiter* arbiter, cpCollisionInfo& info, NewContacts& contacts, LateContacts& late);

}  // namespace forkmunk::chipmunk::fast
