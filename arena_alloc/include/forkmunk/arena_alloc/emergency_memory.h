// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

/// Memory for allocations that do not fit into an arena. A step must end before it can report an error.
namespace forkmunk::arena_alloc {

class Arena;

/// Returns `size_bytes` of zeroed memory outside of every arena. Aborts with a message if the system has no memory.
[[nodiscard]] void* allocate_emergency(Arena& owner, std::size_t size_bytes) noexcept;
/// Returns the size of a block of emergency memory; 0 for any other address. Cheap while there is no block.
[[nodiscard]] std::size_t emergency_bytes(const void* block) noexcept;
/// Returns the owner of a block of emergency memory; null for any other address.
[[nodiscard]] Arena* emergency_owner(const void* block) noexcept;
/// Returns a block to the system. Ignores any other address.
void release_emergency(void* block) noexcept;
/// Returns all blocks of `owner` to the system.
void release_emergency_of(const Arena& owner) noexcept;

}  // namespace forkmunk::arena_alloc
