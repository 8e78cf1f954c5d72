#include "two_sided_planner.h"

namespace forkmunk::search {
namespace {

using engine::Command;

// Turns of each side under `coevolve`.
constexpr int kRounds = 4;

}  // namespace

TwoSidedPlanner::TwoSidedPlanner(MakePlanSearch make, OpponentModel model, const PlannerOptions& options)
    : model_(options.opponent.value_or(model)),
      opponent_share_(options.opponent_share < 0 ? kOpponentShare : options.opponent_share),
      evaluator_(make_evaluator(options.evaluator, options.weights)),
      playouts_(*evaluator_, options.habits),
      mine_(make(options, engine::Random(options.seed * 2))),
      theirs_(make(options, engine::Random(options.seed * 2 + 1))) {}

void TwoSidedPlanner::begin_match(const engine::World& world, engine::Player me) {
  evaluator_->begin_match(world.setup());
  me_ = me;
  tick_ = world.tick();
  mine_->begin_match(tick_);
  theirs_->begin_match(tick_);
}

Decision TwoSidedPlanner::decide(engine::World& world, Command enemy_last, Budget& budget) {
  const int passed = world.tick() - tick_;
  tick_ = world.tick();
  mine_->advance(passed);
  theirs_->advance(passed);
  playouts_.begin(world, budget);
  search(enemy_last);
  playouts_.end();
  return {mine_->best().at(0), mine_->best(), mine_->score(), budget.ticks_used()};
}

void TwoSidedPlanner::search(Command enemy_last) {
  const engine::Player enemy = opponent_of(me_);
  const auto constant = [](Command command) { return Plan(kPlanTicksMax, command); };
  const auto answer = [&](std::initializer_list<Plan> replies, double until = 1.0) {
    mine_->improve(playouts_, me_, replies, until);
  };
  const auto foresee = [&](double until) { theirs_->improve(playouts_, enemy, {{mine_->best()}}, until); };

  switch (model_) {
    case OpponentModel::still: return answer({constant(Command::stop)});
    case OpponentModel::repeat: return answer({constant(enemy_last)});
    case OpponentModel::constant3:
      return answer({constant(Command::left), constant(Command::stop), constant(Command::right)});
    case OpponentModel::planned: foresee(opponent_share_); return answer({theirs_->best()});
    case OpponentModel::guarded:
      foresee(opponent_share_);
      return answer({theirs_->best(), constant(Command::left), constant(Command::right)});
    case OpponentModel::coevolve:
      for (int round = 0; round < kRounds; ++round) {
        foresee((round + opponent_share_) / kRounds);
        answer({theirs_->best()}, (round + 1.0) / kRounds);
      }
      return;
  }
}

}  // namespace forkmunk::search
