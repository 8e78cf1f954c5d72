// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/arithmetic.h>
#include <forkmunk/base/error.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace forkmunk::engine {

/// An engine and its arithmetic.
enum class Physics : std::uint8_t {
  /// The library's own implementation, with the bits of `chipmunk`. Its state is a few kilobytes without addresses.
  flat,
  chipmunk,            ///< Chipmunk2D in an arena, in strict arithmetic: the reference.
  chipmunk_fast_math,  ///< Chipmunk2D in an arena, in the contest's arithmetic (Arithmetic::referee).
};

[[nodiscard]] constexpr Arithmetic arithmetic_of(Physics physics) noexcept {
  return physics == Physics::chipmunk_fast_math ? Arithmetic::referee : Arithmetic::strict;
}
[[nodiscard]] constexpr std::string_view engine_name(Physics physics) noexcept {
  return physics == Physics::flat ? "flat" : "chipmunk";
}

/// Returns the fastest physics that are exact in `arithmetic`.
[[nodiscard]] constexpr Physics fastest_physics(Arithmetic arithmetic) noexcept {
  return arithmetic == Arithmetic::referee ? Physics::chipmunk_fast_math : Physics::flat;
}
[[nodiscard]] constexpr Physics chipmunk_physics(Arithmetic arithmetic) noexcept {
  return arithmetic == Arithmetic::referee ? Physics::chipmunk_fast_math : Physics::chipmunk;
}

/// \param engine  "flat", "chipmunk", or "auto" for the fastest that are exact. \throws Error for another name, for the
/// flat engine in referee arithmetic, and if this build lacks the physics.
[[nodiscard]] Physics parse_physics(Arithmetic arithmetic, std::string_view engine = "auto");

/// Some builds lack referee arithmetic.
[[nodiscard]] bool is_available(Physics physics) noexcept;
/// Returns this build's physics, flat first.
[[nodiscard]] std::vector<Physics> available_physics();

}  // namespace forkmunk::engine
