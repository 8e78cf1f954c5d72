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
[[nodiscard]] constexpr std::size_t index_of(Side side) noexcept { return static_cast<std::size_t>(side); }

/// A loss is -kWin. The score of a state should be much smaller.
inline constexpr double kWin = 100000;

/// The assumption about the opponent. A plan's score is its score against the worst of the assumed replies.
enum class OpponentModel : std::uint8_t {
  still,   ///< The opponent stops.
  repeat,  ///< The opponent repeats its last known command.
  /// The worst of left, stop and right, held for the whole horizon. In other games, the worst of the first four
  /// commands.
  constant3,
  /// A part of the budget first searches the opponent's plan, against the planner's last plan.
  planned,
  /// The worst of three plans: the plan of `planned`, this plan after 4 ticks of the last known command, and the plan
  /// expected before this search. Below 800 ticks, the same as `planned`.
  robust,
  /// Both sides' plans improve in turns, each against the other's best so far.
  coevolve,
};

struct OpponentModelInfo {
  OpponentModel model;
  std::string_view name;
  std::string_view what;  ///< One line for --help.
};

[[nodiscard]] std::span<const OpponentModelInfo> opponent_models() noexcept;
[[nodiscard]] std::string_view to_string(OpponentModel model) noexcept;
[[nodiscard]] std::optional<OpponentModel> parse_opponent_model(std::string_view name) noexcept;

template <typename Command>
struct BasicDecision {
  Command command = CommandTraits<Command>::kNone;  ///< For this tick.
  BasicPlan<Command> plan;                          ///< `command` and the planned commands after it.
  /// Finite and comparable within one planner and evaluator. std::nullopt if the budget did not suffice to play one
  /// plan to its end; `plan` is then the last decision's plan, shifted.
  std::optional<double> score;
  std::int64_t ticks = 0;      ///< Simulated ticks.
  BasicPlan<Command> reply{};  ///< The plan expected of the opponent; empty under constant3.
};

/// A plan that was evaluated for the planner's own side, and its worst score over the replies tried: an upper bound if
/// the plan was pruned.
template <typename Command>
struct BasicCandidate {
  BasicPlan<Command> plan;
  double score = 0;
};

/// An unset option has the planner's default.
struct SearchOptions {
  std::optional<OpponentModel> opponent;
  std::uint64_t seed = 0;
  std::optional<int> horizon;            ///< The ticks of a plan, 4 to kPlanTicksMax.
  std::optional<int> hold;               ///< The ticks of an action, 1 to kPlanTicksMax.
  std::optional<double> discount;        ///< The factor per tick, 0.5 to 1.
  std::optional<double> opponent_share;  ///< The share of the budget for the opponent's plan, 0 to 1.
};

struct PlannerInfo {
  std::string_view name;
  std::string_view what;  ///< One line for --help.
  OpponentModel opponent;
};

/// The strongest planner with default options (docs/results/strength.md).
inline constexpr std::string_view kBestPlanner = "best";

/// straight, stretched, coarse, genetic, grid, coevolve and best.
[[nodiscard]] std::span<const PlannerInfo> planners() noexcept;

}  // namespace forkmunk::search
