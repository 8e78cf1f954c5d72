#pragma once

#include <cstddef>
#include <cstdint>

namespace forkmunk::engine {

/// What Snapshot::write() and read() know of the states that may leave the process, without knowing whose they are.
struct PortableState {
  std::uint64_t layout;        ///< Of this version's state; another one is refused.
  std::size_t size_bytes_min;  ///< What size_bytes_of() needs to see.
  std::size_t (*size_bytes_of)(const std::byte* state) noexcept;
};

/// The flat engine's (flat_world.cpp).
[[nodiscard]] const PortableState& portable_state() noexcept;

}  // namespace forkmunk::engine
