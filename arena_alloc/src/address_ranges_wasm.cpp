// address_ranges.h for WebAssembly, which has one flat memory: a range is allocated as a whole.
#include "address_ranges.h"

#include <forkmunk/arena_alloc/address_region.h>

#include <new>

namespace forkmunk::arena_alloc {
namespace {

constexpr std::align_val_t kAlignment{static_cast<std::size_t>(kRegionAlignmentBytes)};

}  // namespace

std::byte* reserve_range(std::size_t size_bytes) noexcept {
  return static_cast<std::byte*>(::operator new(size_bytes, kAlignment, std::nothrow));
}

void release_range(std::byte* base, std::size_t) noexcept { ::operator delete(base, kAlignment); }

bool commit_range(std::byte*, std::size_t) noexcept { return true; }

std::size_t range_bytes_max() noexcept { return 0; }

}  // namespace forkmunk::arena_alloc
