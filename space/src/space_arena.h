// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/routing.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/precision.h>
#include <forkmunk/space/recorder.h>

#include <cstddef>
#include <memory_resource>
#include <new>

namespace forkmunk::FORKMUNK_SPACE {

/// Returns null for a space in no arena.
arena_alloc::Arena* arena_of(const cpSpace* space);

/// Its own address, in the root of the arena, identifies the arena, in forks too.
class ArenaResource final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    arena_alloc::Arena* arena = arena_alloc::Arena::containing(this);
    const bool has_place = arena != nullptr && alignment <= arena_alloc::kGranule;
    if (!has_place || bytes > arena_alloc::kCapacityBytesMax) throw std::bad_alloc();
    void* const block = arena->allocate(bytes + arena_alloc::kStampBytes, FORKMUNK_KIND_CONSERVATIVE);
    chipmunk::stamp(*arena, block);
    return block;
  }
  void do_deallocate(void* block, std::size_t, std::size_t) override { forkmunk_arena_free(block); }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};
static_assert(sizeof(ArenaResource) == sizeof(chipmunk::ArenaRoot::resource));

inline void prefetch(const void* object, std::size_t bytes) noexcept {
  for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(static_cast<const std::byte*>(object) + at);
}

/// Returns the observer of `space`, the arena's main space, or null.
inline StepObserver* observer_of(arena_alloc::Arena* arena, const cpSpace* space) noexcept {
  if (arena == nullptr || arena->attachment() == nullptr) return nullptr;
  return chipmunk::root_of(*arena)->main_space == space ? static_cast<StepObserver*>(arena->attachment()) : nullptr;
}

/// Tells the observer that shapes of `space`, which may be null, may have changed.
inline void note_shape_call(const cpSpace* space, bool reindexes) noexcept {
  auto* const observer = space == nullptr ? nullptr : observer_of(arena_of(space), space);
  if (observer != nullptr) observer->note_shape_call(reindexes);
}

/// Tells a Recorder that addresses of objects become invalid.
inline void note_replaced_state(arena_alloc::Arena& arena) noexcept {
  if (arena.attachment() != nullptr) static_cast<StepObserver*>(arena.attachment())->note_restore();
}

}  // namespace forkmunk::FORKMUNK_SPACE
