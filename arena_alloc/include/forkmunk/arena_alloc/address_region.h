#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

/// Ranges of addresses for arenas.
///
/// An arena begins at a multiple of kRegionAlignmentBytes, and there is at most one between two multiples. So the lower
/// half of a 64-bit address is the offset in the arena: Chipmunk files contacts under 32-bit hashes of addresses, and
/// these hashes are the same in every copy of an arena. The arena of an address is one table lookup. A range is
/// reserved, not committed: pages that were never written to cost no memory, so an arena can grow in place. Windows
/// must be asked for the memory of a page before the page is used: see commit().
namespace forkmunk::arena_alloc {

inline constexpr int kRegionAlignmentBits = sizeof(void*) == 8 ? 32 : 20;
inline constexpr std::uint64_t kRegionAlignmentBytes = std::uint64_t{1} << kRegionAlignmentBits;

/// Limits of a thread's cache of released ranges: bytes that were written to, and ranges.
inline constexpr std::size_t kCachedRegionBytesMax = std::size_t{64} << 20;
inline constexpr std::size_t kCachedRegionCountMax = 64;

/// Whether commit() must be called: elsewhere a page gets its memory when it is first written to.
#ifdef _WIN32
inline constexpr bool kCommits = true;
#else
inline constexpr bool kCommits = false;
#endif

/// The bytes of a range that have memory: its first and its last ones.
struct CommittedBytes {
  std::size_t first = 0;
  std::size_t last = 0;
};

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
      : base_(std::exchange(other.base_, nullptr)),
        size_bytes_(other.size_bytes_),
        used_bytes_(other.used_bytes_),
        committed_(other.committed_) {}
  AddressRegion& operator=(AddressRegion&& other) noexcept {
    if (this != &other) {
      release();
      base_ = std::exchange(other.base_, nullptr);
      size_bytes_ = other.size_bytes_;
      used_bytes_ = other.used_bytes_;
      committed_ = other.committed_;
    }
    return *this;
  }

  [[nodiscard]] std::byte* base() const noexcept { return base_; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_bytes_; }
  /// Notes that the first `bytes` were written to: the cache's limit counts them.
  void note_used(std::size_t bytes) noexcept {
    if (bytes > used_bytes_) used_bytes_ = bytes;
  }
  /// Must be called before the first `first` or the last `last` bytes are used. \return false if there is no memory.
  [[nodiscard]] bool commit(std::size_t first, std::size_t last = 0) noexcept {
    return !kCommits || (first <= committed_.first && last <= committed_.last) || commit_more(first, last);
  }

 private:
  [[nodiscard]] bool commit_more(std::size_t first, std::size_t last) noexcept;
  void release() noexcept;
  [[nodiscard]] bool take_released() noexcept;

  std::byte* base_ = nullptr;
  std::size_t size_bytes_ = 0;
  std::size_t used_bytes_ = 0;
  CommittedBytes committed_;
};

/// Returns this thread's cached ranges to the system. The end of a thread does so too.
void release_region_cache() noexcept;

}  // namespace forkmunk::arena_alloc
