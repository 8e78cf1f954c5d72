// SPDX-License-Identifier: MIT
#include "contest.h"

#include <forkmunk/base/error.h>
#include <forkmunk/base/random.h>
#include <forkmunk/base/thread_pool.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace forkmunk::planning {
namespace {

constexpr int kPlannerThreadsMax = 64;
constexpr search::Scoring kScoring{.horizon = 40, .stride = 5, .first_stride = 5, .discount = 0.995};
// The maximum share of the budget for playing the plans against each other.
constexpr double kComparingShare = 0.1;
constexpr std::size_t kRepliesCompared = 2;
constexpr double kNone = -std::numeric_limits<double>::infinity();

/// Several planners of one kind that search in parallel, each with its own random numbers (root parallelisation,
/// Cazenave and Jouandeau 2007). Every plan is then played against two predicted plans of the opponent. The best worst
/// case is chosen, or with too small a budget the best own score.
class ParallelPlanner final : public Planner {
 public:
  /// \pre options.threads is 2 to kPlannerThreadsMax. \throws as make_planner() does.
  ParallelPlanner(std::string_view name, const PlannerOptions& options);

  void begin_match(const engine::World& world, engine::Player me) override;
  [[nodiscard]] Decision decide(engine::World& world, engine::Command enemy_last, search::Budget& budget) override;
  /// Watches only the first planner.
  void watch(std::vector<Candidate>* candidates) override { searches_[0].planner->watch(candidates); }
  void carry(search::PlannerState& state) override {
    for (Search& search : searches_) search.planner->carry(state);
  }

 private:
  struct Search {
    std::unique_ptr<Planner> planner;
    engine::World world;
    Decision decision;
    std::int64_t ticks = 0;
  };
  [[nodiscard]] std::size_t best_by_own_score() const noexcept;
  [[nodiscard]] std::size_t best_in_worst_case(std::span<const Plan> replies);

  std::vector<Search> searches_;
  ThreadPool pool_;
  engine::Snapshot state_;
  std::unique_ptr<Evaluator> evaluator_;
  search::BasicPlayouts<Contest> playouts_;
  search::BasicTrial<Contest> trial_;
  double ticks_per_second_ = 100'000;  // an estimate for one search
  std::optional<BegunMatch> begun_;
  engine::Player me_ = engine::Player::first;
};

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
  // Planners with several replies have compared them already.
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
  std::size_t best = best_by_own_score();  // kept unless another one is better
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

class TwoSidedPlanner final : public Planner {
 public:
  TwoSidedPlanner(const search::PlannerInfo& planner, const PlannerOptions& options)
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
  const search::PlannerInfo& planner = search::checked_planner(name, options);
  search::check_option("threads", options.threads, 1, kPlannerThreadsMax);
  if (options.threads > 1) return std::make_unique<ParallelPlanner>(name, options);
  return std::make_unique<TwoSidedPlanner>(planner, options);
}

}  // namespace forkmunk::planning
