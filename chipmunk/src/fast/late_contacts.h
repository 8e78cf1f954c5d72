#pragma once

#include "fast/stock_step.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <cstdint>
#include <vector>

namespace forkmunk::chipmunk::fast {

/// The cached arbiters whose contacts stock Chipmunk may have overwritten since. It keeps an arbiter of bodies that
/// sleep or are static for longer than its buffer, and where they touch again, it reads what other contacts have left
/// in the arbiter's slots. Here each contact that is written to such a slot is copied to the arbiter.
class LateContacts {
 public:
  /// Finds them; most spaces have none. \pre space->stamp is that of the step at work.
  void collect(const cpSpace& space);
  /// The same again if `persistence` has changed.
  void follow(const cpSpace& space) {
    if (space.collisionPersistence != persistence_) collect(space);
  }
  [[nodiscard]] bool any() const noexcept { return !entries_.empty(); }
  /// Copies the contacts of `by` to those whose slots they are in.
  void write(const layout::ContactArbiter& by) const;

 private:
  struct Entry {
    std::uint64_t slot;  // that of the first contact, in all buffers
    layout::ContactArbiter* arbiter;
  };
  std::vector<Entry> entries_;       // by slot
  std::vector<cpTimestamp> stamps_;  // of the buffers, by number
  cpTimestamp persistence_ = 0;
};

/// Memory for a new collision's contacts. Where they overwrite those of their own arbiter, old and new share it.
class NewContacts {
 public:
  [[nodiscard]] cpContact* data() noexcept { return contacts_ + 1; }
  /// Lets `arbiter` read its old contacts from the memory that it shares, if `count` new ones in `slots` overwrite
  /// them.
  void overlay(layout::ContactArbiter& arbiter, const cpContactSlots& slots, int count);

 private:
  cpContact contacts_[2 + CP_MAX_CONTACTS_PER_ARBITER];
};

}  // namespace forkmunk::chipmunk::fast
