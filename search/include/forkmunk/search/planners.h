// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/search/plan.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// game.h runs these planners in any world of two sides.
namespace forkmunk::search {

enum class Side : std::uint8_t { first, second };
[[nodiscard]] constexpr Side opponent_of(Side side) noexcept {
  return side == Side::first ? Side::second : Side::first;
}
[[nodiscard]] constexpr std::size_t index_of(Side side) noexcept { return static_cast<std::size_t>(side); }

/// A loss is -kWin. The score of a state should be much smaller.
inline constexpr double kWin = 100000;

/// A plan's score is its score against the worst of the assumed replies.
enum class OpponentModel : std::uint8_t {
  still,   ///< The opponent stops.
  repeat,  ///< The opponent repeats its last known command.
  /// The worst of left, stop and right, or in other games of the first four commands, held for the whole horizon.
  constant3,
  /// A part of the budget first searches the opponent's plan, against the planner's last plan.
  planned,
  /// The worst of three plans: that of `planned`, the same after 4 ticks of the last known command, and the plan
  /// expected before this search. Below 800 ticks as `planned`.
  robust,
  /// Both sides' plans improve in turns, each against the other's best so far.
  coevolve,
};

struct OpponentModelInfo {
  OpponentModel model;
  std::string_view name;
  std::string_view what;
};

[[nodiscard]] std::span<const OpponentModelInfo> opponent_models() noexcept;
[[nodiscard]] std::optional<OpponentModel> parse_opponent_model(std::string_view name) noexcept;

template <typename Command>
struct BasicDecision {
  Command command = CommandTraits<Command>::kNone;
  BasicPlan<Command> plan;  ///< Begins with `command`.
  /// The score of `plan`, finite and comparable within one planner and evaluator. std::nullopt if the budget did not
  /// suffice to play one plan to its end; `plan` is then the last decision's plan, shifted.
  std::optional<double> score;
  std::int64_t ticks = 0;      ///< Simulated ticks.
  BasicPlan<Command> reply{};  ///< The plan expected of the opponent; empty under constant3.
};

/// The worst score over the replies tried: an upper bound if the plan was pruned.
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

/// The algorithm that improves a side's plan.
enum class SearchKind : std::uint8_t { straight, stretched, coarse, genetic, grid };

struct PlannerInfo {
  std::string_view name;
  std::string_view what;
  OpponentModel opponent;
  SearchKind kind;
  double opponent_share = 2.0 / 7.0;  ///< The contest's fourth place gave the opponent 20 plans of 70.
};

/// The strongest planner with default options (docs/results/strength.md).
inline constexpr std::string_view kBestPlanner = "best";

[[nodiscard]] std::span<const PlannerInfo> planners() noexcept;

}  // namespace forkmunk::search
