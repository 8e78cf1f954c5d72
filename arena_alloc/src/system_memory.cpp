#include <forkmunk/arena_alloc/system_memory.h>

#include <cstdlib>
#include <new>

#include <mimalloc.h>

// ThreadSanitizer does not see how mimalloc hands a block from one thread to the next, and takes it for a race.
#if defined(__SANITIZE_THREAD__)
#define FORKMUNK_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FORKMUNK_TSAN 1
#endif
#endif

namespace forkmunk::arena_alloc {
namespace {

#ifdef FORKMUNK_TSAN
void* take(std::size_t size_bytes) {
  return std::aligned_alloc(kSystemAlignmentBytes,
                            (size_bytes + kSystemAlignmentBytes - 1) / kSystemAlignmentBytes * kSystemAlignmentBytes);
}
void give_back(void* block) noexcept { std::free(block); }
#else
void* take(std::size_t size_bytes) { return mi_malloc_aligned(size_bytes, kSystemAlignmentBytes); }
void give_back(void* block) noexcept { mi_free(block); }
#endif

}  // namespace

void SystemDeleter::operator()(std::byte* block) const noexcept { give_back(block); }

SystemBlock allocate_system(std::size_t size_bytes) {
  auto* block = static_cast<std::byte*>(take(size_bytes));
  if (block == nullptr) throw std::bad_alloc();
  return SystemBlock(block);
}

}  // namespace forkmunk::arena_alloc
