#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/arena_alloc/routing.h>
#include <forkmunk/base/check.h>

namespace forkmunk::arena_alloc {
namespace {

// One store per step sets it (Arena::make_current); it is read only when something is allocated.
thread_local Arena* current_arena = nullptr;

}  // namespace

void Arena::make_current() noexcept { current_arena = this; }

}  // namespace forkmunk::arena_alloc

using forkmunk::arena_alloc::current_arena;

void* forkmunk_arena_calloc(size_t count, size_t size_bytes) {
  FORKMUNK_CHECK(current_arena != nullptr, "no arena is current on this thread");
  return current_arena->allocate(count * size_bytes);
}

void* forkmunk_arena_realloc(void* block, size_t size_bytes) { return current_arena->reallocate(block, size_bytes); }

void forkmunk_arena_free(void* block) { current_arena->deallocate(block); }
