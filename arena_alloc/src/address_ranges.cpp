// SPDX-License-Identifier: MIT
#include "address_ranges.h"

#include <forkmunk/arena_alloc/address_region.h>

#include <atomic>
#include <cstdint>
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

#if defined(_WIN32)

// A reserved page has no memory before it is committed. The committed pages of a process count against the memory and
// the page file of the system, whether they are written to or not.
namespace {

constexpr auto kAlignmentBytes = static_cast<std::uintptr_t>(kRegionAlignmentBytes);
// Programs have the addresses below kAddressEnd: 128 TiB, or 2 GiB.
constexpr std::uintptr_t kAddressEnd = std::uintptr_t{1} << (sizeof(void*) == 8 ? 47 : 31);

std::byte* reserve_at(std::uintptr_t address, std::size_t size_bytes) noexcept {
  return static_cast<std::byte*>(
      ::VirtualAlloc(reinterpret_cast<void*>(address), size_bytes, MEM_RESERVE, PAGE_READWRITE));
}

// Returns an address near which the system itself reserves ranges; 0 if there is none. It differs between processes.
std::uintptr_t probe(std::size_t size_bytes) noexcept {
  std::byte* found = reserve_at(0, size_bytes);
  if (found == nullptr) return 0;
  release_range(found, size_bytes);
  return reinterpret_cast<std::uintptr_t>(found);
}

}  // namespace

// Unlike mmap(), VirtualAlloc() fails where a part of the wanted addresses is in use, and no part of a range can be
// released. So this function tries the multiples of the alignment one by one, downwards from the last range.
std::byte* reserve_range(std::size_t size_bytes) noexcept {
  static std::atomic<std::uintptr_t> last{0};
  if (size_bytes > kAddressEnd / 2) return nullptr;
  const std::uintptr_t stride = (size_bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
  std::uintptr_t hint = last.load(std::memory_order_relaxed);
  if (hint == 0) hint = probe(size_bytes) / kAlignmentBytes * kAlignmentBytes;
  for (std::uintptr_t tries = kAddressEnd / stride; tries > 0; --tries) {
    hint = hint > stride ? hint - stride : kAddressEnd - stride;
    std::byte* found = reserve_at(hint, size_bytes);
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

// WebAssembly has one flat memory: a range is allocated as a whole.
namespace {

constexpr std::align_val_t kAlignment{static_cast<std::size_t>(kRegionAlignmentBytes)};

}  // namespace

std::byte* reserve_range(std::size_t size_bytes) noexcept {
  return static_cast<std::byte*>(::operator new(size_bytes, kAlignment, std::nothrow));
}

void release_range(std::byte* base, std::size_t) noexcept { ::operator delete(base, kAlignment); }

bool commit_range(std::byte*, std::size_t) noexcept { return true; }

std::size_t range_bytes_max() noexcept { return 0; }

#else

// POSIX: Linux, macOS. Pages get their memory when they are first written to.
namespace {

constexpr auto kAlignmentBytes = static_cast<std::size_t>(kRegionAlignmentBytes);

std::byte* map(std::uintptr_t hint, std::size_t size_bytes) noexcept {
  void* found = ::mmap(reinterpret_cast<void*>(hint), size_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return found == MAP_FAILED ? nullptr : static_cast<std::byte*>(found);
}

void unmap(std::byte* base, std::size_t size_bytes) noexcept { ::munmap(base, size_bytes); }

bool is_aligned(const std::byte* base) { return reinterpret_cast<std::uintptr_t>(base) % kAlignmentBytes == 0; }

// Tries aligned hints downwards from where the system maps its own ranges. Each hint costs one call and maps only what
// the arena keeps, because a limit (ulimit -v) may count mapped addresses. The next round finds ranges again that were
// released higher up.
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

#endif

}  // namespace forkmunk::arena_alloc
