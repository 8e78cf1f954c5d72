// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/routing.h>
#include <forkmunk/chipmunk/arena_state.h>
#include <forkmunk/chipmunk/precision.h>

#include <memory_resource>
#include <new>

namespace forkmunk::FORKMUNK_SPACE {

/// The memory resource of a Space. It has no data and lies in the root of the arena: its own address identifies the
/// arena, in forks too.
class ArenaResource final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    arena_alloc::Arena* arena = arena_alloc::Arena::containing(this);
    if (arena == nullptr || alignment > arena_alloc::kGranule) throw std::bad_alloc();
    void* const block = arena->allocate(bytes + arena_alloc::kStampBytes, FORKMUNK_KIND_CONSERVATIVE);
    chipmunk::stamp(*arena, block);
    return block;
  }
  void do_deallocate(void* block, std::size_t, std::size_t) override { forkmunk_arena_free(block); }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};
static_assert(sizeof(ArenaResource) == sizeof(chipmunk::ArenaRoot::resource));

}  // namespace forkmunk::FORKMUNK_SPACE
