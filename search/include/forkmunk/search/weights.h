#pragma once

#include <forkmunk/engine/match_setup.h>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

/// How much each term of each evaluator counts, by the kind of car. The numbers are in weights.cpp, one row a term.
namespace forkmunk::search {

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
  double per_tick = 1;    ///< The weight's factor for each tick ahead: below 1 it fades along a playout.
  std::string_view what;  ///< What the term measures.
};

/// The table as a whole, one row for each term of each evaluator.
using Weights = std::vector<TermWeight>;

/// The table that is shipped.
[[nodiscard]] const Weights& default_weights();

/// What a win is worth in the same measure; a loss is as bad.
inline constexpr double kWin = 100000;

}  // namespace forkmunk::search
