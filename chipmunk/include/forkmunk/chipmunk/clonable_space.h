// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/chipmunk_api.h>

#include <cstddef>
#include <span>

namespace forkmunk::chipmunk {

/// A Chipmunk space that lives in an arena: saved and restored by one memcpy, forked to another address.
///
/// It does not depend on cars and maps. The caller may keep one object of its own next to the space, the root, which is
/// saved, restored and forked with it.
///
/// Bytes are good only where they were taken, which is why a space never moves. Nothing that decides the bits depends
/// on addresses.
class ClonableSpace {
 public:
  /// An empty space. `api` must be an arena build. \throws std::bad_alloc.
  ClonableSpace(const ChipmunkApi& api, std::size_t capacity_bytes);

  /// Empties the arena and starts a space that is, to the last bit of what will happen in it, the old one after every
  /// shape, body and joint was removed: shape ids, stamps, the last time step and the leaf tables' sizes are kept.
  /// \param root_bytes  size of the root object, zeroed; 0 for none.
  /// \param show_pointers  shows the root's pointers, in ascending order of their addresses; they are forked with it.
  void renew(std::size_t root_bytes, void (*show_pointers)(void* root, PointerVisitor& visitor) = nullptr);

  /// Reserves the static tree for `shape_count` static shapes: inner nodes in the constant zone, leaves (whose pair
  /// lists change) in the live one. Until end_static_shapes() everything else allocated is constant.
  void begin_static_shapes(std::size_t shape_count);
  void end_static_shapes();

  [[nodiscard]] cpSpace* space() const noexcept { return space_; }
  [[nodiscard]] void* root() const noexcept { return root_; }
  [[nodiscard]] const ChipmunkApi& api() const noexcept { return *api_; }
  [[nodiscard]] arena_alloc::Arena& arena() noexcept { return arena_; }
  [[nodiscard]] const arena_alloc::Arena& arena() const noexcept { return arena_; }

  /// As long as it lives, what Chipmunk allocates on this thread is this space's arena's.
  [[nodiscard]] arena_alloc::Arena::Scope enter() noexcept { return arena_.enter(); }

  /// Makes this space the twin of `other`: same state, own address, the root object with it. \pre equal capacities and
  /// api.
  void fork_from(const ClonableSpace& other);

  /// Where the twin keeps what `other` keeps at `pointer`, which is left alone if it points elsewhere.
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

}  // namespace forkmunk::chipmunk
