// The POSIX half of address_ranges.h: Linux, macOS. Pages get their memory when they are first written to.
#include "address_ranges.h"

#include <forkmunk/arena_alloc/address_region.h>

#include <atomic>
#include <cstdint>

#include <sys/mman.h>
#include <sys/resource.h>

#ifndef MAP_NORESERVE  // not in POSIX: a hint to Linux, which counts what is written to anyway
#define MAP_NORESERVE 0
#endif

namespace forkmunk::arena_alloc {
namespace {

constexpr auto kAlignmentBytes = static_cast<std::size_t>(kRegionAlignmentBytes);

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

}  // namespace

std::size_t range_bytes_max() noexcept {
  constexpr rlim_t kShares = 64;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  return static_cast<std::size_t>(limit.rlim_cur / kShares);
}

std::byte* reserve_range(std::size_t size_bytes) noexcept {
  std::byte* found = map_at_hints(size_bytes);
  return found != nullptr ? found : map_and_trim(size_bytes);
}

void release_range(std::byte* base, std::size_t size_bytes) noexcept { unmap(base, size_bytes); }

bool commit_range(std::byte*, std::size_t) noexcept { return true; }

}  // namespace forkmunk::arena_alloc
