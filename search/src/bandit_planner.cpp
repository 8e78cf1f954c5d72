#include "bandit_planner.h"

#include "two_sided_planner.h"

#include <algorithm>
#include <cmath>

namespace forkmunk::search {
namespace {

using engine::Command;
using engine::Player;

constexpr int kHold = 10;
constexpr int kHorizon = 60;
constexpr double kDiscount = 0.995;
constexpr double kFadePerTick = 0.7;

}  // namespace

BanditPlanner::BanditPlanner(BanditTree::Edges edges, OpponentModel model, const PlannerOptions& options)
    : model_(options.opponent.value_or(model)),
      opponent_share_(options.opponent_share < 0 ? TwoSidedPlanner::kOpponentShare : options.opponent_share),
      hold_(options.hold > 0 ? options.hold : kHold),
      habits_(options.habits),
      random_(options.seed),
      evaluator_(make_evaluator(options.evaluator, options.weights)),
      playouts_(*evaluator_, options.habits),
      mine_(edges),
      theirs_(edges) {
  scoring_.horizon = options.horizon > 0 ? options.horizon : kHorizon;
  scoring_.discount = options.discount > 0 ? options.discount : kDiscount;
}

void BanditPlanner::begin_match(const engine::World& world, Player me) {
  evaluator_->begin_match(world.setup());
  me_ = me;
  tick_ = world.tick();
  playouts_.begin_match(world, kRepliesMax * playout_states(scoring_));
  mine_.clear();
  theirs_.clear();
  spread_ = {};
  last_ = Plan(scoring_.horizon, Command::stop);
}

Decision BanditPlanner::decide(engine::World& world, Command enemy_last, Budget& budget) {
  advance(world.tick() - tick_, enemy_last);
  playouts_.begin(world, budget);
  playouts_.watch(me_, candidates_);
  found_ = {};
  search(enemy_last);
  playouts_.end();

  // Of the commands that were tried at this tick the one that the tree trusts most.
  const Found* chosen = nullptr;
  double most = -1;
  for (const Command command : engine::kCommands) {
    const Found& found = found_[static_cast<std::size_t>(command)];
    if (!found.is_known || mine_.visits(command) <= most) continue;
    most = mine_.visits(command);
    chosen = &found;
  }
  if (chosen != nullptr) last_ = chosen->plan;
  const bool is_known = chosen != nullptr && std::isfinite(chosen->score);
  return {last_.at(0), last_, is_known ? std::optional(chosen->score) : std::nullopt, budget.ticks_used(),
          chosen != nullptr ? chosen->reply : Plan{}};
}

void BanditPlanner::advance(int ticks, Command enemy_last) {
  for (; ticks > 0; --ticks) {
    ++tick_;
    if (tick_ % hold_ == 0) {  // the first action is over
      mine_.move_root(last_.at(0), enemy_last);
      theirs_.move_root(enemy_last, last_.at(0));
    }
    last_.shift(last_.at(last_.ticks() - 1));
    mine_.fade(kFadePerTick);
    theirs_.fade(kFadePerTick);
    spread_.count *= kFadePerTick;
    spread_.sum *= kFadePerTick;
    spread_.squares *= kFadePerTick;
  }
  if (!habits_.warm_start) {
    mine_.clear();
    theirs_.clear();
  }
}

void BanditPlanner::search(Command enemy_last) {
  const auto constant = [&](Command command) { return Plan(scoring_.horizon, command); };
  const auto foresee = [&] { answer(opponent_of(me_), {{best_plan(me_)}}, opponent_share_); };
  switch (model_) {
    case OpponentModel::still: return answer(me_, {{constant(Command::stop)}}, 1);
    case OpponentModel::repeat: return answer(me_, {{constant(enemy_last)}}, 1);
    case OpponentModel::constant3:
      return answer(me_, {{constant(Command::left), constant(Command::stop), constant(Command::right)}}, 1);
    case OpponentModel::planned: foresee(); return answer(me_, {{best_plan(opponent_of(me_))}}, 1);
    case OpponentModel::guarded:
      foresee();
      return answer(me_, {{best_plan(opponent_of(me_)), constant(Command::left), constant(Command::right)}}, 1);
    case OpponentModel::coevolve:
    case OpponentModel::mixed: return search_jointly();  // bandits mix
  }
}

void BanditPlanner::search_jointly() {
  while (!playouts_.budget().spent()) {
    Plan plan(scoring_.horizon, Command::stop), reply = plan;
    mine_.begin_walk();
    theirs_.begin_walk();
    each_action([&](int from, int to) {
      const Command own = mine_.choose(random_), other = theirs_.choose(random_);
      plan.fill(from, to, own);
      reply.fill(from, to, other);
      mine_.descend(own, other);
      theirs_.descend(other, own);
    });
    if (!try_out(me_, plan, {&reply, 1}, 1)) return;
    const double reward = reward_of(trial_.score);
    mine_.learn(reward);
    theirs_.learn(1 - reward);
  }
}

// Only `side` chooses; what leads down the tree is the first of the replies.
void BanditPlanner::answer(Player side, std::span<const Plan> replies, double until) {
  BanditTree& own = tree(side);
  while (!playouts_.budget().spent(until)) {
    Plan plan(scoring_.horizon, Command::stop);
    own.begin_walk();
    each_action([&](int from, int to) {
      const Command command = own.choose(random_);
      plan.fill(from, to, command);
      own.descend(command, replies[0].at(from));
    });
    if (!try_out(side, plan, replies, until)) return;
    const double reward = reward_of(side == me_ ? trial_.score : -trial_.score);
    own.learn(side == me_ ? reward : 1 - reward);
  }
}

// Returns whether there was time for it.
bool BanditPlanner::try_out(Player side, const Plan& plan, std::span<const Plan> replies, double until) {
  scoring_.first_stride = first_ticks();
  scoring_.stride = hold_;
  playouts_.face(side, replies, scoring_);
  trial_.plan = plan;
  if (!playouts_.play(trial_, nullptr, 0, -std::numeric_limits<double>::infinity(), until)) return false;
  if (side != me_) return true;
  Found& found = found_[static_cast<std::size_t>(plan.at(0))];
  if (!found.is_known || trial_.score > found.score) {
    found = {plan, replies.size() == 1 ? replies[0] : Plan{}, trial_.score, true};
  }
  return true;
}

// What both trees hold for best.
Plan BanditPlanner::best_plan(Player side) {
  Plan plan(scoring_.horizon, Command::stop);
  mine_.begin_walk();
  theirs_.begin_walk();
  Command own = Command::stop, other = Command::stop;
  each_action([&](int from, int to) {
    own = mine_.best(own);
    other = theirs_.best(other);
    plan.fill(from, to, side == me_ ? own : other);
    mine_.descend(own, other);
    theirs_.descend(other, own);
  });
  return plan;
}

double BanditPlanner::reward_of(double score) {
  constexpr double kDeath = kWin / 4;  // more than evaluators give
  if (score > kDeath) return 0.8 + 0.2 * std::min(score / kWin, 1.0);
  if (score < -kDeath) return 0.2 - 0.2 * std::min(-score / kWin, 1.0);
  if (!std::isfinite(score)) return 0;
  spread_.count += 1;
  spread_.sum += score;
  spread_.squares += score * score;
  const double mean = spread_.sum / spread_.count;
  const double deviation = std::sqrt(std::max(spread_.squares / spread_.count - mean * mean, 0.0));
  const double z = deviation > 0 ? (score - mean) / deviation : 0;
  return 0.5 + 0.25 * z / (1 + std::abs(z));
}

int BanditPlanner::first_ticks() const noexcept { return habits_.first_remainder ? hold_ - tick_ % hold_ : hold_; }

template <typename Act>
void BanditPlanner::each_action(Act&& act) {
  for (int from = 0, to = first_ticks(); from < scoring_.horizon; from = to, to += hold_)
    act(from, std::min(to, scoring_.horizon));
}

}  // namespace forkmunk::search
