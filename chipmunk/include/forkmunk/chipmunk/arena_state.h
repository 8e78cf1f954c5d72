// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/arena_alloc/chunk.h>
#include <forkmunk/arena_alloc/moves.h>
#include <forkmunk/arena_alloc/pointers.h>
#include <forkmunk/base/error.h>
#include <forkmunk/chipmunk/allocation_kinds.h>
#include <forkmunk/chipmunk/chipmunk_api.h>
#include <forkmunk/chipmunk/code_type.h>
#include <forkmunk/chipmunk/difference.h>
#include <forkmunk/chipmunk/precision.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

/// The contents of an arena that Chipmunk allocates from. Kinds determine fields (src/fields.h), so objects are found
/// without a space.
namespace forkmunk::FORKMUNK_CHIPMUNK {

struct ListedSpace {
  cpSpace space;
  ListedSpace* next;
};

/// The first allocation of an arena that lists its spaces, in order of creation. Its chunk has the last stamp given.
struct ArenaRoot {
  void* resource;  ///< The memory resource of forkmunk::space.
  ListedSpace* first_space;
  ListedSpace* last_space;
  cpSpace* main_space;
};

using arena_alloc::OutsidePointer;
using arena_alloc::PointerVisitor;

/// The header of a user's object whose pointers a function shows, in ascending order of their addresses.
struct alignas(16) TypedHeader {
  void (*visit)(void* object, PointerVisitor& visitor);
};

/// The bytes of a state, in its arena or copied. Pointers are addresses in the arena.
struct StateMemory {
  std::span<std::byte> bytes;
  std::uintptr_t base, capacity_bytes;

  StateMemory(std::span<std::byte> state, const std::byte* arena_base, std::size_t arena_capacity_bytes)
      : bytes(state), base(reinterpret_cast<std::uintptr_t>(arena_base)), capacity_bytes(arena_capacity_bytes) {}
  StateMemory(const arena_alloc::Arena& arena)
      : StateMemory({arena.base(), arena.live_bytes()}, arena.base(), arena.capacity_bytes()) {}

  [[nodiscard]] bool contains(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - base < capacity_bytes;
  }
  /// Returns the place of an address. \throws Error for unused memory.
  template <typename T>
#ifdef __wasm__
  [[gnu::noinline]]  // the module's size has a limit
#endif
  [[nodiscard]] T*
  operator()(T* address) const {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - base;
    if (offset < bytes.size()) return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(bytes.data()) + offset);
    if (offset < capacity_bytes) fail();
    return address;
  }
  [[nodiscard]] const void* address_of(const void* place) const {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(place) - bytes.data());
    return offset < bytes.size() ? reinterpret_cast<const void*>(base + offset) : place;
  }
  [[noreturn]] static void fail();
};

/// Allocates the root, zeroed. \pre the arena is empty.
ArenaRoot& make_root(arena_alloc::Arena& arena) noexcept;
/// Returns null for an arena without a root.
[[nodiscard]] ArenaRoot* root_of(const StateMemory& memory) noexcept;
/// Returns whether a kind has stamps in arenas with a root. Stamps order objects by creation; addresses do not, because
/// memory is reused.
[[nodiscard]] constexpr bool is_stamped(int kind) noexcept {
  return kind == FORKMUNK_KIND_CONSERVATIVE || kind == FORKMUNK_KIND_PLAIN || kind == FORKMUNK_KIND_TYPED ||
         kind == FORKMUNK_KIND_POLYLINE_SET || kind == FORKMUNK_KIND_BODY ||
         (kind >= FORKMUNK_KIND_CIRCLE && kind <= FORKMUNK_KIND_POLY) ||
         (kind >= FORKMUNK_KIND_PIN_JOINT && kind <= FORKMUNK_KIND_SIMPLE_MOTOR);
}
/// Gives the next stamp to a payload that was requested with arena_alloc::kStampBytes more than it needs.
void stamp(const arena_alloc::Arena& arena, void* payload) noexcept;
/// Returns the spaces in order of creation. \pre the arena has a root.
[[nodiscard]] std::vector<cpSpace*> spaces_of(const StateMemory& memory);
/// Returns whether a space of the arena is in a step or a query, or calls back after one.
[[nodiscard]] bool is_locked(const ArenaRoot& root) noexcept;

/// Moves every pointer into [from, from + bytes) to the same offset in the arena, a copy of that memory.
void relocate(arena_alloc::Arena& arena, const std::byte* from, std::size_t bytes) noexcept;

