// SPDX-License-Identifier: MIT
#include "address_ranges.h"
#include "released_cache.h"

#include <forkmunk/arena_alloc/address_region.h>

#include <algorithm>
#include <array>
#include <new>

namespace forkmunk::arena_alloc {
namespace {

struct Released {
  std::byte* base;
  std::size_t size_bytes;
  std::size_t used_bytes;
  CommittedBytes committed;
};

/// The released ranges of a thread, oldest first. It has no destructor, so that it can be used while a thread ends.
struct Cache {
  std::array<Released, kCachedRegionCountMax> regions;
  std::size_t count;
  std::size_t used_bytes;
  std::size_t reserved_bytes;
  std::size_t reserved_bytes_max;  // 0 until the limit is known
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
    release_range(regions[0].base, regions[0].size_bytes);
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
           region.size_bytes <= reserved_bytes_max && reserved_bytes <= reserved_bytes_max - region.size_bytes;
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
  const std::size_t share = range_bytes_max();
  cache.reserved_bytes_max = share;
  if (size_bytes_ > std::max(least, share)) {
    size_bytes_ = std::max(least, rounded(share));
    if (take_released()) return;
  }
  base_ = reserve_range(size_bytes_);
  if (base_ == nullptr) release_region_cache();
  for (; base_ == nullptr; size_bytes_ = std::max(least, rounded(size_bytes_ / 2))) {
    base_ = reserve_range(size_bytes_);
    if (base_ != nullptr) return;
    if (size_bytes_ == least) throw std::bad_alloc();
  }
}

bool AddressRegion::take_released() noexcept {
  Released taken;
  if (!cache.take(size_bytes_, taken)) return false;
  base_ = taken.base;
  used_bytes_ = taken.used_bytes;
  committed_ = taken.committed;
  return true;
}

// Commits more than was asked for, so that a growing arena does not call the system for each page.
bool AddressRegion::commit_more(std::size_t first, std::size_t last) noexcept {
  if (first > size_bytes_ || last > size_bytes_) return false;
  if (first > committed_.first) {
    const std::size_t wanted = std::min(size_bytes_, rounded(first + first / 4));
    if (!commit_range(base_, wanted)) return false;
    committed_.first = wanted;
  }
  if (last > committed_.last) {
    const std::size_t wanted = rounded(last);
    if (!commit_range(base_ + size_bytes_ - wanted, wanted)) return false;
    committed_.last = wanted;
  }
  return true;
}

void AddressRegion::release() noexcept {
  if (base_ == nullptr) return;
  const Released released{std::exchange(base_, nullptr), size_bytes_, used_bytes_, committed_};
  if (!kCaches || cache.ended || used_bytes_ > kCachedRegionBytesMax / 4)
    return release_range(released.base, released.size_bytes);
  ending.awaited = true;
  // The thread has made no range yet.
  if (cache.reserved_bytes_max == 0) cache.reserved_bytes_max = range_bytes_max();
  cache.keep(released);
}

void release_region_cache() noexcept {
  while (cache.count > 0) cache.drop_oldest();
}

}  // namespace forkmunk::arena_alloc
