// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/match_setup.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

/// weights.cpp has the numbers.
namespace forkmunk::planning {

/// A car's kind depends on its weight and wheels, not on its name.
enum class CarKind : std::uint8_t { buggy, bus, square_buggy };
inline constexpr std::array kCarKinds{CarKind::buggy, CarKind::bus, CarKind::square_buggy};
inline constexpr std::size_t kCarKindCount = kCarKinds.size();

[[nodiscard]] CarKind kind_of(const engine::CarSetup& car) noexcept;
[[nodiscard]] std::string_view to_string(CarKind kind) noexcept;

struct TermWeight {
  std::string_view evaluator;
  std::string_view term;
  /// By CarKind. A negative weight marks what is bad for oneself.
  std::array<double, kCarKindCount> weight{};
  /// The factor for each tick ahead. Below 1, the weight fades along a playout.
  double per_tick = 1;
  std::string_view what;
};

using Weights = std::vector<TermWeight>;

[[nodiscard]] const Weights& default_weights();

}  // namespace forkmunk::planning
