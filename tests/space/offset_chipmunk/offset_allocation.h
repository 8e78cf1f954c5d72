#ifndef FORKMUNK_TESTS_OFFSET_ALLOCATION_H
#define FORKMUNK_TESTS_OFFSET_ALLOCATION_H

/// Included before each of Chipmunk's sources in the build whose shapes lie at given offsets (tests of
/// forkmunk::space): stock in all else. Chipmunk orders cached contacts by hashes of the addresses of shapes, of which
/// 32 bits count.

#include <stddef.h>

#ifdef __cplusplus
#include <forkmunk/arena_alloc/address_region.h>

#include <queue>
#include <unordered_set>

namespace forkmunk::space {

/// Memory for the shapes of a scene in this build. Those that are made while it is the current one take the next
/// offset.
struct OffsetShapes {
  OffsetShapes() = default;
  OffsetShapes(const OffsetShapes&) = delete;
  OffsetShapes& operator=(const OffsetShapes&) = delete;
  ~OffsetShapes();

  arena_alloc::AddressRegion region{std::size_t{1} << 30, std::size_t{1} << 30};
  std::queue<std::size_t> offsets;
  std::unordered_set<void*> blocks;  ///< The C library's, for all else: freed with the scene.
};
/// That of the scene at work; null: the C library's memory.
extern thread_local OffsetShapes* offset_shapes;
/// Where the offsets of shapes that are made in a Space are appended; null: nowhere.
extern thread_local std::queue<std::size_t>* recorded_offsets;

}  // namespace forkmunk::space

extern "C" {
#endif
/// `text`: the size as Chipmunk's source has it.
void* offset_calloc(size_t count, size_t size_bytes, const char* text);
void* offset_realloc(void* block, size_t size_bytes);
void offset_free(void* block);
#ifdef __cplusplus
}
#else
#define cpcalloc(count, size) offset_calloc((count), (size), #size)
#define cprealloc offset_realloc
#define cpfree offset_free
#endif

#endif
