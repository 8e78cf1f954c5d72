// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/address_region.h>
#include <forkmunk/arena_alloc/scope.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

/// A heap in one block. Copying its used bytes away and back undoes every allocation, release and write in between.
///
///   block      the memory of one arena:   [ header | live zone -> ........ free ........ <- constant zone ]
///   zone       live: copied by snapshots; constant: written only while a world is being set up
///   chunk      8 bytes of header and a payload; chunks are contiguous (chunk.h)
///   kind       type of a payload, for walks: a number that the caller of allocate() gives
///   payload    the memory that allocate() returns: zeroed, 16-byte aligned
///   free list  one per size class, linked by offsets in the headers of chunks, which a copy keeps
namespace forkmunk::arena_alloc {

struct ArenaHeader;  // chunk.h, not installed
struct Chunk;

inline constexpr int kKindCount = 64;  ///< The user gives the kinds, from 0 on, a meaning.

inline constexpr std::size_t kCapacityBytesMax = std::size_t{1} << 30;

enum class Zone : std::uint8_t { live, constant };

enum class Overflow : std::uint8_t {
  /// Aborts with a message, for arenas whose worst case is known.
  abort,
  emergency,  ///< The system serves the allocation; is_overflowed() is true until restore_live().
};

/// The free chunks that may serve an allocation.
enum class Reuse : std::uint8_t {
  whole,  ///< A whole chunk of its class, or of the next for a large size.
  /// A part of a larger chunk, too. A growing chunk extends into a free chunk behind it, which shortens the live zone.
  split,
};

/// The clonable heap. The layout depends only on the sequence of calls. Cost of an allocation: O(size classes). Thread:
/// one at a time.
class Arena {
 public:
  /// Reserves `capacity_bytes_max` of addresses, or fewer if the system refuses, but at least `capacity_bytes`.
  /// Untouched pages cost no memory. \throws std::bad_alloc; std::length_error beyond kCapacityBytesMax.
  explicit Arena(std::size_t capacity_bytes, std::size_t capacity_bytes_max = 0, Overflow overflow = Overflow::abort,
                 Reuse reuse = Reuse::whole, Distance distance = Distance::same);
  /// Makes a heap in the caller's `block`, which is aligned to 64 bytes and outlives the arena. The allocations outlive
  /// the arena: the live zone is what save_live() would write. containing(), and thus routing.h, does not find this
  /// arena. \throws std::length_error beyond kCapacityBytesMax.
  explicit Arena(std::span<std::byte> block);
  ~Arena();
  Arena(Arena&&) = delete;

  /// Returns the arena whose range contains `address`, or null. Cost: one table lookup.
  [[nodiscard]] static Arena* containing(const void* address) noexcept;

  /// Releases every chunk of both zones.
  void reset() noexcept;

  using Scope = arena_alloc::Scope;
  /// While the returned Scope is alive, routing.h takes new memory from this arena on the calling thread.
  [[nodiscard]] Scope enter() noexcept { return Scope(this); }
  /// Returns the arena of the thread's innermost scope, or null.
  [[nodiscard]] static Arena* current() noexcept;
  /// Returns whether the calling thread is in a scope of this arena.
  [[nodiscard]] bool is_entered() const noexcept;

  /// Marks `arena`, unless null, as in use by a call that may call back.
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
  /// Forgets calls whose destructors a trap of WebAssembly skipped.
  void abandon_calls() noexcept { call_count_ = 0; }
  /// A pointer for the user, null at first and no part of the state.
  [[nodiscard]] void*& attachment() noexcept { return attachment_; }

  /// Selects the zone of allocate(): `live` after reset().
  void set_zone(Zone zone) noexcept;

  /// Returns zeroed memory; `overflow` says what happens in a full arena.
  [[nodiscard]] void* allocate(std::size_t size_bytes, int kind = 0) noexcept;
  /// Returns null, with nothing changed, if the arena is full.
  [[nodiscard]] void* try_allocate(std::size_t size_bytes, int kind = 0) noexcept;
  /// Resizes a payload, which moves unless its chunk is large enough or the last of the zone.
  [[nodiscard]] void* reallocate(void* payload, std::size_t size_bytes) noexcept;
  /// Grows a payload in place. \return false, with nothing changed, if the memory behind the payload is in use.
  [[nodiscard]] bool try_extend(void* payload, std::size_t size_bytes) noexcept;
  /// Returns the bytes that a payload of at least `size_bytes` would have in a free chunk; 0 if none serves.
  [[nodiscard]] std::size_t reusable_bytes(std::size_t size_bytes) const noexcept;
  /// Releases a payload. Ignores null.
  void deallocate(void* payload) noexcept;

  /// Returns the size of the state.
  [[nodiscard]] std::size_t live_bytes() const noexcept;
  [[nodiscard]] std::size_t constant_bytes() const noexcept;
  [[nodiscard]] std::size_t capacity_bytes() const noexcept { return capacity_; }
  /// Returns the maximum so far of both zones together.
  [[nodiscard]] std::size_t high_water_bytes() const noexcept { return high_water_; }
  /// Returns whether emergency memory was needed since the last reset() or restore_live().
  [[nodiscard]] bool is_overflowed() const noexcept { return overflowed_; }
  [[nodiscard]] std::byte* base() const noexcept { return block_; }
  [[nodiscard]] bool contains(const void* address) const noexcept;
  /// Returns whether `address`, which may be untrusted, is a payload in use, by its header and the next one.
  [[nodiscard]] bool has_payload_at(const void* address) const noexcept;

  /// Copies the state to `destination`, of live_bytes(). Cost: one memcpy.
  void save_live(std::byte* destination) const noexcept;
  /// Calls read(state) with the bytes that save_live() would copy.
  void read_live(auto read) const {
    unpoison_all();
    read(std::span<const std::byte>(block_, live_bytes()));
    poison_unused();
  }
  /// Restores what save_live() of this arena wrote since the last reset(), and releases emergency memory. Cost: one
  /// memcpy.
  void restore_live(std::span<const std::byte> state) noexcept;
  /// Makes this arena a copy of `other`, at the same offsets. The caller must relocate pointers. \pre equal capacities,
  /// or an empty constant zone and room for `other`.
  void copy_from(const Arena& other) noexcept;

  /// Takes over the state of any arena with an empty constant zone. The caller must relocate pointers. \return false,
  /// with nothing changed, if there is no room.
  [[nodiscard]] bool adopt(std::span<const std::byte> state) noexcept;

  /// Calls visit(offset, chunk) for all chunks by address. Defined in chunk.h.
  template <typename Visitor>
  void for_each_chunk(Visitor visit) const;
  /// Calls visit(payload, requested_bytes, kind) for each chunk in use.
  template <typename Visitor>
  void for_each_allocation(Visitor visit) const;
  /// Returns the newest free chunk of each size class, or 0.
  [[nodiscard]] std::span<const std::uint32_t> free_lists() const noexcept;

  /// Returns a hash of all bytes of the state, addresses and padding included, for comparison within this arena.
  [[nodiscard]] std::uint64_t live_hash() const noexcept;

  /// Describes the first damage of the heap, without an allocation if there is none. Runs after every step at check
  /// level 2.
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
  void* attachment_ = nullptr;
  Overflow overflow_;
  Reuse reuse_;
  bool overflowed_ = false;
};

}  // namespace forkmunk::arena_alloc
