#ifndef FORKMUNK_TESTS_OFFSET_ALLOCATION_H
#define FORKMUNK_TESTS_OFFSET_ALLOCATION_H

/// Included before each of Chipmunk's sources in the build whose allocator hands out an arena's offsets
/// (tests of forkmunk::space): stock in all else.

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
void* demo_offset_calloc(size_t count, size_t size_bytes);
void* demo_offset_realloc(void* block, size_t size_bytes);
void demo_offset_free(void* block);
#ifdef __cplusplus
}

namespace forkmunk::arena_alloc {
class Arena;
}
namespace forkmunk::space {
/// The arena that they take from.
extern thread_local arena_alloc::Arena* offset_arena;
}  // namespace forkmunk::space
#else
#define cpcalloc demo_offset_calloc
#define cprealloc demo_offset_realloc
#define cpfree demo_offset_free
#endif

#endif
