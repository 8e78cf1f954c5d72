// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace forkmunk::arena_alloc {

/// The old and the new addresses of moved objects.
class Moves {
 public:
  /// \pre `from` lies after all added ranges.
  void add(const std::byte* from, std::size_t bytes, std::byte* to) {
    if (!ranges_.empty()) {
      Range& last = ranges_.back();
      if (last.from + last.bytes == from && last.to + last.bytes == to) {
        last.bytes += bytes;
        return;
      }
    }
    ranges_.push_back({from, bytes, to});
  }

  /// Adds `bytes` to all new addresses.
  void shift(std::ptrdiff_t bytes) noexcept {
    // Integers, because the addresses lie in different blocks.
    for (Range& range : ranges_) {
      range.to =
          reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(range.to) + static_cast<std::uintptr_t>(bytes));
    }
  }

  /// Returns the new address; null for null and for objects that were not moved. Cost: a binary search.
  template <typename T>
  [[nodiscard]] T* operator()(T* old) const noexcept {
    return reinterpret_cast<T*>(find(reinterpret_cast<const std::byte*>(old), 0));
  }
  /// Works also for the address behind an object's last byte.
  template <typename T>
  [[nodiscard]] T* end_or_inside(T* old) const noexcept {
    return reinterpret_cast<T*>(find(reinterpret_cast<const std::byte*>(old), 1));
  }

 private:
  [[nodiscard]] std::byte* find(const std::byte* address, std::size_t bytes_beyond) const noexcept {
    auto range = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                  [](const std::byte* key, const Range& each) { return key < each.from; });
    if (range == ranges_.begin()) return nullptr;
    --range;
    const auto offset = static_cast<std::size_t>(address - range->from);
    return offset < range->bytes + bytes_beyond ? range->to + offset : nullptr;
  }

  struct Range {
    const std::byte* from;
    std::size_t bytes;
    std::byte* to;
  };
  std::vector<Range> ranges_;  // ascending
};

}  // namespace forkmunk::arena_alloc
