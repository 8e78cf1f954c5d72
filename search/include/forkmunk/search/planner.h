#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/search/budget.h>
#include <forkmunk/search/evaluator.h>
#include <forkmunk/search/opponent_model.h>
#include <forkmunk/search/plan.h>
#include <forkmunk/search/planner_state.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace forkmunk::search {

/// Result of a search.
template <typename Command>
struct BasicDecision {
  Command command = kNoCommand<Command>;  ///< For this tick.
  BasicPlan<Command> plan;                ///< `command` and the planned ones after it.
  /// Of the plan; finite, comparable within one planner and evaluator. std::nullopt if the budget did not suffice to
  /// play one plan to its end: `plan` is then the last decision's, shifted.
  std::optional<double> score;
  std::int64_t ticks = 0;      ///< Simulated ticks.
  BasicPlan<Command> reply{};  ///< The plan that it expects of the opponent; empty under constant3.
};
using Decision = BasicDecision<engine::Command>;

/// A plan that a planner evaluated for its own side, and its worst score over the replies tried (an upper bound if the
/// plan was pruned).
template <typename Command>
struct BasicCandidate {
  BasicPlan<Command> plan;
  double score = 0;
};
using Candidate = BasicCandidate<engine::Command>;

/// Chooses a command by playing plans on the world.
///
/// Depends on World and Evaluator only. The same seed, matches, states, engine and budgets in ticks give the same
/// decisions; planners that batch plans do so in flat worlds only, and so find other plans in Chipmunk worlds. Does not
/// allocate during a search.   Thread: one at a time; with PlannerOptions::threads it has more of its own.
class Planner {
 public:
  Planner() = default;
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;
  virtual ~Planner() = default;

  /// Discards the last match. \param world  at the new match's first tick.
  virtual void begin_match(const engine::World& world, engine::Player me) = 0;

  /// \param world  at the tick; it is stepped during the search, and its state restored before the call returns.
  /// \param enemy_last  the last known command of the opponent.
  /// \param budget  overrun by at most a few ticks.
  /// \pre called at every tick of the match: plans are carried over from tick to tick.
  /// \throws Error before begin_match(), and for a world of another setup or engine than begin_match()'s.
  [[nodiscard]] virtual Decision decide(engine::World& world, engine::Command enemy_last, Budget& budget) = 0;

  /// Appends every evaluated plan to *candidates until watch(nullptr). May allocate. Decisions are the same. A planner
  /// may have no candidates to report.
  virtual void watch(std::vector<Candidate>* candidates) { static_cast<void>(candidates); }

  /// Writes the state on which later decisions depend, without options and match, or reads it into another planner of
  /// these options after begin_match(), which then decides as this one does. \throws Error for bytes that are no such
  /// state.
  virtual void carry(PlannerState& state) = 0;
};

/// Options of planners. Unset ones have the planner's defaults.
struct PlannerOptions {
  std::string evaluator = "learned";
  std::optional<OpponentModel> opponent;
  std::uint64_t seed = 0;
  Weights weights = default_weights();
  std::optional<int> horizon;            ///< Length of a plan in ticks, 4 to kPlanTicksMax.
  std::optional<int> hold;               ///< Ticks that an action is held, 1 to kPlanTicksMax.
  std::optional<double> discount;        ///< Per tick, 0.5 to 1.
  std::optional<double> opponent_share;  ///< Of the budget, for the opponent's plan: 0 to 1.
  /// Number of parallel searches, each with its own thread and random numbers; the best plan is used. A budget in ticks
  /// is for each search: the same seed, budget and number of threads give the same decisions.
  int threads = 1;
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

/// \throws Error for an unknown planner or evaluator, or an option out of range.
[[nodiscard]] std::unique_ptr<Planner> make_planner(std::string_view name, const PlannerOptions& options);

}  // namespace forkmunk::search
