#pragma once

#include "fast/stock_step.h"

#include <forkmunk/chipmunk/chipmunk_layout.h>

#include <array>
#include <cstdint>

namespace forkmunk::chipmunk::fast {

/// Whether a handler's function is, or calls, one of the user's. \param a, b  the two types' wildcard handlers.
/// \param which  a member of handlers.
template <typename Member>
bool calls_user(const cpCollisionHandler& handler, const cpCollisionHandler* a, const cpCollisionHandler* b,
                Member which) noexcept {
  const auto none = cpCollisionHandlerDoNothing.*which, function = handler.*which;
  if (function == none) return false;
  return function != cpSpaceWildcardCaller()->*which || a->*which != none || b->*which != none;
}

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
  /// Whether a collision of the types may call a user's function while the narrow phase is at work: begin or preSolve.
  bool calls_back(cpSpace* space, cpCollisionType a, cpCollisionType b) noexcept {
    const cpPairHandlers& found = find(space, a, b);
    const auto calls = [&](auto which) { return calls_user(*found.handler, found.a, found.b, which); };
    return calls(&cpCollisionHandler::beginFunc) || calls(&cpCollisionHandler::preSolveFunc);
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
