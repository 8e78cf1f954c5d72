#include "two_sided_planner.h"

#include <forkmunk/base/error.h>

#include <algorithm>
#include <cmath>

namespace forkmunk::search {
namespace {

// Under `coevolve`, a turn of both sides takes at least so many ticks: enough to play the best plan and some of its
// children against a new reply.
constexpr double kTicksPerRound = 400;
constexpr double kRoundsMax = 8;

// Under `robust` (decision 14 in docs/decisions).
constexpr std::size_t kRobustReplies = 3;
constexpr int kDelay = 4;  // ticks of the last command

}  // namespace

template <typename G>
TwoSidedSearch<G>::TwoSidedSearch(MakePlanSearch<G> make, OpponentModel model, const PlannerOptions& options,
                                  const typename G::Scorer& scorer, typename G::CommandSet commands)
    : commands_(commands),
      model_(options.opponent.value_or(model)),
      opponent_share_(options.opponent_share.value_or(kOpponentShare)),
      playouts_(scorer),
      mine_(make(options, commands, Random(options.seed * 2))),
      theirs_(make(options, commands, Random(options.seed * 2 + 1))) {}

template <typename G>
void TwoSidedSearch<G>::begin_match(const World& world, Side me, int tick) {
  me_ = me;
  tick_ = tick;
  searched_ = {};
  const std::size_t replies = model_ == OpponentModel::constant3 ? constant_replies()
                              : model_ == OpponentModel::robust  ? kRobustReplies
                                                                 : 1;
  playouts_.begin_match(world, replies * mine_->states_per_reply() + theirs_->states_per_reply());
  mine_->begin_match(tick_);
  theirs_->begin_match(tick_);
}

template <typename G>
BasicDecision<typename G::Command> TwoSidedSearch<G>::decide(World& world, int tick, Command enemy_last,
                                                             Budget& budget) {
  const int passed = std::max(tick - tick_, 0);  // plans stay those of a later tick that was searched ahead
  tick_ += passed;
  if (passed > 0) searched_ = {.this_tick = 0, .tick_before = searched_.this_tick};
  mine_->advance(passed);
  theirs_->advance(passed);
  playouts_.begin(world, budget, searched_);
  playouts_.watch(me_, candidates_);
  Plan reply;
  try {
    reply = search(enemy_last);
  } catch (...) {
    playouts_.end();
    throw;
  }
  playouts_.end();
  searched_.this_tick += static_cast<double>(budget.ticks_used());
  std::optional<double> score = mine_->score();
  if (score && std::abs(*score) >= -kLeastScore / 2) score.reset();  // the plan leads to a non-finite world
  return {mine_->best().at(0), mine_->best(), score, budget.ticks_used(), reply};
}

template <typename G>
void TwoSidedSearch<G>::carry(PlannerState& state) {
  state.tick(tick_);
  state(searched_.this_tick);
  state(searched_.tick_before);
  mine_->carry(state);
  theirs_->carry(state);
}

template <typename G>
BasicPlan<typename G::Command> TwoSidedSearch<G>::search(Command enemy_last) {
  const auto constant = [](Command command) { return Plan(kPlanTicksMax, command); };
  const auto answer = [&](const Plan& reply) {
    mine_->improve(playouts_, me_, {&reply, 1}, 1.0);
    return reply;
  };
  switch (model_) {
    case OpponentModel::still: return answer(constant(kNoCommand<Command>));
    case OpponentModel::repeat: return answer(constant(enemy_last));
    case OpponentModel::planned:
    case OpponentModel::robust: return answer_to_plans(enemy_last);
    case OpponentModel::coevolve: coevolve(); return theirs_->best();
    case OpponentModel::constant3: break;
  }
  std::array<Plan, kRepliesMax> replies;
  for (std::size_t i = 0; i < constant_replies(); ++i) replies[i] = constant(commands_[i]);
  mine_->improve(playouts_, me_, std::span(replies).first(constant_replies()), 1.0);
  return {};
}

template <typename G>
BasicPlan<typename G::Command> TwoSidedSearch<G>::answer_to_plans(Command enemy_last) {
  const Plan before = theirs_->best();
  theirs_->improve(playouts_, opponent_of(me_), {{mine_->best()}}, opponent_share_);
  const Plan expected = theirs_->best();
  std::array<Plan, kRobustReplies> replies{expected};
  std::size_t count = 1;
  if (model_ == OpponentModel::robust && !playouts_.has_small_budget()) {
    Plan late = expected;
    late.fill(0, kDelay, enemy_last);
    for (const Plan& other : {late, before}) {
      const auto known = std::span(replies).first(count);
      if (std::ranges::find(known, other) == known.end()) replies[count++] = other;
    }
  }
  if (count == 1) mine_->reuse(theirs_->best_trial());
  mine_->improve(playouts_, me_, std::span(replies).first(count), 1.0);
  return expected;
}

template <typename G>
void TwoSidedSearch<G>::coevolve() {
  const double rounds = std::clamp(std::floor(playouts_.expected_ticks() / kTicksPerRound), 1.0, kRoundsMax);
  for (double round = 0; round < rounds; ++round) {
    theirs_->improve(playouts_, opponent_of(me_), {{mine_->best()}}, (round + opponent_share_) / rounds);
    mine_->improve(playouts_, me_, {{theirs_->best()}}, (round + 1) / rounds);
  }
}

void check_match(const std::optional<BegunMatch>& begun, const engine::World& world) {
  if (!begun) return;
  if (begun->setup != world.setup()) {
    throw Error("Planner::decide(): the world is of another match's setup than the one begun; call begin_match()");
  }
  if (begun->is_flat != (world.physics() == engine::Physics::flat)) {
    throw Error("Planner::decide(): the world is of another engine than the match's; call begin_match()");
  }
}

template class TwoSidedSearch<Contest>;
template class TwoSidedSearch<AnyGame>;

}  // namespace forkmunk::search
