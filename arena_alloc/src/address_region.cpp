#include "released_cache.h"

#include <forkmunk/arena_alloc/address_region.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <new>

#ifndef __EMSCRIPTEN__
#include <sys/mman.h>
#include <sys/resource.h>
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
#endif

namespace forkmunk::arena_alloc {
namespace {

constexpr std::size_t kPageBytes = std::size_t{1} << 16;  // a multiple of every machine's page
constexpr auto kAlignmentBytes = static_cast<std::size_t>(kRegionAlignmentBytes);

#ifdef __EMSCRIPTEN__

// WebAssembly has one flat memory: a range is allocated as a whole.
std::byte* map_aligned(std::size_t size_bytes) noexcept {
  return static_cast<std::byte*>(::operator new (size_bytes, std::align_val_t{kAlignmentBytes}, std::nothrow));
}

void unmap(std::byte* base, std::size_t) noexcept { ::operator delete (base, std::align_val_t{kAlignmentBytes}); }

std::size_t share_of_limit() noexcept { return 0; }

#else

std::byte* map(std::uintptr_t hint, std::size_t size_bytes) noexcept {
  void* found = ::mmap(reinterpret_cast<void*>(hint), size_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return found == MAP_FAILED ? nullptr : static_cast<std::byte*>(found);
}

void unmap(std::byte* base, std::size_t size_bytes) noexcept { ::munmap(base, size_bytes); }

bool is_aligned(const std::byte* base) { return reinterpret_cast<std::uintptr_t>(base) % kAlignmentBytes == 0; }

// Tries aligned hints downwards from where the system maps its own ranges: one call each, and no more addresses than
// are kept, which a limit (ulimit -v) may count. The next round finds ranges again that were released higher up.
std::byte* map_at_hints(std::size_t size_bytes) noexcept {
  constexpr int kTries = 256;
  static std::atomic<std::uintptr_t> last{0};
  std::uintptr_t hint = last.load(std::memory_order_relaxed);
  const std::uintptr_t stride = (size_bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
  for (int i = 0; i < kTries; ++i) {
    if (hint <= 2 * stride) {
      std::byte* probe = map(0, kPageBytes);
      if (probe == nullptr) return nullptr;
      hint = reinterpret_cast<std::uintptr_t>(probe) / kAlignmentBytes * kAlignmentBytes;
      unmap(probe, kPageBytes);
    }
    hint -= stride;
    std::byte* found = map(hint, size_bytes);
    if (found == nullptr) return nullptr;
    last.store(hint, std::memory_order_relaxed);
    if (is_aligned(found)) return found;
    unmap(found, size_bytes);
  }
  return nullptr;
}

// Maps more than needed and unmaps the excess.
std::byte* map_and_trim(std::size_t size_bytes) noexcept {
  if (size_bytes > SIZE_MAX - kAlignmentBytes) return nullptr;
  std::byte* found = map(0, size_bytes + kAlignmentBytes);
  if (found == nullptr) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(found);
  const std::size_t before = (kAlignmentBytes - address % kAlignmentBytes) % kAlignmentBytes;
  if (before > 0) unmap(found, before);
  if (before < kAlignmentBytes) unmap(found + before + size_bytes, kAlignmentBytes - before);
  return found + before;
}

// What a range may take beyond its need where the process's addresses are limited (ulimit -v): others come after it.
std::size_t share_of_limit() noexcept {
  constexpr rlim_t kShares = 64;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  return static_cast<std::size_t>(limit.rlim_cur / kShares);
}

std::byte* map_aligned(std::size_t size_bytes) noexcept {
  std::byte* found = map_at_hints(size_bytes);
  return found != nullptr ? found : map_and_trim(size_bytes);
}

#endif

struct Released {
  std::byte* base;
  std::size_t size_bytes;
  std::size_t used_bytes;
};

/// A thread's released ranges, oldest first. No destructor, so that it can be used while a thread ends.
struct Cache {
  std::array<Released, kCachedRegionCountMax> regions;
  std::size_t count;
  std::size_t used_bytes;
  std::size_t reserved_bytes;
  std::size_t reserved_bytes_max;  // 0: addresses are not limited
  bool ended;

  void remove(std::size_t index) noexcept {
    used_bytes -= regions[index].used_bytes;
    reserved_bytes -= regions[index].size_bytes;
    std::copy(regions.begin() + static_cast<std::ptrdiff_t>(index) + 1,
              regions.begin() + static_cast<std::ptrdiff_t>(count),
              regions.begin() + static_cast<std::ptrdiff_t>(index));
    --count;
  }

  void drop_oldest() noexcept {
    unmap(regions[0].base, regions[0].size_bytes);
    remove(0);
  }

  bool take(std::size_t size_bytes, Released& taken) noexcept {
    for (std::size_t i = count; i-- > 0;) {
      if (regions[i].size_bytes != size_bytes) continue;
      taken = regions[i];
      remove(i);
      return true;
    }
    return false;
  }

  [[nodiscard]] bool has_room(const Released& region) const noexcept {
    return count < kCachedRegionCountMax && used_bytes + region.used_bytes <= kCachedRegionBytesMax &&
           (reserved_bytes_max == 0 || reserved_bytes + region.size_bytes <= reserved_bytes_max);
  }

  void keep(const Released& region) noexcept {
    while (count > 0 && !has_room(region)) drop_oldest();
    regions[count++] = region;
    used_bytes += region.used_bytes;
    reserved_bytes += region.size_bytes;
  }
};

constinit thread_local Cache cache{};

void end_thread() noexcept {
  cache.ended = true;
  release_region_cache();
}
thread_local AtThreadEnd<end_thread> ending;

std::size_t rounded(std::size_t size_bytes) {
  if (size_bytes > SIZE_MAX - kPageBytes) throw std::bad_alloc();
  return std::max(kPageBytes, (size_bytes + kPageBytes - 1) / kPageBytes * kPageBytes);
}

}  // namespace

AddressRegion::AddressRegion(std::size_t size_bytes_min, std::size_t size_bytes_max) {
  const std::size_t least = rounded(size_bytes_min);
  size_bytes_ = std::max(least, rounded(size_bytes_max));
  if (take_released()) return;
  const std::size_t share = share_of_limit();
  cache.reserved_bytes_max = share == SIZE_MAX ? 0 : share;
  if (size_bytes_ > std::max(least, share)) {
    size_bytes_ = std::max(least, rounded(share));
    if (take_released()) return;
  }
  base_ = map_aligned(size_bytes_);
  if (base_ == nullptr) release_region_cache();
  for (; base_ == nullptr; size_bytes_ = std::max(least, rounded(size_bytes_ / 2))) {
    base_ = map_aligned(size_bytes_);
    if (base_ != nullptr) return;
    if (size_bytes_ == least) throw std::bad_alloc();
  }
}

bool AddressRegion::take_released() noexcept {
  Released taken;
  if (!cache.take(size_bytes_, taken)) return false;
  base_ = taken.base;
  used_bytes_ = taken.used_bytes;
  return true;
}

void AddressRegion::release() noexcept {
  if (base_ == nullptr) return;
  const Released released{std::exchange(base_, nullptr), size_bytes_, used_bytes_};
  if (!kCaches || cache.ended || used_bytes_ > kCachedRegionBytesMax / 4)
    return unmap(released.base, released.size_bytes);
  ending.awaited = true;
  cache.keep(released);
}

void release_region_cache() noexcept {
  while (cache.count > 0) cache.drop_oldest();
}

}  // namespace forkmunk::arena_alloc
