#ifndef FORKMUNK_TESTS_OFFSET_ALLOCATION_H
#define FORKMUNK_TESTS_OFFSET_ALLOCATION_H

/// Included before each of Chipmunk's sources in the build whose allocator hands out an arena's offsets
/// (tests/space/demos): stock in all else.

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
void* demo_offset_calloc(size_t count, size_t size_bytes);
void* demo_offset_realloc(void* block, size_t size_bytes);
void demo_offset_free(void* block);
#ifdef __cplusplus
}
#else
#define cpcalloc demo_offset_calloc
#define cprealloc demo_offset_realloc
#define cpfree demo_offset_free
#endif

#endif
