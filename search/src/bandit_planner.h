#pragma once

#include "bandit_tree.h"
#include "playouts.h"

#include <forkmunk/search/planner.h>

#include <memory>

namespace forkmunk::search {

/// A planner with a bandit tree for each side, over actions that are held for some ticks.
///
/// Idea: in a playout both sides choose by their own trees, without seeing what the other one chooses, to the horizon;
/// how it goes is my tree's reward, and what is left to 1 is the other's. With edges of both sides' actions that is
/// decoupled UCT (the simultaneous-move form of Kocsis and Szepesvari 2006; best of nine in Tak, Lanctot, Winands
/// 2014), with edges of its own actions it is Smitsimax. Trees are carried over from tick to tick and fade. That is the
/// model `coevolve`; under any other the opponent's plan is given, or found first by its own tree, and only my tree
/// chooses.
///
/// Symbols: h ticks an action, which begin at multiples of h in the match's time; horizon 60. A score S (playouts.h) is
/// the reward
///   1/2 + z / (4 (1 + |z|)),   z = (S - mean) / deviation of the scores without a death
///   0.8 + 0.2 |S| / kWin after a win, 0.2 - 0.2 |S| / kWin after a death.
/// Cost: a horizon's ticks for each playout.
class BanditPlanner final : public Planner {
 public:
  BanditPlanner(BanditTree::Edges edges, OpponentModel model, const PlannerOptions& options);

  void begin_match(const engine::World& world, engine::Player me) override;
  [[nodiscard]] Decision decide(engine::World& world, engine::Command enemy_last, Budget& budget) override;
  void watch(std::vector<Candidate>* candidates) override { candidates_ = candidates; }

 private:
  // The best playout of a decision that begins with some command.
  struct Found {
    Plan plan, reply;
    double score = 0;
    bool is_known = false;
  };
  // Scores without a death, faded.
  struct Spread {
    double count = 0, sum = 0, squares = 0;
  };

  void advance(int ticks, engine::Command enemy_last);
  void search(engine::Command enemy_last);
  void search_jointly();
  void answer(engine::Player side, std::span<const Plan> replies, double until);
  [[nodiscard]] bool try_out(engine::Player side, const Plan& plan, std::span<const Plan> replies, double until);
  [[nodiscard]] Plan best_plan(engine::Player side);
  [[nodiscard]] double reward_of(double score);
  [[nodiscard]] int first_ticks() const noexcept;
  template <typename Act>
  void each_action(Act&& act);
  [[nodiscard]] BanditTree& tree(engine::Player side) noexcept { return side == me_ ? mine_ : theirs_; }

  OpponentModel model_;
  double opponent_share_;
  int hold_;
  Scoring scoring_;
  Habits habits_;
  Random random_;
  std::unique_ptr<Evaluator> evaluator_;
  Playouts playouts_;
  BanditTree mine_, theirs_;
  Trial trial_;
  std::array<Found, 3> found_;  // by the command that it begins with
  Spread spread_;
  Plan last_;  // decision, moved on
  std::vector<Candidate>* candidates_ = nullptr;
  engine::Player me_ = engine::Player::first;
  int tick_ = 0;
};

}  // namespace forkmunk::search