/// Copies live objects into the empty arena `to`, without free chunks, unused pool elements and unused ends of arrays.
/// \pre between steps; `to` has room for from.live_bytes().  \return the new addresses.
[[nodiscard]] arena_alloc::Moves compact(const arena_alloc::Arena& from, arena_alloc::Arena& to);

/// The names by which hashes and portable states refer to functions and tables of functions.
class NamedCode {
 public:
  /// \param code  not null. Replaces an entry of the same name or the same address.
  void add(const std::string& name, const void* code, CodeType type = CodeType::unknown);
  [[nodiscard]] const std::string* name_of(const void* code) const noexcept;
  [[nodiscard]] const void* find(const std::string& name) const noexcept;
  [[nodiscard]] CodeType type_of(const void* code) const noexcept;
  /// Returns the hash of the name; 1 for an address without a name, 0 for null.
  [[nodiscard]] std::uint64_t hash_of(const void* code) const noexcept;

 private:
  struct Entry {
    std::string name;
    std::uint64_t hash;
    CodeType type;
  };
  std::unordered_map<const void*, Entry> entries_;
};

/// Returns a hash of every field that decides the future, the same in forks, other processes and 32-bit builds.
/// Pointers count as numbers of objects (src/state_numbers.h), NaNs as one value, and code by name. Pointers of
/// Chipmunk that leave the arena count as one constant, and users' words by value.
[[nodiscard]] std::uint64_t hash(const arena_alloc::Arena& arena, const NamedCode& code);

/// Returns the first field that differs, with both values, or the place where memory differs; nothing for equal hashes.
[[nodiscard]] std::optional<std::string> first_difference(const arena_alloc::Arena& one,
                                                          const arena_alloc::Arena& other, const NamedCode& code);

/// Returns the digits of a number, of which 17 keep its bits. WebAssembly returns the fewest that do.
[[nodiscard]] std::string number_text(double number, int digits = 17);

/// Returns at most `count_max` differences, bodies first. Bookkeeping counts only if nothing else differs.
[[nodiscard]] std::vector<Difference> differences(const arena_alloc::Arena& one, const arena_alloc::Arena& other,
                                                  const NamedCode& code, std::size_t count_max);

/// Returns the pointers that leave the arena, except Chipmunk's constants and small numbers in users' pointers.
[[nodiscard]] std::vector<OutsidePointer> outside_pointers(const arena_alloc::Arena& arena, const NamedCode& code);

/// Returns the portable form of a state, which any version and machine reads (src/portable_format.h). \throws Error,
/// naming the field, for unnamed code, a pointer of Chipmunk that leaves the arena, and an object that cannot travel.
[[nodiscard]] std::vector<std::byte> to_portable(const StateMemory& memory, const NamedCode& code);
/// \param header  kPortableHeaderBytes. \throws Error for anything but a header.
[[nodiscard]] std::size_t portable_bytes(std::span<const std::byte> header);
inline constexpr std::size_t kPortableHeaderBytes = 32;
/// Returns the checksum of the bytes after a header. Differences have version 1.
[[nodiscard]] std::uint64_t portable_checksum(std::span<const std::byte> bytes, std::uint32_t version) noexcept;
/// Empties `arena` and builds the state in it. The bytes may come from anyone: whatever Chipmunk relies on is checked.
/// Time and memory are linear in their number. \param memory_bytes_max  the limit of the state's memory. \throws Error
/// for anything but a whole state, and for names that `code` lacks. The arena then allows reset() only.
void from_portable(arena_alloc::Arena& arena, std::span<const std::byte> bytes, const NamedCode& code,
                   std::size_t memory_bytes_max = arena_alloc::kCapacityBytesMax);

/// Returns the difference of two portable forms, in linear time. \param code  has the functions of a build of Chipmunk,
/// which make the difference shorter.
[[nodiscard]] std::vector<std::byte> portable_delta(std::span<const std::byte> base, std::span<const std::byte> bytes,
                                                    const NamedCode& code);
/// Returns the bytes that portable_delta() was given. The difference may come from anyone. Time and memory are linear.
/// \throws Error for damage, another base, and more than `bytes_max`.
[[nodiscard]] std::vector<std::byte> apply_portable_delta(std::span<const std::byte> base,
                                                          std::span<const std::byte> delta, const NamedCode& code,
                                                          std::size_t bytes_max);
/// \param header  kPortableDeltaHeaderBytes. \throws Error for anything but a header.
[[nodiscard]] std::size_t portable_delta_bytes(std::span<const std::byte> header);
inline constexpr std::size_t kPortableDeltaHeaderBytes = 48;

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
