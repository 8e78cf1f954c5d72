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

/// What a planner found.
struct Decision {
  engine::Command command = engine::Command::stop;  ///< For this tick.
  Plan plan;                                        ///< It and what it means to do then.
  /// Of the plan; finite, comparable within one planner and evaluator. Nothing if the budget did not suffice to play a
  /// single plan to its end: `plan` is then what was carried over from before.
  std::optional<double> score;
  std::int64_t ticks = 0;  ///< Simulated for it.
  Plan reply{};            ///< The reply that the planner assumes; empty if the model has several.
};

/// A plan that a planner tried for its own side, and the least that it scored against the replies that it was played
/// against. One that turns out useless against a reply is not played against the others.
struct Candidate {
  Plan plan;
  double score = 0;
};

/// Chooses a command by trying out plans on the world.
///
/// It knows World and Evaluator only. The same seed, matches, states, engine and budgets in ticks give the same
/// decisions; planners that batch plans do so in flat worlds only, and so find other plans in Chipmunk's. Nothing is
/// asked of the system while it searches.   Thread: one at a time; with PlannerOptions::threads it has more of its own.
class Planner {
 public:
  Planner() = default;
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;
  virtual ~Planner() = default;

  /// Forgets the last match. `world` stands at the new one's first tick.
  virtual void begin_match(const engine::World& world, engine::Player me) = 0;

  /// \param world  at the tick; it is stepped and restored, and put back before the call returns.
  /// \param enemy_last  the last command of the opponent that is known.
  /// \param budget  overrun by at most a few ticks.
  /// To be called at every tick of the match: plans are carried over from one to the next.
  [[nodiscard]] virtual Decision decide(engine::World& world, engine::Command enemy_last, Budget& budget) = 0;

  /// From here on each plan that is tried is appended to `candidates`, which must live as long and is the only thing
  /// that may ask the system for memory; null ends it. Decisions are the same. A planner may have none to report.
  virtual void watch(std::vector<Candidate>* candidates) { static_cast<void>(candidates); }

  /// Writes what later decisions depend on besides the options and the match, or reads it into another planner of these
  /// options after begin_match(), which then decides as this one does. \throws Error for bytes that are no such state.
  virtual void carry(PlannerState& state) = 0;
};

/// What planners are made of. Empty options: the planner's own.
struct PlannerOptions {
  std::string evaluator = "learned";
  std::optional<OpponentModel> opponent;
  std::uint64_t seed = 0;
  Weights weights = default_weights();
  std::optional<int> horizon;            ///< Ticks that a plan looks ahead, 4 to kPlanTicksMax.
  std::optional<int> hold;               ///< Ticks that an action is held, 1 to kPlanTicksMax.
  std::optional<double> discount;        ///< Per tick, 0.5 to 1.
  std::optional<double> opponent_share;  ///< Of the budget, for the opponent's plan: 0 to 1.
  /// Parallel searches, each with a thread and random numbers of its own, whose best plan is used. A budget in ticks is
  /// each search's: the same seed, budget and number of threads give the same decisions.
  int threads = 1;
};

struct PlannerInfo {
  std::string_view name;
  std::string_view what;  ///< One line for --help.
  OpponentModel opponent;
};

/// The one that plays best with its options as they are (docs/strength.md).
inline constexpr std::string_view kBestPlanner = "best";

/// straight, stretched, coarse, genetic, grid, coevolve, best.
[[nodiscard]] std::span<const PlannerInfo> planners() noexcept;

/// \throws Error if there is no planner or evaluator of that name, or an option is out of range.
[[nodiscard]] std::unique_ptr<Planner> make_planner(std::string_view name, const PlannerOptions& options);

}  // namespace forkmunk::search
