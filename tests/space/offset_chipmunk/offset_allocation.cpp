#include "offset_chipmunk/offset_allocation.h"

#include <forkmunk/chipmunk/allocation_kinds.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace forkmunk::space {

thread_local OffsetShapes* offset_shapes = nullptr;
thread_local std::queue<std::size_t>* recorded_offsets = nullptr;

OffsetShapes::~OffsetShapes() {
  for (void* block : blocks) std::free(block);
  if (offset_shapes == this) offset_shapes = nullptr;
}

namespace {

void* noted(void* block) {
  if (offset_shapes != nullptr) offset_shapes->blocks.insert(block);
  return block;
}

}  // namespace
}  // namespace forkmunk::space

using namespace forkmunk::space;

void* offset_calloc(size_t count, size_t size_bytes, const char* text) {
  const std::string_view size = text;
  const bool is_shape =
      size == "sizeof(cpCircleShape)" || size == "sizeof(cpSegmentShape)" || size == "sizeof(cpPolyShape)";
  if (!is_shape || offset_shapes == nullptr || offset_shapes->offsets.empty()) {
    return noted(std::calloc(count, size_bytes));
  }
  const std::size_t offset = offset_shapes->offsets.front();
  offset_shapes->offsets.pop();
  offset_shapes->region.note_used(offset + size_bytes);
  if (!offset_shapes->region.commit(offset + size_bytes)) std::abort();
  return std::memset(offset_shapes->region.base() + offset, 0, size_bytes);
}

void* offset_realloc(void* block, size_t size_bytes) {
  if (offset_shapes != nullptr) offset_shapes->blocks.erase(block);
  return noted(std::realloc(block, size_bytes));
}

void offset_free(void* block) {
  const auto* const byte = static_cast<const std::byte*>(block);
  const bool is_shape = offset_shapes != nullptr && byte >= offset_shapes->region.base() &&
                        byte < offset_shapes->region.base() + offset_shapes->region.size_bytes();
  if (is_shape) return;
  if (offset_shapes != nullptr) offset_shapes->blocks.erase(block);
  std::free(block);
}

// The linker replaces the function by __wrap_..., and names the original __real_... (-Wl,--wrap).
extern "C" {
void* __real_forkmunk_chipmunk_allocate(size_t size_bytes, const void* owner, int kind);
void* __wrap_forkmunk_chipmunk_allocate(size_t size_bytes, const void* owner, int kind);
}

void* __wrap_forkmunk_chipmunk_allocate(size_t size_bytes, const void* owner, int kind) {
  void* const block = __real_forkmunk_chipmunk_allocate(size_bytes, owner, kind);
  const bool is_shape = kind == FORKMUNK_KIND_CIRCLE || kind == FORKMUNK_KIND_SEGMENT || kind == FORKMUNK_KIND_POLY;
  if (is_shape && recorded_offsets != nullptr) {
    recorded_offsets->push(reinterpret_cast<std::uintptr_t>(block) & 0xffffffffu);
  }
  return block;
}
