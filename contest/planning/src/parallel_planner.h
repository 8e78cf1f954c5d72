// SPDX-License-Identifier: MIT
#pragma once

#include "contest.h"

#include <forkmunk/base/thread_pool.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace forkmunk::planning {

inline constexpr int kPlannerThreadsMax = 64;

/// Several planners of one kind search from the same state in parallel, each with its own random numbers.
///
/// Idea: root parallelisation (Cazenave and Jouandeau 2007). Each planner returns a plan and a predicted plan of the
/// opponent. Every plan is then played against two of the opponent's plans, and the plan with the best worst case is
/// chosen. If the budget is too small for this comparison, the plan with the best own score is chosen.
class ParallelPlanner final : public Planner {
 public:
  /// \pre options.threads is 2 to kPlannerThreadsMax. \throws as make_planner() does.
  ParallelPlanner(std::string_view name, const PlannerOptions& options);

  void begin_match(const engine::World& world, engine::Player me) override;
  [[nodiscard]] Decision decide(engine::World& world, engine::Command enemy_last, search::Budget& budget) override;
  /// Watches only the first planner.
  void watch(std::vector<Candidate>* candidates) override { searches_[0].planner->watch(candidates); }
  void carry(search::PlannerState& state) override {
    for (Search& search : searches_) search.planner->carry(state);
  }

 private:
  struct Search {
    std::unique_ptr<Planner> planner;
    engine::World world;
    Decision decision;
    std::int64_t ticks = 0;
  };
  [[nodiscard]] std::size_t best_by_own_score() const noexcept;
  [[nodiscard]] std::size_t best_in_worst_case(std::span<const Plan> replies);

  std::vector<Search> searches_;
  ThreadPool pool_;
  engine::Snapshot state_;
  std::unique_ptr<Evaluator> evaluator_;
  search::BasicPlayouts<Contest> playouts_;
  search::BasicTrial<Contest> trial_;
  double ticks_per_second_ = 100'000;  // the speed of one search, an estimate
  std::optional<BegunMatch> begun_;
  engine::Player me_ = engine::Player::first;
};

}  // namespace forkmunk::planning
