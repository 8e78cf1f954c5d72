#include <forkmunk/arena_alloc/system_memory.h>

#include <new>

#include <mimalloc.h>

namespace forkmunk::arena_alloc {

void SystemDeleter::operator()(std::byte* block) const noexcept { mi_free(block); }

SystemBlock allocate_system(std::size_t size_bytes) {
  auto* block = static_cast<std::byte*>(mi_malloc_aligned(size_bytes, kSystemAlignmentBytes));
  if (block == nullptr) throw std::bad_alloc();
  return SystemBlock(block);
}

}  // namespace forkmunk::arena_alloc
