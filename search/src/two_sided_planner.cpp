#include "two_sided_planner.h"

#include "regret_matching.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace forkmunk::search {
namespace {

using engine::Command;

// Under `coevolve`, a turn of both sides takes at least so many ticks: a new reply has to be met by the best plan, and
// by some of its children.
constexpr double kTicksPerRound = 400;
constexpr double kRoundsMax = 8;

// Under `mixed`: how the plans are played against each other, with what part of the budget at most.
constexpr Scoring kMatrixScoring{.horizon = 60, .stride = 5, .first_stride = 5, .discount = 0.995};
constexpr double kMatrixShare = 0.25;
constexpr double kMatrixPlansMax = 3;
constexpr int kMatrixTurns = 500;
static_assert(kMatrixPlansMax <= kMatrixSizeMax);

}  // namespace

TwoSidedPlanner::TwoSidedPlanner(MakePlanSearch make, OpponentModel model, const PlannerOptions& options)
    : model_(options.opponent.value_or(model)),
      opponent_share_(options.opponent_share < 0 ? kOpponentShare : options.opponent_share),
      evaluator_(make_evaluator(options.evaluator, options.weights)),
      playouts_(*evaluator_, options.habits),
      mine_(make(options, Random(options.seed * 2))),
      theirs_(make(options, Random(options.seed * 2 + 1))) {}

void TwoSidedPlanner::begin_match(const engine::World& world, engine::Player me) {
  evaluator_->begin_match(world.setup());
  me_ = me;
  tick_ = world.tick();
  const std::size_t replies = model_ == OpponentModel::constant3 || model_ == OpponentModel::guarded ? 3 : 1;
  const std::size_t matrix = model_ == OpponentModel::mixed ? playout_states(kMatrixScoring) : 0;
  playouts_.begin_match(world, replies * mine_->states_per_reply() + theirs_->states_per_reply() + matrix);
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
  mixed_score_.reset();
  search(enemy_last);
  playouts_.end();
  std::optional<double> score = mixed_score_ ? mixed_score_ : mine_->score();
  if (score && !std::isfinite(*score)) score.reset();  // the plan leads out of the finite numbers
  return {mine_->best().at(0), mine_->best(), score, budget.ticks_used(), expected_reply(enemy_last)};
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
    case OpponentModel::coevolve: return coevolve();
    case OpponentModel::mixed: return mix();
  }
}

Plan TwoSidedPlanner::expected_reply(Command enemy_last) const {
  switch (model_) {
    case OpponentModel::still: return {kPlanTicksMax, Command::stop};
    case OpponentModel::repeat: return {kPlanTicksMax, enemy_last};
    case OpponentModel::planned:
    case OpponentModel::guarded:
    case OpponentModel::coevolve:
    case OpponentModel::mixed: return theirs_->best();
    case OpponentModel::constant3: break;
  }
  return {};
}

void TwoSidedPlanner::coevolve() {
  const double rounds = std::clamp(std::floor(playouts_.expected_ticks() / kTicksPerRound), 1.0, kRoundsMax);
  for (double round = 0; round < rounds; ++round) {
    theirs_->improve(playouts_, opponent_of(me_), {{mine_->best()}}, (round + opponent_share_) / rounds);
    mine_->improve(playouts_, me_, {{theirs_->best()}}, (round + 1) / rounds);
  }
}

void TwoSidedPlanner::mix() {
  const double expected = playouts_.expected_ticks();
  Scoring scoring = kMatrixScoring;
  scoring.horizon = std::min(scoring.horizon, mine_->best().ticks());
  const double affordable = std::sqrt(kMatrixShare * expected / scoring.horizon);
  const auto count = static_cast<std::size_t>(std::clamp(std::floor(affordable), 1.0, kMatrixPlansMax));
  const auto n = static_cast<double>(count);
  // Each search may take a few ticks too many.
  const double searching = count == 1 ? 1 : 1 - (n * n * scoring.horizon + 2 * n * kTicksBetweenLooks) / expected;

  std::array<Plan, kMatrixSizeMax> mine, theirs;
  for (std::size_t i = 0; i < count; ++i) {
    const double round = searching / n, begin = static_cast<double>(i) * round;
    theirs_->improve(playouts_, opponent_of(me_), {{mine_->best()}}, begin + opponent_share_ * round);
    theirs[i] = theirs_->best();
    mine_->improve(playouts_, me_, {{theirs[i]}}, begin + round);
    mine[i] = mine_->best();
  }
  if (count == 1) return;

  MatrixGame game{count, count};
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < count; ++c) {
      playouts_.face(me_, {&theirs[c], 1}, scoring);
      trial_.plan = mine[r];
      if (!playouts_.play(trial_, nullptr, 0, -std::numeric_limits<double>::infinity())) return;
      if (!std::isfinite(trial_.score)) return;
      game.payoff[r][c] = trial_.score;
    }
  }
  const Mixture mixture = match_regrets(game, kMatrixTurns);
  const auto largest = [&](const auto& parts) {  // of equal ones the last, whose search went on longest
    std::size_t found = 0;
    for (std::size_t i = 1; i < count; ++i) found = parts[i] >= parts[found] ? i : found;
    return found;
  };
  const std::size_t row = largest(mixture.rows), column = largest(mixture.columns);
  mine_->adopt(mine[row]);
  theirs_->adopt(theirs[column]);
  mixed_score_ = game.payoff[row][column];
}

}  // namespace forkmunk::search
