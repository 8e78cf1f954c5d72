#pragma once

#include "plan_search.h"

#include <array>
#include <memory>

namespace forkmunk::search {

/// A planner that searches plans for one side or both, as the opponent model requires.
///
/// Idea: `planned` gives a share of the budget to the opponent's plan, against my last one, shifted, and the rest to
/// mine against it; `coevolve` alternates between both. Other models need no search for the opponent.
class TwoSidedPlanner final : public Planner {
 public:
  /// Default share of the budget for the opponent's plan under `planned`: the contest's fourth place gave it 20 plans
  /// of 70.
  static constexpr double kOpponentShare = 2.0 / 7.0;

  TwoSidedPlanner(MakePlanSearch make, OpponentModel model, const PlannerOptions& options);

  void begin_match(const engine::World& world, engine::Player me) override;
  [[nodiscard]] Decision decide(engine::World& world, engine::Command enemy_last, Budget& budget) override;
  void watch(std::vector<Candidate>* candidates) override { candidates_ = candidates; }
  void carry(PlannerState& state) override;

 private:
  /// Improves both plans as the model requires. \return the expected reply; empty if there are several.
  [[nodiscard]] Plan search(engine::Command enemy_last);
  void coevolve();

  OpponentModel model_;
  double opponent_share_;
  std::unique_ptr<Evaluator> evaluator_;
  Playouts playouts_;
  std::unique_ptr<PlanSearch> mine_;
  std::unique_ptr<PlanSearch> theirs_;
  std::vector<Candidate>* candidates_ = nullptr;
  engine::Player me_ = engine::Player::first;
  int tick_ = 0;  // of the last decision
};

}  // namespace forkmunk::search
