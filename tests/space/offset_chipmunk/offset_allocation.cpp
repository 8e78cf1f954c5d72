#include "space/offset_chipmunk/offset_allocation.h"

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/chipmunk/arena_state.h>

namespace forkmunk::space {

thread_local arena_alloc::Arena* offset_arena = nullptr;

}  // namespace forkmunk::space

using forkmunk::space::offset_arena;

// In an arena of the module's a space has a word more: the list that it is in.
void* demo_offset_calloc(size_t count, size_t size_bytes) {
  const bool is_space = count == 1 && size_bytes == sizeof(cpSpace);
  return offset_arena->allocate(is_space ? sizeof(forkmunk::chipmunk::ListedSpace) : count * size_bytes);
}

void* demo_offset_realloc(void* block, size_t size_bytes) {
  return block == nullptr ? offset_arena->allocate(size_bytes) : offset_arena->reallocate(block, size_bytes);
}

void demo_offset_free(void* block) { offset_arena->deallocate(block); }
