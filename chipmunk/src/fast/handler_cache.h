#pragma once

#include "fast/stock_step.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <array>
#include <cstdint>

namespace forkmunk::chipmunk::fast {

/// The handlers of pairs of collision types, of one step: shapes have few types, and each arbiter needs three handlers
/// of a hash set. Callbacks may add handlers, and cannot remove any.
class HandlerCache {
 public:
  void clear() noexcept { ++version_; }
  /// The handlers of arbiters whose shapes have these types, in this order.
  const cpPairHandlers& find(cpSpace* space, cpCollisionType a, cpCollisionType b) noexcept {
    const std::uint32_t count = layout::set_of(space->collisionHandlers).entry_count;
    if (count != handler_count_) clear();
    handler_count_ = count;
    const std::uint64_t hash = (std::uint64_t{a} * 31 + b) * 0x9e3779b97f4a7c15u;
    Entry& entry = entries_[hash >> 58];
    if (entry.version != version_ || entry.a != a || entry.b != b) {
      entry = {version_, a, b, cpSpaceFindHandlers(space, a, b)};
    }
    return entry.handlers;
  }

 private:
  struct Entry {
    std::uint64_t version;
    cpCollisionType a, b;
    cpPairHandlers handlers;
  };
  std::uint64_t version_ = 1;
  std::uint32_t handler_count_ = 0;
  std::array<Entry, 64> entries_{};
};

}  // namespace forkmunk::chipmunk::fast
