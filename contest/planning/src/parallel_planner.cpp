// SPDX-License-Identifier: MIT
#include "parallel_planner.h"

#include <forkmunk/base/random.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace forkmunk::planning {
namespace {

constexpr search::Scoring kScoring{.horizon = 40, .stride = 5, .first_stride = 5, .discount = 0.995};
// The maximum share of the budget for playing the plans against each other.
constexpr double kComparingShare = 0.1;
constexpr std::size_t kRepliesCompared = 2;
constexpr double kNone = -std::numeric_limits<double>::infinity();

}  // namespace

ParallelPlanner::ParallelPlanner(std::string_view name, const PlannerOptions& options)
    : searches_(static_cast<std::size_t>(options.threads)),
      pool_(searches_.size()),
      evaluator_(make_evaluator(options.evaluator, options.weights)),
      playouts_(*evaluator_) {
  PlannerOptions one = options;
  one.threads = 1;
  Random seeds(options.seed);
  for (int i = 0; i < options.threads; ++i) {
    searches_[static_cast<std::size_t>(i)].planner = make_planner(name, one);
    one.seed = seeds.next();
  }
}

void ParallelPlanner::begin_match(const engine::World& world, engine::Player me) {
  me_ = me;
  begun_.reset();
  evaluator_->begin_match(world.setup());
  playouts_.begin_match(world, search::playout_states(kScoring) * kRepliesCompared);
  for (Search& search : searches_) {
    search.world = world.fork();
    search.planner->begin_match(search.world, me);
  }
  begun_.emplace(world);
}

Decision ParallelPlanner::decide(engine::World& world, engine::Command enemy_last, search::Budget& budget) {
  check_match(begun_, world);
  const double comparing = static_cast<double>(searches_.size() * kRepliesCompared) * kScoring.horizon;
  const bool compares = comparing <= kComparingShare * budget.expected_ticks(ticks_per_second_);
  playouts_.begin(world, budget);
  world.save(state_);
  for (Search& search : searches_) {
    // The bytes of a Chipmunk world fit only that world.
    if (!search.world.try_restore(state_)) search.world = world.fork();
  }
  const auto search_some = [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      Search& search = searches_[i];
      search::Budget own = compares ? budget.first(1 - kComparingShare) : budget.first(1);
      search.decision = search.planner->decide(search.world, enemy_last, own);
      search.ticks = own.ticks_used();
    }
  };
  pool_.run(searches_.size(), 1, std::cref(search_some));
  constexpr std::int64_t kEnoughTicks = 100;
  if (searches_[0].ticks >= kEnoughTicks) {
    ticks_per_second_ = static_cast<double>(searches_[0].ticks) / budget.seconds();
  }

  std::array<Plan, kRepliesCompared> replies;
  std::size_t reply_count = 0;
  for (const Search& search : searches_) {
    const Plan& reply = search.decision.reply;
    const auto known = std::span(replies).first(reply_count);
    if (reply_count == kRepliesCompared || reply.ticks() == 0 || std::ranges::find(known, reply) != known.end())
      continue;
    replies[reply_count++] = reply;
  }
  // Planners with several replies have compared them already, so there is nothing to exchange.
  const std::size_t chosen =
      compares && reply_count > 0 ? best_in_worst_case(std::span(replies).first(reply_count)) : best_by_own_score();
  playouts_.end();
  for (const Search& search : searches_) budget.count(search.ticks);
  Decision decision = searches_[chosen].decision;
  decision.ticks = budget.ticks_used();
  return decision;
}

std::size_t ParallelPlanner::best_by_own_score() const noexcept {
  std::size_t best = 0;
  const auto worth = [&](std::size_t i) { return searches_[i].decision.score.value_or(kNone); };
  for (std::size_t i = 1; i < searches_.size(); ++i) {
    if (worth(i) > worth(best)) best = i;
  }
  return best;
}

std::size_t ParallelPlanner::best_in_worst_case(std::span<const Plan> replies) {
  playouts_.face(side_of(me_), replies, kScoring);
  std::size_t best = best_by_own_score();  // tried first, so that it is kept unless another one is better
  double score = kNone;
  const auto attempt = [&](std::size_t i) {
    trial_.plan = searches_[i].decision.plan;
    if (!playouts_.play(trial_, nullptr, 0, score)) return;
    best = i;
    score = trial_.score;
  };
  const std::size_t favourite = best;
  attempt(favourite);
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    if (i != favourite) attempt(i);
  }
  return best;
}

}  // namespace forkmunk::planning
