// SPDX-License-Identifier: MIT
#pragma once

#include "fast/stock_step.h"

#include <forkmunk/base/simd/kernel.h>
#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/precision.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace forkmunk::FORKMUNK_CHIPMUNK::fast {

/// An array that never shrinks. Growing loses the content.
template <typename T>
class Buffer {
 public:
  [[nodiscard]] bool has_room(std::size_t count) const noexcept { return count <= capacity_; }
  void reserve(std::size_t count) {
    if (has_room(count)) return;
    const std::size_t wanted = count + count / 2;
    owner_.reset(new T[wanted]);  // not zeroed; Emscripten 3.1 has no make_unique_for_overwrite
    items_ = owner_.get();
    capacity_ = wanted;
  }
  // Forced inline, because kernels of all SIMD targets call it.
  FORKMUNK_INLINE T* data() const noexcept { return items_; }

 private:
  std::unique_ptr<T[]> owner_;
  T* items_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Cached arbiters whose contacts stock Chipmunk may have overwritten.
///
/// Stock Chipmunk keeps contacts in a ring of buffers, but the arbiter of a sleeping or static body for longer than its
/// buffer. When the shapes touch again, Chipmunk warm-starts from contacts that other arbiters have written to the same
/// slots. Each contact that would be written to a stale arbiter's slot is therefore copied to that arbiter.
class StaleContacts {
 public:
  /// Most spaces have none. \pre space->stamp is that of the current step.
  void collect(const cpSpace& space);
  void follow(const cpSpace& space) {
    if (space.collisionPersistence != persistence_) collect(space);
  }
  [[nodiscard]] bool any() const noexcept { return !entries_.empty(); }
  /// Copies the contacts of `by` to the stale arbiters that have the same slots.
  void write(const layout::ContactArbiter& by) const;

 private:
  struct Entry {
    std::uint64_t slot;  // the slot of the first contact, in all buffers
    layout::ContactArbiter* arbiter;
  };
  std::vector<Entry> entries_;  // sorted by slot
  std::vector<cpTimestamp> stamps_;
  cpTimestamp persistence_ = 0;
};

/// Memory for a new collision. Old and new contacts share it if stock Chipmunk overwrites the former.
class NewContacts {
 public:
  [[nodiscard]] cpContact* data() noexcept { return contacts_ + 1; }
  /// Lets `arbiter` read its old contacts from the shared memory, if `count` new contacts in `slots` overwrite them.
  void overlay(layout::ContactArbiter& arbiter, const cpContactSlots& slots, int count);

 private:
  cpContact contacts_[2 + CP_MAX_CONTACTS_PER_ARBITER];
};

/// Updates the moving shapes, fills space->arbiters and calls begin and preSolve, as cpSpaceStep() does. \pre the space
/// is locked, and its bodies are at their positions of the step's end. \return whether space->arbiters has repetitions.
bool find_collisions(cpSpace* space, StaleContacts& stale);

struct StepTimes {
  cpFloat dt;        ///< Seconds.
  cpFloat dt_ratio;  ///< The ratio to the previous time step.
  cpFloat slop;
  cpFloat bias;  ///< 1 - collisionBias^dt

  bool operator==(const StepTimes&) const = default;
};

/// A space whose velocities are to be solved. \pre it is locked.
struct SolverSpace {
  cpSpace* space;
  StepTimes times;
  bool in_turn;  ///< Contacts must be solved one by one.
};

/// Solves a space that cannot be solved together with others. \return false for one that can.
bool solve_alone(SolverSpace& space);
/// Solves spaces that share no body. \pre solve_alone() returned false for each.
void solve_together(std::span<const SolverSpace> spaces);

}  // namespace forkmunk::FORKMUNK_CHIPMUNK::fast
