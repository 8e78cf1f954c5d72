// The Windows half of address_ranges.h. A reserved page has no memory before it is committed, and a process's committed
// pages count against the system's memory and page file, written to or not.
#include "address_ranges.h"

#include <forkmunk/arena_alloc/address_region.h>

#include <atomic>
#include <cstdint>

#ifndef NOMINMAX  // gcc's library has it
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace forkmunk::arena_alloc {
namespace {

constexpr auto kAlignmentBytes = static_cast<std::uintptr_t>(kRegionAlignmentBytes);
// Programs have the addresses below: 128 TiB, or 2 GiB.
constexpr std::uintptr_t kAddressEnd = std::uintptr_t{1} << (sizeof(void*) == 8 ? 47 : 31);

std::byte* reserve_at(std::uintptr_t address, std::size_t size_bytes) noexcept {
  return static_cast<std::byte*>(
      ::VirtualAlloc(reinterpret_cast<void*>(address), size_bytes, MEM_RESERVE, PAGE_READWRITE));
}

// An address near which the system reserves ranges itself, other ones in each process; 0 if it has none.
std::uintptr_t probe(std::size_t size_bytes) noexcept {
  std::byte* found = reserve_at(0, size_bytes);
  if (found == nullptr) return 0;
  release_range(found, size_bytes);
  return reinterpret_cast<std::uintptr_t>(found);
}

}  // namespace

// Unlike mmap(), VirtualAlloc() fails where a part of the wanted addresses is taken, and no part of a range can be
// released: tries the multiples of the alignment one after the other, downwards from the last range.
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

}  // namespace forkmunk::arena_alloc
