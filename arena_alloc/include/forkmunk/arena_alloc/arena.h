#pragma once

#include <forkmunk/arena_alloc/address_region.h>
#include <forkmunk/arena_alloc/scope.h>

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
///   zone       live: copied by snapshots; constant: written only while a world is being set up
///   chunk      8 bytes of header and a payload; chunks are contiguous, so a zone can be walked (chunk.h)
///   kind       type of a payload, for walks: a number that is given with the allocation
///   payload    the memory that allocate() returns: zeroed, 16-byte aligned
///   free list  per size class, linked by offsets inside the chunks' headers; never a pointer, so it needs no
///   relocation
namespace forkmunk::arena_alloc {

struct ArenaHeader;  // chunk.h, not installed
struct Chunk;

inline constexpr int kKindCount = 64;  ///< Kinds are 0 to kKindCount - 1; their meaning is the user's.

/// The largest capacity that the bookkeeping can address, in bytes.
inline constexpr std::size_t kCapacityBytesMax = std::size_t{1} << 30;

/// Which part of the block new chunks are taken from.
enum class Zone : std::uint8_t { live, constant };

/// One size class of an arena, as counted by a walk over its chunks.
struct SizeClassStatistics {
  std::size_t chunk_bytes;  ///< Smallest chunk of the class, header included.
  std::size_t used_count;
  std::size_t free_count;
  std::size_t requested_bytes;  ///< Sum of the requests for the used chunks.
};

/// Result of a walk over an arena's chunks.
struct ArenaStatistics {
  std::size_t capacity_bytes;
  std::size_t live_bytes;  ///< Header and live zone up to its end: the size of a snapshot.
  std::size_t constant_bytes;
  std::size_t high_water_bytes;                   ///< Maximum so far of both zones together.
  std::size_t free_bytes;                         ///< Of live_bytes, in free chunks.
  std::vector<SizeClassStatistics> live_classes;  ///< Only classes that have chunks, ascending.
};

/// Handling of an allocation that does not fit into the arena.
enum class Overflow : std::uint8_t {
  abort,      ///< The process ends, naming capacity, use and request: for arenas whose worst case is known.
  emergency,  ///< It is served from the system's memory, and is_overflowed() is true until restore_live().
};

/// Which free chunks serve an allocation.
enum class Reuse : std::uint8_t {
  whole,  ///< One of its size, or for large ones of the next class, as it is: layouts are simple.
  split,  ///< Also a part of a larger one, and growing takes the free chunk that follows: the live zone is shorter.
};

/// The clonable heap.
///
/// Thread rule: one thread at a time. Allocation is O(1), in the number of size classes, and its layout a function of
/// the sequence of calls alone.
class Arena {
 public:
  /// Reserves `capacity_bytes_max` bytes of addresses, or if the system refuses that, less, down to `capacity_bytes`.
  /// Untouched pages cost no memory.
  /// \throws std::bad_alloc; std::length_error beyond kCapacityBytesMax.
  explicit Arena(std::size_t capacity_bytes, std::size_t capacity_bytes_max = 0, Overflow overflow = Overflow::abort,
                 Reuse reuse = Reuse::whole);
  ~Arena();
  Arena(Arena&&) = delete;

  /// The arena whose range of addresses `address` lies in, if there is one. Cost: one table lookup.
  [[nodiscard]] static Arena* containing(const void* address) noexcept;

  /// Releases every chunk of both zones.
  void reset() noexcept;

  using Scope = arena_alloc::Scope;
  /// As long as the scope lives, routing.h takes new memory from this arena, on this thread.
  [[nodiscard]] Scope enter() noexcept { return Scope(this); }
  /// The arena of the innermost scope on this thread.
  [[nodiscard]] static Arena* current() noexcept;
  /// Whether this thread is in a scope of it, innermost or not.
  [[nodiscard]] bool is_entered() const noexcept;

  /// Marks `arena` as in use by a call that may call back, as long as it lives; null: marks nothing.
  class [[nodiscard]] Call {
   public:
    explicit Call(Arena* arena) noexcept : arena_(arena) {
      if (arena_ != nullptr) ++arena_->call_count_;
    }
    ~Call() {
      if (arena_ != nullptr) --arena_->call_count_;
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    Arena* arena_;
  };
  [[nodiscard]] bool is_in_call() const noexcept { return call_count_ > 0; }
  /// Forgets calls that ended without their destructors, as a trap of WebAssembly ends them.
  void abandon_calls() noexcept { call_count_ = 0; }

  /// The zone that allocate() takes from: live after reset().
  void set_zone(Zone zone) noexcept;

  /// Returns `size_bytes` of zeroed memory. A full arena handles it by the constructor's `overflow`.
  [[nodiscard]] void* allocate(std::size_t size_bytes, int kind = 0) noexcept;
  /// The same, but null, with nothing changed, if the arena is full.
  [[nodiscard]] void* try_allocate(std::size_t size_bytes, int kind = 0) noexcept;
  /// Grows or shrinks in place where the chunk allows it or is the zone's last one, else moves; the kind stays.
  [[nodiscard]] void* reallocate(void* payload, std::size_t size_bytes) noexcept;
  /// Grows a payload where it is. \return false, with nothing changed, if what follows it is in use.
  [[nodiscard]] bool try_extend(void* payload, std::size_t size_bytes) noexcept;
  /// Bytes that a payload of at least `size_bytes` could have in a free chunk; 0 if no free chunk serves it.
  [[nodiscard]] std::size_t reusable_bytes(std::size_t size_bytes) const noexcept;
  /// Returns a payload to its size class. Null is ignored.
  void deallocate(void* payload) noexcept;

