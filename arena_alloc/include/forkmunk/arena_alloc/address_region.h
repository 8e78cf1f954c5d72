// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

/// Ranges of addresses for arenas.
///
/// At most one arena begins between two multiples of kRegionAlignmentBytes, so one table lookup finds the arena of an
/// address. A range is reserved, not committed, so an arena can grow in place.
namespace forkmunk::arena_alloc {

inline constexpr int kRegionAlignmentBits = sizeof(void*) == 8 ? 32 : 20;
inline constexpr std::uint64_t kRegionAlignmentBytes = std::uint64_t{1} << kRegionAlignmentBits;

/// The distance of a range from a multiple of kRegionAlignmentBytes.
enum class Distance : std::uint8_t {
  /// Copies of an object have the same lower half of a 64-bit address, and the same hashes of contacts.
  same,
  /// Arenas that are used in turns do not evict each other from caches and TLB.
  spread,
};

/// The limits of a thread's cache of released ranges: written bytes, and ranges.
inline constexpr std::size_t kCachedRegionBytesMax = std::size_t{64} << 20;
inline constexpr std::size_t kCachedRegionCountMax = 64;

/// The number of distances, a cache line apart, from spread ranges to their arenas.
inline constexpr std::size_t kShiftCount = sizeof(void*) == 8 ? 1024 : 1;

/// Windows requires commit(). Elsewhere a page gets its memory when it is first written to.
#ifdef _WIN32
inline constexpr bool kCommits = true;
#else
inline constexpr bool kCommits = false;
#endif

/// A reserved range and the use of its bytes.
struct AddressRange {
  /// The distance of the arena from `base`, so that arenas use different sets of the caches.
  [[nodiscard]] std::size_t shift_bytes() const noexcept {
    const auto number = reinterpret_cast<std::uintptr_t>(base) >> kRegionAlignmentBits;
    return distance == Distance::spread ? number * 65 % kShiftCount * 64 : 0;
  }

  std::byte* base = nullptr;
  std::size_t size_bytes = 0;
  Distance distance = Distance::same;
  std::size_t used_bytes = 0;             ///< The first bytes that were written to.
  std::size_t first_bytes_committed = 0;  ///< The first bytes that have memory.
  std::size_t last_bytes_committed = 0;   ///< The last bytes that have memory.
};

/// A reserved range with one owner. The bytes may be those of an earlier use.
class AddressRegion {
 public:
  AddressRegion() = default;
  /// Reserves `size_bytes_max`, preferably the range of this size that the thread released last; less where the system
  /// lacks addresses, but at least `size_bytes_min`. Under a limit of addresses, it takes at most a 64th of the limit.
  /// \throws std::bad_alloc.
  AddressRegion(std::size_t size_bytes_min, std::size_t size_bytes_max, Distance distance);
  ~AddressRegion() { release(); }
  AddressRegion(AddressRegion&& other) noexcept : range_(std::exchange(other.range_, {})) {}
  AddressRegion& operator=(AddressRegion&& other) noexcept {
    AddressRegion released(std::move(other));
    std::swap(range_, released.range_);
    return *this;
  }

  [[nodiscard]] std::byte* base() const noexcept { return range_.base + range_.shift_bytes(); }
  [[nodiscard]] std::size_t size_bytes() const noexcept {
    return range_.size_bytes - (range_.distance == Distance::spread ? (kShiftCount - 1) * 64 : 0);
  }
  /// Records that the first `bytes` were written to.
  void note_used(std::size_t bytes) noexcept {
    bytes += range_.shift_bytes();
    if (bytes > range_.used_bytes) range_.used_bytes = bytes;
  }
  /// Gets memory for the first `first` and the last `last` bytes, before their use. \return false if the system has
  /// none.
  [[nodiscard]] bool commit(std::size_t first, std::size_t last = 0) noexcept {
    first += range_.shift_bytes();
    if (last != 0) last += range_.size_bytes - size_bytes() - range_.shift_bytes();
    return !kCommits || (first <= range_.first_bytes_committed && last <= range_.last_bytes_committed) ||
           commit_more(first, last);
  }

 private:
  [[nodiscard]] bool commit_more(std::size_t first, std::size_t last) noexcept;
  void release() noexcept;

  AddressRange range_;
};

/// Returns the thread's cached ranges to the system, as the end of a thread does.
void release_region_cache() noexcept;

}  // namespace forkmunk::arena_alloc
