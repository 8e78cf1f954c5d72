#pragma once

#include <cstddef>

/// Memory for what an arena has no room for: a step that is under way must come to its end before anybody can be told.
namespace forkmunk::arena_alloc {

class Arena;

/// `size_bytes` of zeroed memory outside of every arena. Aborts, saying so, when the system has none either.
[[nodiscard]] void* allocate_emergency(Arena& owner, std::size_t size_bytes) noexcept;
/// The bytes of a block that is emergency memory; 0 for any other address. Cheap as long as there is none at all.
[[nodiscard]] std::size_t emergency_bytes(const void* block) noexcept;
[[nodiscard]] Arena* emergency_owner(const void* block) noexcept;
void release_emergency(void* block) noexcept;
/// Gives all of `owner`'s back to the system.
void release_emergency_of(const Arena& owner) noexcept;

}  // namespace forkmunk::arena_alloc
