#pragma once

#include <forkmunk/arena_alloc/system_memory.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// A heap in one block whose used bytes ARE its state: copying them away and back undoes every allocation, release and
/// write in between.
///
///   block      the memory of one arena:   [ header | live zone -> ........ free ........ <- constant zone ]
///   zone       live: what a snapshot copies; constant: what is written only while a world is being set up
///   chunk      8 bytes of header and a payload; chunks lie back to back, so a zone can be walked
///   payload    what allocate() returns: zeroed, 16-byte aligned
///   free list  per size class, linked by offsets inside the chunks' headers; never a pointer, so it needs no
///   relocation
namespace forkmunk::arena_alloc {

/// Which part of the block new chunks are taken from.
enum class Zone : std::uint8_t { live, constant };

/// One size class of an arena, as counted by a walk over its chunks.
struct SizeClassStatistics {
  std::size_t chunk_bytes;  ///< Smallest chunk of the class, header included.
  std::size_t used_count;
  std::size_t free_count;
  std::size_t requested_bytes;  ///< Sum of what the users of the used chunks asked for.
};

/// What a walk over an arena's chunks finds.
struct ArenaStatistics {
  std::size_t capacity_bytes;
  std::size_t live_bytes;  ///< Header and live zone up to its end: what a snapshot copies.
  std::size_t constant_bytes;
  std::size_t high_water_bytes;                   ///< The most that both zones ever took together.
  std::size_t free_bytes;                         ///< Of live_bytes, in free chunks.
  std::vector<SizeClassStatistics> live_classes;  ///< Only classes that have chunks, ascending.
};

/// The clonable heap.
///
/// Thread rule: one thread at a time. Allocation is O(1) and its layout a function of the sequence of calls alone.
class Arena {
 public:
  /// The largest capacity that the 32-bit bookkeeping can address, in bytes.
  static constexpr std::size_t kCapacityBytesMax = std::size_t{1} << 31;

  /// Takes a block of `capacity_bytes` (rounded up to 64) from the system. Untouched pages cost no memory.
  /// \throws std::bad_alloc; std::length_error beyond kCapacityBytesMax.
  explicit Arena(std::size_t capacity_bytes);
  ~Arena();
  Arena(Arena&&) = delete;

  /// Forgets every chunk of both zones.
  void reset() noexcept;

  /// Routes the C functions of routing.h to this arena on this thread.
  void make_current() noexcept;

  /// The zone that allocate() takes from: live after reset().
  void set_zone(Zone zone) noexcept;

  /// Returns `size_bytes` of zeroed memory. Aborts, naming capacity, use and request, when the arena is full.
  [[nodiscard]] void* allocate(std::size_t size_bytes) noexcept;
  /// Grows or shrinks in place where the chunk allows it or is the zone's last one, else moves. Null: allocate().
  [[nodiscard]] void* reallocate(void* payload, std::size_t size_bytes) noexcept;
  /// Gives a payload back to its size class. Null is ignored.
  void deallocate(void* payload) noexcept;

  /// The bytes that are the state: the header and the live zone up to its end.
  [[nodiscard]] std::size_t live_bytes() const noexcept;
  [[nodiscard]] std::size_t constant_bytes() const noexcept;
  [[nodiscard]] std::size_t capacity_bytes() const noexcept { return capacity_; }
  [[nodiscard]] std::size_t high_water_bytes() const noexcept { return high_water_; }
  [[nodiscard]] const std::byte* base() const noexcept { return block_.get(); }
  [[nodiscard]] bool contains(const void* address) const noexcept;

  /// Copies the state to `destination`, which must have room for live_bytes(). One memcpy.
  void save_live(std::byte* destination) const noexcept;
  /// Makes `state`, once written by save_live() of this arena since its last reset(), the state again. One memcpy.
  void restore_live(std::span<const std::byte> state) noexcept;
  /// Makes this arena a byte-for-byte copy of `other` (same offsets, both zones). \pre equal capacities.
  /// Pointers inside the copy still point into `other`: relocating them is the caller's business.
  void copy_from(const Arena& other) noexcept;

  /// Hashes of the bytes of a zone. Addresses, padding and free chunks are in them: only for clone tests in one arena.
  [[nodiscard]] std::uint64_t live_hash() const noexcept;
  [[nodiscard]] std::uint64_t constant_hash() const noexcept;

  /// Walks both zones. Cost: one visit per chunk.
  [[nodiscard]] ArenaStatistics statistics() const;
  /// Walks the whole heap and describes the first thing that is wrong with it; nothing if it is sound, and then nothing
  /// was asked of the system: it runs after every step at check level 2.
  [[nodiscard]] std::optional<std::string> find_corruption() const;

 private:
  struct Header;
  struct Chunk;

  [[nodiscard]] Header& header() const noexcept;
  [[nodiscard]] Chunk& chunk_at(std::uint32_t offset) const noexcept;
  [[nodiscard]] std::uint32_t offset_of(const Chunk& chunk) const noexcept;
  [[nodiscard]] Chunk* take_free(std::uint32_t chunk_bytes) noexcept;
  [[nodiscard]] Chunk& take_fresh(std::uint32_t chunk_bytes) noexcept;
  void note_high_water() noexcept;
  void poison_unused() const noexcept;
  void unpoison_all() const noexcept;
  template <typename Visitor>
  void walk(std::uint32_t begin, std::uint32_t end, Visitor visit) const;

  SystemBlock block_;
  std::size_t capacity_;
  std::size_t high_water_ = 0;
};

}  // namespace forkmunk::arena_alloc
