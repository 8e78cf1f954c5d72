// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/chipmunk_api.h>
#include <forkmunk/chipmunk/precision.h>

#include <cstddef>

namespace forkmunk::FORKMUNK_CHIPMUNK {

/// A Chipmunk space that lives in an arena, with an optional object of the caller's, the root. One memcpy saves or
/// restores the space. The bytes of a state are valid only at their address, so a space never moves.
class ClonableSpace {
 public:
  /// \param api  an arena build. \throws std::bad_alloc.
  ClonableSpace(const ChipmunkApi& api, std::size_t capacity_bytes);

  /// Empties the arena and starts a new space with the bits that the old one has after the removal of every shape, body
  /// and joint: it keeps shape ids, stamps, the last time step and the leaf tables' sizes.
  /// \param root_bytes  of the root, which is zeroed; 0 for no root.
  /// \param show_pointers  visits the root's pointers, in ascending order of their addresses.
  void renew(std::size_t root_bytes, void (*show_pointers)(void* root, PointerVisitor& visitor) = nullptr);

  /// Reserves the static tree: inner nodes in the constant zone, and leaves, whose pair lists change, in the live zone.
  /// Until end_static_shapes(), other allocations are constant.
  void begin_static_shapes(std::size_t shape_count);
  void end_static_shapes();

  [[nodiscard]] cpSpace* space() const noexcept { return space_; }
  [[nodiscard]] void* root() const noexcept { return root_; }
  [[nodiscard]] const ChipmunkApi& api() const noexcept { return *api_; }
  [[nodiscard]] arena_alloc::Arena& arena() noexcept { return arena_; }
  [[nodiscard]] const arena_alloc::Arena& arena() const noexcept { return arena_; }

  /// While the returned Scope is alive, Chipmunk allocates from this space's arena on this thread.
  [[nodiscard]] arena_alloc::Arena::Scope enter() noexcept { return arena_.enter(); }

  /// Makes this space, with its root, the twin of `other` at its own address. \pre equal capacities and api.
  void fork_from(const ClonableSpace& other);

  /// Changes a pointer into `other` to the same place in this twin, and no other pointer.
  template <typename T>
  void relocate(T*& pointer, const ClonableSpace& other) const noexcept {
    if (other.arena_.contains(pointer)) {
      const auto offset = reinterpret_cast<const std::byte*>(pointer) - other.arena_.base();
      pointer = reinterpret_cast<T*>(const_cast<std::byte*>(arena_.base()) + offset);
    }
  }

 private:
  const ChipmunkApi* api_;
  arena_alloc::Arena arena_;
  cpSpace* space_ = nullptr;
  void* root_ = nullptr;
};

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
