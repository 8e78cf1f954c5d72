#include "two_sided_planner.h"

#include <algorithm>
#include <cmath>

namespace forkmunk::search {
namespace {

using engine::Command;

// Under `coevolve`, a turn of both sides takes at least so many ticks: enough to play the best plan and some of its
// children against a new reply.
constexpr double kTicksPerRound = 400;
constexpr double kRoundsMax = 8;

}  // namespace

TwoSidedPlanner::TwoSidedPlanner(MakePlanSearch make, OpponentModel model, const PlannerOptions& options)
    : model_(options.opponent.value_or(model)),
      opponent_share_(options.opponent_share.value_or(kOpponentShare)),
      evaluator_(make_evaluator(options.evaluator, options.weights)),
      playouts_(*evaluator_),
      mine_(make(options, Random(options.seed * 2))),
      theirs_(make(options, Random(options.seed * 2 + 1))) {}

void TwoSidedPlanner::begin_match(const engine::World& world, engine::Player me) {
  evaluator_->begin_match(world.setup());
  me_ = me;
  tick_ = world.tick();
  const std::size_t replies = model_ == OpponentModel::constant3 ? 3 : 1;
  playouts_.begin_match(world, replies * mine_->states_per_reply() + theirs_->states_per_reply());
  mine_->begin_match(tick_);
  theirs_->begin_match(tick_);
}

Decision TwoSidedPlanner::decide(engine::World& world, Command enemy_last, Budget& budget) {
  const int passed = world.tick() - tick_;
  tick_ = world.tick();
  mine_->advance(passed);
  theirs_->advance(passed);
  playouts_.begin(world, budget);
  playouts_.watch(me_, candidates_);
  const Plan reply = search(enemy_last);
  playouts_.end();
  std::optional<double> score = mine_->score();
  if (score && !std::isfinite(*score)) score.reset();  // the plan leads to a non-finite world
  return {mine_->best().at(0), mine_->best(), score, budget.ticks_used(), reply};
}

void TwoSidedPlanner::carry(PlannerState& state) {
  state.tick(tick_);
  mine_->carry(state);
  theirs_->carry(state);
}

Plan TwoSidedPlanner::search(Command enemy_last) {
  const auto constant = [](Command command) { return Plan(kPlanTicksMax, command); };
  const auto answer = [&](const Plan& reply) {
    mine_->improve(playouts_, me_, {&reply, 1}, 1.0);
    return reply;
  };
  switch (model_) {
    case OpponentModel::still: return answer(constant(Command::stop));
    case OpponentModel::repeat: return answer(constant(enemy_last));
    case OpponentModel::planned:
      theirs_->improve(playouts_, opponent_of(me_), {{mine_->best()}}, opponent_share_);
      mine_->reuse(theirs_->best_trial());
      return answer(theirs_->best());
    case OpponentModel::coevolve: coevolve(); return theirs_->best();
    case OpponentModel::constant3: break;
  }
  const std::array replies{constant(Command::left), constant(Command::stop), constant(Command::right)};
  mine_->improve(playouts_, me_, replies, 1.0);
  return {};
}

void TwoSidedPlanner::coevolve() {
  const double rounds = std::clamp(std::floor(playouts_.expected_ticks() / kTicksPerRound), 1.0, kRoundsMax);
  for (double round = 0; round < rounds; ++round) {
    theirs_->improve(playouts_, opponent_of(me_), {{mine_->best()}}, (round + opponent_share_) / rounds);
    mine_->improve(playouts_, me_, {{theirs_->best()}}, (round + 1) / rounds);
  }
}

}  // namespace forkmunk::search
