// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/search/genetic.h>
#include <forkmunk/search/grid.h>
#include <forkmunk/search/plan_search.h>
#include <forkmunk/search/stretched.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

namespace forkmunk::search {

/// \throws Error for an unknown planner, or an option out of range.
[[nodiscard]] const PlannerInfo& checked_planner(std::string_view name, const SearchOptions& options);
/// \throws Error unless min <= found <= max.
void check_option(std::string_view option, double found, double min, double max);

/// Each side has its own random numbers.
template <typename G>
[[nodiscard]] std::unique_ptr<PlanSearch<G>> make_plan_search(SearchKind kind, const SearchOptions& options,
                                                              typename G::CommandSet commands, Random random) {
  switch (kind) {
    case SearchKind::straight: return std::make_unique<Straight<G>>(options, commands);
    case SearchKind::stretched: return std::make_unique<Stretched<G>>(stretched_settings(options), commands, random);
    case SearchKind::coarse: return std::make_unique<Stretched<G>>(coarse_settings(options), commands, random);
    case SearchKind::genetic: return std::make_unique<Genetic<G>>(options, commands, random);
    case SearchKind::grid: break;
  }
  return std::make_unique<Grid<G>>(options, commands);
}

/// Plans for one side or for both, as the opponent model requires: `planned` gives a share of the budget to the
/// opponent's plan, against my last plan, shifted, and the rest to my plan against the opponent's. `robust` plays mine
/// against two more replies. `coevolve` alternates between both.
template <typename G>
class TwoSidedSearch {
 public:
  using World = typename G::World;
  using Command = typename G::Command;
  using Plan = BasicPlan<Command>;

  TwoSidedSearch(const PlannerInfo& planner, const SearchOptions& options, const typename G::Scorer& scorer,
                 typename G::CommandSet commands = {});

  void begin_match(const World& world, Side me, int tick);
  /// Searches from the state of `world`, and restores it, also after an exception of the world, which is passed on.
  [[nodiscard]] BasicDecision<Command> decide(World& world, int tick, Command enemy_last, Budget& budget);
  void watch(std::vector<BasicCandidate<Command>>* candidates) { candidates_ = candidates; }
  void carry(PlannerState& state);

 private:
  // Both sides' turn under `coevolve` needs this: enough to play the best plan and some of its children against a new
  // reply.
  static constexpr double kTicksPerRound = 400;
  static constexpr double kRoundsMax = 8;
  // For `robust` (decision 14 in docs/decisions).
  static constexpr std::size_t kRobustReplies = 3;
  static constexpr int kDelay = 4;  // ticks of the last command

  /// \return the plan expected of the opponent; empty under `constant3`.
  [[nodiscard]] Plan search(Command enemy_last);
  [[nodiscard]] std::size_t constant_replies() const noexcept { return std::min(commands_.size(), kRepliesMax); }
  /// Serves `planned` and `robust`.
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
  Searched searched_;  // by decisions of this tick, and of the one before
};

template <typename G>
TwoSidedSearch<G>::TwoSidedSearch(const PlannerInfo& planner, const SearchOptions& options,
                                  const typename G::Scorer& scorer, typename G::CommandSet commands)
    : commands_(commands),
      model_(options.opponent.value_or(planner.opponent)),
      opponent_share_(options.opponent_share.value_or(planner.opponent_share)),
      playouts_(scorer),
      mine_(make_plan_search<G>(planner.kind, options, commands, Random(options.seed * 2))),
      theirs_(make_plan_search<G>(planner.kind, options, commands, Random(options.seed * 2 + 1))) {}

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
  const int passed = std::max(tick - tick_, 0);  // plans of a later tick, which was searched ahead, stay as they are
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
    case OpponentModel::still: return answer(constant(CommandTraits<Command>::kNone));
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

}  // namespace forkmunk::search
