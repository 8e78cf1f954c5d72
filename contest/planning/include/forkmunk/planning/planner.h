// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/planning/evaluator.h>
#include <forkmunk/planning/weights.h>
#include <forkmunk/search/budget.h>
#include <forkmunk/search/planner_state.h>
#include <forkmunk/search/planners.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

template <>
struct forkmunk::search::CommandTraits<forkmunk::engine::Command> {
  static constexpr engine::Command kNone = engine::Command::stop;
  static constexpr std::size_t kCount = engine::kCommands.size();
  static constexpr std::string_view kLetters = "LSR";
};

namespace forkmunk::planning {

using Plan = search::BasicPlan<engine::Command>;
using Decision = search::BasicDecision<engine::Command>;
using Candidate = search::BasicCandidate<engine::Command>;

/// Chooses a command by playing plans on the world.
///
/// The same seed, matches, states, engine and budgets in ticks give the same decisions. Planners that batch plans do so
/// in flat worlds only, and so find other plans in Chipmunk worlds. A search does not allocate.   Thread: one at a
/// time; PlannerOptions::threads are the planner's own.
class Planner {
 public:
  Planner() = default;
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;
  virtual ~Planner() = default;

  /// \param world  at the new match's first tick.
  virtual void begin_match(const engine::World& world, engine::Player me) = 0;

  /// Chooses the command for a tick. \pre decide() is called at every tick of the match, because plans are carried
  /// over.
  /// \param world  is stepped during the search and restored before the call returns.
  /// \param enemy_last  the last known command of the opponent.
  /// \param budget  is overrun by at most a few ticks.
  /// \throws Error before begin_match(), and for a world of another setup or engine than begin_match()'s.
  [[nodiscard]] virtual Decision decide(engine::World& world, engine::Command enemy_last, search::Budget& budget) = 0;

  /// Appends every evaluated plan to *candidates until watch(nullptr), if the planner reports plans. May allocate, and
  /// does not change decisions.
  virtual void watch(std::vector<Candidate>* candidates) { static_cast<void>(candidates); }

  /// Writes the state on which later decisions depend, without options and match. Or reads it into another planner with
  /// the same options after begin_match(). \throws Error for bytes that are no such state.
  virtual void carry(search::PlannerState& state) = 0;
};

struct PlannerOptions : search::SearchOptions {
  std::string evaluator = "learned";
  Weights weights = default_weights();
  /// Parallel searches, each with its own thread and random numbers; the best plan is used. A budget in ticks is for
  /// each search, so that decisions are reproducible.
  int threads = 1;
};

/// \param name  one of search::planners(). \throws Error for an unknown planner or evaluator, or an option out of
/// range.
[[nodiscard]] std::unique_ptr<Planner> make_planner(std::string_view name, const PlannerOptions& options);

}  // namespace forkmunk::planning
