// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/poison.h>
#include <forkmunk/arena_alloc/system_memory.h>
#include <forkmunk/base/per_thread.h>

#include <array>
#include <bit>
#include <new>

namespace forkmunk::arena_alloc {
namespace {

// Without a cache, AddressSanitizer sees true sizes and use after release.
#ifdef FORKMUNK_ASAN
constexpr bool kCachesBlocks = false;
#else
constexpr bool kCachesBlocks = kThreadsHaveCaches;
#endif

// 256, 320, 384, 448, 512, 640 bytes and so on: four sizes per power of two. Rounding adds at most a fifth, which is
// never touched.
constexpr std::size_t kSmallestBytes = 256;
constexpr std::size_t kClassesPerPower = 4;
constexpr int kSmallestPower = static_cast<int>(std::bit_width(kSmallestBytes)) - 1;

constexpr std::size_t class_of(std::size_t size_bytes) {
  if (size_bytes <= kSmallestBytes) return 0;
  const std::size_t last = size_bytes - 1;  // between 2^power and 2^(power + 1) - 1
  const int power = static_cast<int>(std::bit_width(last)) - 1;
  return kClassesPerPower * static_cast<std::size_t>(power - kSmallestPower) + (last >> (power - 2)) - 3;
}

constexpr std::size_t bytes_of_class(std::size_t size_class) {
  return (kClassesPerPower + size_class % kClassesPerPower) * (kSmallestBytes / kClassesPerPower)
         << (size_class / kClassesPerPower);
}

constexpr std::size_t kClassCount = class_of(kCachedBytesMax) + 1;
static_assert(class_of(256) == 0 && class_of(257) == 1 && class_of(320) == 1 && class_of(321) == 2 &&
              class_of(512) == 4 && class_of(513) == 5 && bytes_of_class(1) == 320 && bytes_of_class(4) == 512 &&
              bytes_of_class(5) == 640 && bytes_of_class(kClassCount - 1) == kCachedBytesMax);

constexpr std::align_val_t kAlignment{kSystemAlignmentBytes};

void* take_from_system(std::size_t size_bytes) noexcept { return ::operator new(size_bytes, kAlignment, std::nothrow); }
void give_to_system(void* block) noexcept { ::operator delete(block, kAlignment); }

struct Released {
  Released* next;
};

/// A thread's released blocks, newest first. Without a destructor, they can be used while the thread ends.
struct Cache {
  std::array<Released*, kClassCount> newest;
  SystemCacheStatistics statistics;
  bool ended;

  void* take(std::size_t size_class) noexcept {
    Released* block = newest[size_class];
    if (block == nullptr) return nullptr;
    newest[size_class] = block->next;
    statistics.cached_bytes -= bytes_of_class(size_class);
    --statistics.cached_count;
    return block;
  }

  void keep(void* block, std::size_t size_class) noexcept {
    newest[size_class] = new (block) Released{newest[size_class]};
    statistics.cached_bytes += bytes_of_class(size_class);
    ++statistics.cached_count;
  }

  /// Releases blocks of other classes until at most `bytes_max` are left, if possible.
  void shrink(std::size_t bytes_max, std::size_t kept_class) noexcept {
    for (std::size_t i = 0; i < kClassCount && statistics.cached_bytes > bytes_max; ++i) {
      while (i != kept_class && statistics.cached_bytes > bytes_max && newest[i] != nullptr) give_to_system(take(i));
    }
  }
};

constinit thread_local Cache cache{};

void end_thread() noexcept {
  cache.ended = true;
  release_system_cache();
}
thread_local AtThreadEnd<end_thread> ending;

}  // namespace

SystemBlock allocate_system(std::size_t size_bytes) {
  void* block = nullptr;
  if (kCachesBlocks && size_bytes <= kCachedBytesMax) {
    const std::size_t size_class = class_of(size_bytes);
    size_bytes = bytes_of_class(size_class);
    block = cache.take(size_class);
    if (block != nullptr) ++cache.statistics.reused_count;
  }
  if (block == nullptr) block = take_from_system(size_bytes);
  if (block == nullptr) {
    release_system_cache();
    block = take_from_system(size_bytes);
  }
  if (block == nullptr) throw std::bad_alloc();
  return {static_cast<std::byte*>(block), SystemDeleter{size_bytes}};
}

void SystemDeleter::operator()(std::byte* block) const noexcept {
  if (!kCachesBlocks || size_bytes > kCachedBytesMax || cache.ended) return give_to_system(block);
  const std::size_t size_class = class_of(size_bytes);
  if (size_bytes > kCachedBytesMax - cache.statistics.cached_bytes) {
    cache.shrink(kCachedBytesMax - size_bytes, size_class);
    if (size_bytes > kCachedBytesMax - cache.statistics.cached_bytes) return give_to_system(block);
  }
  ending.awaited = true;
  cache.keep(block, size_class);
}

SystemCacheStatistics system_cache_statistics() noexcept { return cache.statistics; }

void release_system_cache() noexcept { cache.shrink(0, kClassCount); }

}  // namespace forkmunk::arena_alloc
