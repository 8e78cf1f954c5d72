// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/search/plan.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// The planners for worlds of two sides: their names, options and results. game.h runs them in any world.
namespace forkmunk::search {

enum class Side : std::uint8_t { first, second };
[[nodiscard]] constexpr Side opponent_of(Side side) noexcept {
  return side == Side::first ? Side::second : Side::first;
}
/// Returns 0 or 1.
[[nodiscard]] constexpr std::size_t index_of(Side side) noexcept { return static_cast<std::size_t>(side); }

/// The score of a win. A loss is -kWin. A state's score should be much smaller.
inline constexpr double kWin = 100000;

/// A planner's assumption about the opponent. A plan's score is the one against the worst of the assumed replies.
enum class OpponentModel : std::uint8_t {
  still,      ///< It stops.
  repeat,     ///< It repeats its last known command.
  constant3,  ///< The worst of left, stop and right, held for the whole horizon; in other games, of the first four
              ///< commands.
  planned,    ///< Its plan is searched first, with a part of the budget, against my last plan.
  robust,     ///< The worst of three plans: that of `planned`; the same, but with its last known command for the first
              ///< 4 ticks; and the one expected before this search. Below 800 ticks as `planned`.
  coevolve,   ///< Both sides' plans improve in turns, each against the other's best so far.
};

struct OpponentModelInfo {
  OpponentModel model;
  std::string_view name;
  std::string_view what;  ///< One line for --help.
};

[[nodiscard]] std::span<const OpponentModelInfo> opponent_models() noexcept;
[[nodiscard]] std::string_view to_string(OpponentModel model) noexcept;
[[nodiscard]] std::optional<OpponentModel> parse_opponent_model(std::string_view name) noexcept;

/// Result of a search.
template <typename Command>
struct BasicDecision {
  Command command = CommandTraits<Command>::kNone;  ///< For this tick.
  BasicPlan<Command> plan;                          ///< `command` and the planned ones after it.
  /// Of the plan; finite, comparable within one planner and evaluator. std::nullopt if the budget did not suffice to
  /// play one plan to its end: `plan` is then the last decision's, shifted.
  std::optional<double> score;
  std::int64_t ticks = 0;      ///< Simulated ticks.
  BasicPlan<Command> reply{};  ///< The plan that it expects of the opponent; empty under constant3.
};

/// A plan that a planner evaluated for its own side, and its worst score over the replies tried (an upper bound if the
/// plan was pruned).
template <typename Command>
struct BasicCandidate {
  BasicPlan<Command> plan;
  double score = 0;
};

/// Options of planners. Unset ones have the planner's defaults.
struct SearchOptions {
  std::optional<OpponentModel> opponent;
  std::uint64_t seed = 0;
  std::optional<int> horizon;            ///< Length of a plan in ticks, 4 to kPlanTicksMax.
  std::optional<int> hold;               ///< Ticks that an action is held, 1 to kPlanTicksMax.
  std::optional<double> discount;        ///< Per tick, 0.5 to 1.
  std::optional<double> opponent_share;  ///< Of the budget, for the opponent's plan: 0 to 1.
};

struct PlannerInfo {
  std::string_view name;
  std::string_view what;  ///< One line for --help.
  OpponentModel opponent;
};

/// The strongest planner with default options (docs/results/strength.md).
inline constexpr std::string_view kBestPlanner = "best";

/// straight, stretched, coarse, genetic, grid, coevolve, best.
[[nodiscard]] std::span<const PlannerInfo> planners() noexcept;

}  // namespace forkmunk::search
