#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

/// Ranges of addresses for arenas.
///
/// An arena begins at a multiple of kRegionAlignmentBytes, and no other lies in what follows up to the next one. Where
/// an address has 64 bits, its lower half is then the offset in the arena: Chipmunk files contacts under 32-bit hashes
/// of addresses, and they are the same in every copy of an arena. And the arena that an address belongs to is one look
/// into a table. A range is reserved, not taken: pages that were never written to cost no memory, so an arena can grow
/// in place.
namespace forkmunk::arena_alloc {

inline constexpr int kRegionAlignmentBits = sizeof(void*) == 8 ? 32 : 20;
inline constexpr std::uint64_t kRegionAlignmentBytes = std::uint64_t{1} << kRegionAlignmentBits;

/// The most that one thread keeps of what it released: the bytes that were written to, and the ranges.
inline constexpr std::size_t kCachedRegionBytesMax = std::size_t{64} << 20;
inline constexpr std::size_t kCachedRegionCountMax = 64;

/// A reserved range with one owner. Its bytes are not zeroed: it may have been used before.
class AddressRegion {
 public:
  AddressRegion() = default;
  /// Reserves `size_bytes_max`: the range of that size which this thread released last, or a new one. If the process
  /// has a limit of addresses, a 64th of the limit at most; where there is not that much, less. At least
  /// `size_bytes_min`. \throws std::bad_alloc.
  AddressRegion(std::size_t size_bytes_min, std::size_t size_bytes_max);
  ~AddressRegion() { release(); }
  AddressRegion(AddressRegion&& other) noexcept
      : base_(std::exchange(other.base_, nullptr)), size_bytes_(other.size_bytes_), used_bytes_(other.used_bytes_) {}
  AddressRegion& operator=(AddressRegion&& other) noexcept {
    if (this != &other) {
      release();
      base_ = std::exchange(other.base_, nullptr);
      size_bytes_ = other.size_bytes_;
      used_bytes_ = other.used_bytes_;
    }
    return *this;
  }

  [[nodiscard]] std::byte* base() const noexcept { return base_; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_bytes_; }
  /// To be told how much was ever written to: what a thread keeps is counted by it.
  void note_used(std::size_t bytes) noexcept {
    if (bytes > used_bytes_) used_bytes_ = bytes;
  }

 private:
  void release() noexcept;
  [[nodiscard]] bool take_released() noexcept;

  std::byte* base_ = nullptr;
  std::size_t size_bytes_ = 0;
  std::size_t used_bytes_ = 0;
};

/// Gives what this thread keeps back to the system. The end of a thread does so too.
void release_region_cache() noexcept;

}  // namespace forkmunk::arena_alloc