  /// The bytes that are the state: the header and the live zone up to its end.
  [[nodiscard]] std::size_t live_bytes() const noexcept;
  [[nodiscard]] std::size_t constant_bytes() const noexcept;
  [[nodiscard]] std::size_t capacity_bytes() const noexcept { return capacity_; }
  [[nodiscard]] std::size_t high_water_bytes() const noexcept { return high_water_; }
  /// Whether an allocation went to emergency memory since the last reset() or restore_live().
  [[nodiscard]] bool is_overflowed() const noexcept { return overflowed_; }
  [[nodiscard]] std::byte* base() const noexcept { return block_; }
  [[nodiscard]] bool contains(const void* address) const noexcept;
  /// Whether `address` is the payload of a chunk in use, by its header and the next one's: for untrusted addresses.
  [[nodiscard]] bool has_payload_at(const void* address) const noexcept;

  /// Copies the state to `destination`, which must have room for live_bytes(). One memcpy.
  void save_live(std::byte* destination) const noexcept;
  /// Restores `state`, which save_live() of this arena wrote since its last reset(). One memcpy. Emergency memory is
  /// returned to the system.
  void restore_live(std::span<const std::byte> state) noexcept;
  /// Makes this arena a byte-for-byte copy of `other` (same offsets, both zones).
  /// \pre equal capacities, or an empty constant zone and room for the other.
  /// Pointers inside the copy still point into `other`: relocating them is the caller's business.
  void copy_from(const Arena& other) noexcept;

  /// Like copy_from(), from a copy of the state of any arena with an empty constant zone.
  /// \return false, with nothing changed, if there is no room.
  [[nodiscard]] bool adopt(std::span<const std::byte> state) noexcept;

  /// Calls visit(offset, chunk) for each chunk of both zones, used and free, by address. Defined in chunk.h.
  template <typename Visitor>
  void for_each_chunk(Visitor visit) const;
  /// Calls visit(payload, requested_bytes, kind) for each allocation of both zones, by address.
  template <typename Visitor>
  void for_each_allocation(Visitor visit) const;
  /// The newest free chunk of each size class; 0 for none.
  [[nodiscard]] std::span<const std::uint32_t> free_lists() const noexcept;

  /// Hashes of the bytes of a zone, including addresses, padding and free chunks: only for clone tests in one arena.
  [[nodiscard]] std::uint64_t live_hash() const noexcept;
  [[nodiscard]] std::uint64_t constant_hash() const noexcept;

  /// Walks both zones. Cost: one visit per chunk.
  [[nodiscard]] ArenaStatistics statistics() const;
  /// Walks the whole heap and describes the first damage; std::nullopt if it is sound. Allocates only if it finds some:
  /// it runs after every step at check level 2.
  [[nodiscard]] std::optional<std::string> find_corruption() const;

 private:
  [[nodiscard]] ArenaHeader& header() const noexcept { return *reinterpret_cast<ArenaHeader*>(block_); }
  [[nodiscard]] Chunk& chunk_at(std::uint32_t offset) const noexcept;
  [[nodiscard]] std::uint32_t offset_of(const Chunk& chunk) const noexcept;
  [[nodiscard]] std::uint32_t* free_list_for(std::uint32_t chunk_bytes) const noexcept;
  [[nodiscard]] Chunk* take_free(std::uint32_t chunk_bytes) noexcept;
  void add_free(Chunk& chunk) noexcept;
  void cut(Chunk& chunk, std::uint32_t chunk_bytes) noexcept;
  [[nodiscard]] bool take_next(Chunk& chunk, std::uint32_t chunk_bytes) noexcept;
  [[nodiscard]] bool take_end(Chunk& chunk, std::uint32_t chunk_bytes) noexcept;
  [[nodiscard]] Chunk* take_fresh(std::uint32_t chunk_bytes) noexcept;
  [[nodiscard]] bool commit(std::size_t live_bytes, std::size_t constant_bytes) noexcept;
  void require_memory(std::size_t live_bytes, std::size_t constant_bytes) noexcept;
  [[nodiscard]] void* overflow(std::size_t size_bytes) noexcept;
  void forget_emergency() noexcept;
  void note_high_water() noexcept;
  void poison_unused() const noexcept;
  void unpoison_all() const noexcept;

  AddressRegion region_;
  std::byte* block_;
  std::size_t capacity_;
  std::size_t high_water_ = 0;
  std::size_t live_end_max_ = 0;
  int call_count_ = 0;
  Overflow overflow_;
  Reuse reuse_;
  bool overflowed_ = false;
};

}  // namespace forkmunk::arena_alloc
