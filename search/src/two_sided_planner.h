#pragma once

#include "plan_search.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace forkmunk::search {

/// Plans for one side or both, as the opponent model requires.
///
/// Idea: `planned` gives a share of the budget to the opponent's plan, against my last one, shifted, and the rest to
/// mine against it; `robust` plays mine against two more replies; `coevolve` alternates between both. Other models need
/// no search for the opponent.
template <typename G>
class TwoSidedSearch {
 public:
  using World = typename G::World;
  using Command = typename G::Command;
  using Plan = BasicPlan<Command>;

  /// Default share of the budget for the opponent's plan under `planned`: the contest's fourth place gave it 20 plans
  /// of 70.
  static constexpr double kOpponentShare = 2.0 / 7.0;

  TwoSidedSearch(MakePlanSearch<G> make, OpponentModel model, const PlannerOptions& options,
                 const typename G::Scorer& scorer, typename G::CommandSet commands = {});

  /// `tick`: of the match.
  void begin_match(const World& world, Side me, int tick);
  /// See Planner::decide(). What the world throws comes out of here, with its state restored.
  [[nodiscard]] BasicDecision<Command> decide(World& world, int tick, Command enemy_last, Budget& budget);
  void watch(std::vector<BasicCandidate<Command>>* candidates) { candidates_ = candidates; }
  void carry(PlannerState& state);

 private:
  /// Improves both plans as the model requires. \return the plan that is expected of the opponent; empty under
  /// `constant3`.
  [[nodiscard]] Plan search(Command enemy_last);
  [[nodiscard]] std::size_t constant_replies() const noexcept { return std::min(commands_.size(), kRepliesMax); }
  /// `planned` and `robust`.
  [[nodiscard]] Plan answer_to_plans(Command enemy_last);
  void coevolve();

  typename G::CommandSet commands_;
  OpponentModel model_;
  double opponent_share_;
  BasicPlayouts<G> playouts_;
  std::unique_ptr<PlanSearch<G>> mine_;
  std::unique_ptr<PlanSearch<G>> theirs_;
  std::vector<BasicCandidate<Command>>* candidates_ = nullptr;
  Side me_ = Side::first;
  int tick_ = 0;       // of the last decision
  Searched searched_;  // by decisions of that tick, and of the one before
};

/// What the world of a planner's match has to be like.
struct BegunMatch {
  explicit BegunMatch(const engine::World& world)
      : setup(world.setup()), is_flat(world.physics() == engine::Physics::flat) {}
  engine::MatchSetup setup;
  bool is_flat;
};
/// \throws Error if a match has begun, and `world` is not of it.
void check_match(const std::optional<BegunMatch>& begun, const engine::World& world);

/// The contest's.
class TwoSidedPlanner final : public Planner {
 public:
  TwoSidedPlanner(MakePlanSearch<Contest> make, OpponentModel model, const PlannerOptions& options)
      : evaluator_(make_evaluator(options.evaluator, options.weights)), search_(make, model, options, *evaluator_) {}

  void begin_match(const engine::World& world, engine::Player me) override {
    begun_.reset();
    evaluator_->begin_match(world.setup());
    search_.begin_match(world, me, world.tick());
    begun_.emplace(world);
  }
  [[nodiscard]] Decision decide(engine::World& world, engine::Command enemy_last, Budget& budget) override {
    check_match(begun_, world);
    return search_.decide(world, world.tick(), enemy_last, budget);
  }
  void watch(std::vector<Candidate>* candidates) override { search_.watch(candidates); }
  void carry(PlannerState& state) override { search_.carry(state); }

 private:
  std::optional<BegunMatch> begun_;
  std::unique_ptr<Evaluator> evaluator_;
  TwoSidedSearch<Contest> search_;
};

}  // namespace forkmunk::search
