// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace forkmunk {

/// The evaluation of floating point inside a step.
///
/// strict: IEEE double precision without contraction; the same bits from every compiler.
/// referee: gcc's -ffast-math with the flags of the contest's own build; exact only when built by gcc 12.
enum class Arithmetic : std::uint8_t { strict, referee };

[[nodiscard]] std::string_view to_string(Arithmetic arithmetic) noexcept;
/// Returns std::nullopt for an unknown name.
[[nodiscard]] std::optional<Arithmetic> parse_arithmetic(std::string_view text) noexcept;
/// Builds by other compilers than gcc have only strict.
[[nodiscard]] bool is_available(Arithmetic arithmetic) noexcept;

}  // namespace forkmunk
