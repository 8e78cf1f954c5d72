// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/match_setup.h>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

/// Weights of the evaluators' terms, by kind of car. The numbers are in weights.cpp, one row for each term.
namespace forkmunk::planning {

/// A car's kind by its weight and wheels, whatever its name.
enum class CarKind : std::uint8_t { buggy, bus, square_buggy };
inline constexpr std::array kCarKinds{CarKind::buggy, CarKind::bus, CarKind::square_buggy};
inline constexpr std::size_t kCarKindCount = kCarKinds.size();

[[nodiscard]] CarKind kind_of(const engine::CarSetup& car) noexcept;
/// "Buggy", "Bus", "SquareWheelsBuggy"
[[nodiscard]] std::string_view to_string(CarKind kind) noexcept;

/// A row of the table.
struct TermWeight {
  std::string_view evaluator;
  std::string_view term;
  std::array<double, kCarKindCount> weight{};  ///< By CarKind; of a term between 0 and 1. Negative: bad for oneself.
  double per_tick = 1;    ///< Factor of the weight for each tick ahead: below 1 it fades along a playout.
  std::string_view what;  ///< Description of the term.
};

/// The table, one row for each term of each evaluator.
using Weights = std::vector<TermWeight>;

/// The default table.
[[nodiscard]] const Weights& default_weights();

}  // namespace forkmunk::planning
