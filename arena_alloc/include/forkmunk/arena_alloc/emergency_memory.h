// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

/// Memory for allocations that do not fit into an arena, because a step must end before it can report an error.
namespace forkmunk::arena_alloc {

class Arena;

/// Returns zeroed memory outside of every arena. Aborts with a message if the system has none.
[[nodiscard]] void* allocate_emergency(Arena& owner, std::size_t size_bytes) noexcept;
/// Returns a block's size; 0 for any other address. Cheap while there is no block.
[[nodiscard]] std::size_t emergency_bytes(const void* block) noexcept;
/// Returns a block's owner, or null.
[[nodiscard]] Arena* emergency_owner(const void* block) noexcept;
/// Ignores any other address.
void release_emergency(void* block) noexcept;
void release_emergency_of(const Arena& owner) noexcept;

}  // namespace forkmunk::arena_alloc
