// SPDX-License-Identifier: MIT
#include "contest.h"
#include "parallel_planner.h"

#include <forkmunk/base/error.h>

#include <string>
#include <string_view>

namespace forkmunk::planning {
namespace {

class TwoSidedPlanner final : public Planner {
 public:
  TwoSidedPlanner(const search::PlannerEntry& planner, const PlannerOptions& options)
      : evaluator_(make_evaluator(options.evaluator, options.weights)), search_(planner, options, *evaluator_) {}

  void begin_match(const engine::World& world, engine::Player me) override {
    begun_.reset();
    evaluator_->begin_match(world.setup());
    search_.begin_match(world, side_of(me), world.tick());
    begun_.emplace(world);
  }
  [[nodiscard]] Decision decide(engine::World& world, engine::Command enemy_last, search::Budget& budget) override {
    check_match(begun_, world);
    return search_.decide(world, world.tick(), enemy_last, budget);
  }
  void watch(std::vector<Candidate>* candidates) override { search_.watch(candidates); }
  void carry(search::PlannerState& state) override { search_.carry(state); }

 private:
  std::optional<BegunMatch> begun_;
  std::unique_ptr<Evaluator> evaluator_;
  search::TwoSidedSearch<Contest> search_;
};

}  // namespace

void check_match(const std::optional<BegunMatch>& begun, const engine::World& world) {
  if (!begun) return;
  if (begun->setup != world.setup()) {
    throw Error("Planner::decide(): the world is of another match's setup than the one begun; call begin_match()");
  }
  if (begun->is_flat != (world.physics() == engine::Physics::flat)) {
    throw Error("Planner::decide(): the world is of another engine than the match's; call begin_match()");
  }
}

std::unique_ptr<Planner> make_planner(std::string_view name, const PlannerOptions& options) {
  const search::PlannerEntry& planner = search::checked_planner(name, options);
  search::check_option("threads", options.threads, 1, kPlannerThreadsMax);
  if (options.threads > 1) return std::make_unique<ParallelPlanner>(name, options);
  return std::make_unique<TwoSidedPlanner>(planner, options);
}

}  // namespace forkmunk::planning
