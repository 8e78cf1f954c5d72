// SPDX-License-Identifier: MIT
#include <forkmunk/arena_alloc/address_region.h>
#include <forkmunk/arena_alloc/poison.h>
#include <forkmunk/base/per_thread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <new>

#if defined(_WIN32)
#ifndef NOMINMAX  // gcc's library defines it
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#elif !defined(__EMSCRIPTEN__)
#include <sys/mman.h>
#include <sys/resource.h>

#ifndef MAP_NORESERVE  // absent from POSIX; Linux counts only memory that is written to anyway
#define MAP_NORESERVE 0
#endif
#endif

namespace forkmunk::arena_alloc {
namespace {

// What arenas need from the system: POSIX, Windows and WebAssembly.

/// A multiple of every machine's page size.
constexpr std::size_t kPageBytes = std::size_t{1} << 16;

/// The distance of ranges from multiples of kRegionAlignmentBytes. 64-bit numbers of two parts then rarely look like
/// addresses.
constexpr std::uintptr_t kOffsetBytes = sizeof(void*) == 8 ? std::uintptr_t{1} << 31 : 0;

/// Returns null if there is no such range. Spread ranges may begin like others.
std::byte* reserve_range(std::size_t size_bytes, Distance distance) noexcept;
/// \param size_bytes  the reserved size.
void release_range(std::byte* base, std::size_t size_bytes) noexcept;
/// Backs a part of a range with memory, and keeps the memory that it has. \return false if the system has no more.
bool commit_range(std::byte* begin, std::size_t size_bytes) noexcept;
/// Returns the bytes that a range may take beyond its need under a limit (ulimit -v), which later ranges need too.
std::size_t range_bytes_max() noexcept;

#ifndef __EMSCRIPTEN__
constexpr auto kAlignmentBytes = static_cast<std::uintptr_t>(kRegionAlignmentBytes);

// The number of distances, a page apart, of spread ranges.
constexpr std::uintptr_t kSpreadCount = sizeof(void*) == 8 ? 64 : 1;

std::uintptr_t stride_of(std::size_t size_bytes) noexcept {
  const std::uintptr_t end = size_bytes + kOffsetBytes + (kSpreadCount - 1) * kPageBytes;
  return (end + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
}

// \param multiple  of kAlignmentBytes.
std::uintptr_t begin_at(std::uintptr_t multiple, Distance distance) noexcept {
  const std::uintptr_t pages = distance == Distance::spread ? multiple / kAlignmentBytes % kSpreadCount : 0;
  return multiple + kOffsetBytes + pages * kPageBytes;
}
#endif

#if defined(_WIN32)

// Committed pages count against the memory, whether they are written to or not.

// 128 TiB, or 2 GiB.
constexpr std::uintptr_t kAddressEnd = std::uintptr_t{1} << (sizeof(void*) == 8 ? 47 : 31);

std::byte* reserve_at(std::uintptr_t address, std::size_t size_bytes) noexcept {
  return static_cast<std::byte*>(
      ::VirtualAlloc(reinterpret_cast<void*>(address), size_bytes, MEM_RESERVE, PAGE_READWRITE));
}

// Returns an address near which the system reserves ranges; 0 for none.
std::uintptr_t probe(std::size_t size_bytes) noexcept {
  std::byte* found = reserve_at(0, size_bytes);
  if (found == nullptr) return 0;
  release_range(found, size_bytes);
  return reinterpret_cast<std::uintptr_t>(found);
}

// VirtualAlloc() fails where a part is in use, and a range is released only whole, so this tries the multiples one by
// one, downwards from the last range.
std::byte* reserve_range(std::size_t size_bytes, Distance distance) noexcept {
  static std::atomic<std::uintptr_t> last{0};
  if (size_bytes > kAddressEnd / 2) return nullptr;
  const std::uintptr_t stride = stride_of(size_bytes);
  std::uintptr_t hint = last.load(std::memory_order_relaxed);
  if (hint == 0) hint = probe(size_bytes) / kAlignmentBytes * kAlignmentBytes;
  for (std::uintptr_t tries = kAddressEnd / stride; tries > 0; --tries) {
    hint = hint > stride ? hint - stride : kAddressEnd - stride;
    std::byte* found = reserve_at(begin_at(hint, distance), size_bytes);
    if (found == nullptr) continue;
    last.store(hint, std::memory_order_relaxed);
    return found;
  }
  return nullptr;
}

void release_range(std::byte* base, std::size_t) noexcept { ::VirtualFree(base, 0, MEM_RELEASE); }

bool commit_range(std::byte* begin, std::size_t size_bytes) noexcept {
  return ::VirtualAlloc(begin, size_bytes, MEM_COMMIT, PAGE_READWRITE) != nullptr;
}

std::size_t range_bytes_max() noexcept { return SIZE_MAX; }

#elif defined(__EMSCRIPTEN__)

// WebAssembly has one flat memory.

constexpr std::align_val_t kAlignment{static_cast<std::size_t>(kRegionAlignmentBytes)};

std::byte* reserve_range(std::size_t size_bytes, Distance) noexcept {
  return static_cast<std::byte*>(::operator new(size_bytes, kAlignment, std::nothrow));
}

void release_range(std::byte* base, std::size_t) noexcept { ::operator delete(base, kAlignment); }

bool commit_range(std::byte*, std::size_t) noexcept { return true; }

std::size_t range_bytes_max() noexcept { return 0; }

#else

// Linux, macOS.

std::byte* map(std::uintptr_t hint, std::size_t size_bytes) noexcept {
  void* found = ::mmap(reinterpret_cast<void*>(hint), size_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return found == MAP_FAILED ? nullptr : static_cast<std::byte*>(found);
}

void unmap(std::byte* base, std::size_t size_bytes) noexcept { ::munmap(base, size_bytes); }

// Tries hints downwards from the system's own ranges. Each maps only what the arena keeps, because a limit (ulimit -v)
// may count mapped addresses. The next round finds released ranges higher up.
std::byte* map_at_hints(std::size_t size_bytes, Distance distance) noexcept {
  constexpr int kTries = 256;
  static std::atomic<std::uintptr_t> last{0};
  std::uintptr_t hint = last.load(std::memory_order_relaxed);
  const std::uintptr_t stride = stride_of(size_bytes);
  for (int i = 0; i < kTries; ++i) {
    if (hint <= 2 * stride) {
      std::byte* probe = map(0, kPageBytes);
      if (probe == nullptr) return nullptr;
      hint = reinterpret_cast<std::uintptr_t>(probe) / kAlignmentBytes * kAlignmentBytes;
      unmap(probe, kPageBytes);
    }
    hint -= stride;
    const std::uintptr_t begin = begin_at(hint, distance);
    std::byte* found = map(begin, size_bytes);
    if (found == nullptr) return nullptr;
    last.store(hint, std::memory_order_relaxed);
    if (reinterpret_cast<std::uintptr_t>(found) == begin) return found;
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
  const std::size_t before = (kAlignmentBytes + kOffsetBytes - address % kAlignmentBytes) % kAlignmentBytes;
  if (before > 0) unmap(found, before);
  if (before < kAlignmentBytes) unmap(found + before + size_bytes, kAlignmentBytes - before);
  return found + before;
}

std::size_t range_bytes_max() noexcept {
  constexpr rlim_t kShares = 64;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  return static_cast<std::size_t>(limit.rlim_cur / kShares);
}

std::byte* reserve_range(std::size_t size_bytes, Distance distance) noexcept {
  std::byte* found = map_at_hints(size_bytes, distance);
  return found != nullptr ? found : map_and_trim(size_bytes);
}

void release_range(std::byte* base, std::size_t size_bytes) noexcept { unmap(base, size_bytes); }

bool commit_range(std::byte*, std::size_t) noexcept { return true; }

#endif

/// A thread's released ranges, oldest first. Without a destructor, they can be used while the thread ends.
struct Cache {
  std::array<AddressRange, kCachedRegionCountMax> regions;
  std::size_t count;
  std::size_t used_bytes;
  std::size_t reserved_bytes;
  std::size_t reserved_bytes_max;  // 0: not known yet
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
    FORKMUNK_UNPOISON(regions[0].base, regions[0].used_bytes);
    release_range(regions[0].base, regions[0].size_bytes);
    remove(0);
  }

  bool take(std::size_t size_bytes, Distance distance, AddressRange& taken) noexcept {
    for (std::size_t i = count; i-- > 0;) {
      if (regions[i].size_bytes != size_bytes || regions[i].distance != distance) continue;
      taken = regions[i];
      FORKMUNK_UNPOISON(taken.base, taken.used_bytes);
      remove(i);
      return true;
    }
    return false;
  }

  [[nodiscard]] bool has_room(const AddressRange& region) const noexcept {
    return count < kCachedRegionCountMax && used_bytes + region.used_bytes <= kCachedRegionBytesMax &&
           region.size_bytes <= reserved_bytes_max && reserved_bytes <= reserved_bytes_max - region.size_bytes;
  }

  void keep(const AddressRange& region) noexcept {
    while (count > 0 && !has_room(region)) drop_oldest();
    FORKMUNK_POISON(region.base, region.used_bytes);
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

AddressRegion::AddressRegion(std::size_t size_bytes_min, std::size_t size_bytes_max, Distance distance) {
  const std::size_t shifted = distance == Distance::spread ? (kShiftCount - 1) * 64 : 0;
  const std::size_t least = rounded(size_bytes_min + shifted);
  std::size_t size = std::max(least, rounded(size_bytes_max + shifted));
  if (cache.take(size, distance, range_)) return;
  const std::size_t share = range_bytes_max();
  cache.reserved_bytes_max = share;
  if (size > std::max(least, share)) {
    size = std::max(least, rounded(share));
    if (cache.take(size, distance, range_)) return;
  }
  std::byte* base = reserve_range(size, distance);
  if (base == nullptr) release_region_cache();
  for (; base == nullptr; size = std::max(least, rounded(size / 2))) {
    base = reserve_range(size, distance);
    if (base != nullptr) break;
    if (size == least) throw std::bad_alloc();
  }
  range_ = {base, size, distance};
}

// Commits more than needed, to call the system less often.
bool AddressRegion::commit_more(std::size_t first, std::size_t last) noexcept {
  if (first > range_.size_bytes || last > range_.size_bytes) return false;
  if (first > range_.first_bytes_committed) {
    const std::size_t wanted = std::min(range_.size_bytes, rounded(first + first / 4));
    if (!commit_range(range_.base, wanted)) return false;
    range_.first_bytes_committed = wanted;
  }
  if (last > range_.last_bytes_committed) {
    const std::size_t wanted = rounded(last);
    if (!commit_range(range_.base + range_.size_bytes - wanted, wanted)) return false;
    range_.last_bytes_committed = wanted;
  }
  return true;
}

void AddressRegion::release() noexcept {
  const AddressRange released = std::exchange(range_, {});
  if (released.base == nullptr) return;
  if (!kThreadsHaveCaches || cache.ended || released.used_bytes > kCachedRegionBytesMax / 4)
    return release_range(released.base, released.size_bytes);
  ending.awaited = true;
  // The thread made no range yet.
  if (cache.reserved_bytes_max == 0) cache.reserved_bytes_max = range_bytes_max();
  cache.keep(released);
}

void release_region_cache() noexcept {
  while (cache.count > 0) cache.drop_oldest();
}

}  // namespace forkmunk::arena_alloc
