// SPDX-License-Identifier: MIT
#pragma once

#include "fast/stock_step.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>
#include <forkmunk/chipmunk/precision.h>

#include <cstdint>
#include <vector>

namespace forkmunk::FORKMUNK_CHIPMUNK::fast {

/// The stale arbiters: cached arbiters whose contacts stock Chipmunk may have overwritten.
///
/// Stock Chipmunk keeps contacts in a ring of buffers. It keeps the arbiter of a sleeping or static body for longer
/// than the buffer of the arbiter's contacts. When the shapes touch again, stock Chipmunk warm-starts from the contacts
/// that other arbiters have written to the same slots. To get the same bits, each contact that stock Chipmunk would
/// write to the slot of a stale arbiter is copied to that arbiter.
class StaleContacts {
 public:
  /// Finds the stale arbiters; most spaces have none. \pre space->stamp is the stamp of the current step.
  void collect(const cpSpace& space);
  /// Finds the stale arbiters again if the collision persistence has changed.
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

/// Memory for the contacts of a new collision. Old and new contacts share it if stock Chipmunk overwrites the arbiter's
/// old contacts with its new ones.
class NewContacts {
 public:
  [[nodiscard]] cpContact* data() noexcept { return contacts_ + 1; }
  /// Lets `arbiter` read its old contacts from the shared memory, if `count` new contacts in `slots` overwrite them.
  void overlay(layout::ContactArbiter& arbiter, const cpContactSlots& slots, int count);

 private:
  cpContact contacts_[2 + CP_MAX_CONTACTS_PER_ARBITER];
};

}  // namespace forkmunk::FORKMUNK_CHIPMUNK::fast
