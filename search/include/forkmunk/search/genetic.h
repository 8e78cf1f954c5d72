// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/search/plan_search.h>

#include <algorithm>
#include <limits>

// A segment genetic algorithm over plans with one command per tick, by the contest's third place.
//
// A population of 5 plans of 40 commands. Random plans consist of runs: a command is redrawn with probability 0.1 per
// tick. A generation is one mutation of the best plan, and then children of two different parents, each of which is the
// better of two drawn plans: one-point crossover and, with probability 0.3, a mutation, which overwrites a random slice
// with one command. A child replaces the worst plan if it is better. The last tick's best plan, shifted, survives with
// a bonus of 0.5 %. A plan of one command replaces the worst every tick.
//
// Every tick of a playout is scored. Death counts for every remaining tick, so that dying later is better.
namespace forkmunk::search {

template <typename G>
class Genetic final : public PlanSearch<G> {
 public:
  using Command = typename G::Command;
  using Plan = BasicPlan<Command>;
  using Playouts = BasicPlayouts<G>;
  using Trial = BasicTrial<G>;

  Genetic(const SearchOptions& options, typename G::CommandSet commands, Random random)
      : commands_(commands), random_(random) {
    scoring_ = {.horizon = options.horizon.value_or(kHorizon),
                .every_tick = true,
                .discount = options.discount.value_or(1.0),
                .death_lasts = true};
  }

  void begin_match(int tick) override {
    tick_ = tick;
    for (Trial& one : population_) one.plan = random_plan();
    best_ = 0;
  }

  void advance(int ticks) override {
    tick_ += ticks;
    for (Trial& one : population_) {
      for (int i = 0; i < ticks; ++i) {
        one.plan.shift(random_.below(100) < kPercentNewCommand ? drawn(random_, commands_)
                                                               : one.plan.at(one.plan.ticks() - 1));
      }
    }
    if (ticks > 0) inject();
  }

  [[nodiscard]] std::size_t states_per_reply() const noexcept override {
    return (kPopulation + kBatchMax) * playout_states(scoring_);
  }
  [[nodiscard]] const Plan& best() const noexcept override { return population_[best_].plan; }
  [[nodiscard]] std::optional<double> score() const noexcept override {
    return scored_ > 0 ? std::optional(population_[best_].score) : std::nullopt;
  }

  void carry(PlannerState& state) override {
    state(random_);
    state.tick(tick_);
    for (Trial& one : population_) {
      state(one.plan, horizon());
      state(one.score);
    }
    state.index(best_);
    state(bonus_);
    if (best_ >= kPopulation) throw Error("a planner's state: the best plan is not one of the population");
  }

  void improve(Playouts& playouts, Side side, std::span<const Plan> replies, double until) override {
    playouts.face(side, replies, scoring_);
    if (question_.changed(playouts, replies)) {
      // The survivor is scored first, so that it has a score under every budget.
      std::swap(population_[0], population_[best_]);
      best_ = 0;
      scored_ = 0;
      children_made_ = 0;
    }
    while (scored_ < kPopulation) {
      Trial& one = population_[scored_];
      if (!(scored_ == 0 ? playouts.play_first(one, until) : playouts.play(one, nullptr, 0, kNone, until))) return;
      if (scored_ == 0) bonus_ = kSurvivorBonus * std::abs(one.score);
      ++scored_;
      choose_best();
    }
    playouts.play_batch(
        children_, until,
        [&](Trial& child) {
          return children_made_++ % kChildrenPerGeneration == 0 ? child_of_best(child) : child_of_two(child);
        },
        [&] { return population_[worst()].score; }, [&](Trial& child) { replace_worst(child); });
  }

 private:
  static constexpr std::size_t kPopulation = 5;
  static constexpr int kHorizon = 40;
  static constexpr std::uint32_t kPercentNewCommand = 10;
  static constexpr std::uint32_t kPercentMutation = 30;
  static constexpr int kChildrenPerGeneration = static_cast<int>(kPopulation);
  static constexpr double kSurvivorBonus = 0.005;
  static constexpr double kNone = -std::numeric_limits<double>::infinity();

  [[nodiscard]] int horizon() const noexcept { return scoring_.horizon; }
  [[nodiscard]] int random_tick() noexcept {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(horizon())));
  }

  Plan random_plan() {
    Plan plan(horizon(), drawn(random_, commands_));
    for (int tick = 1; tick < horizon(); ++tick) {
      plan.set(tick, random_.below(100) < kPercentNewCommand ? drawn(random_, commands_) : plan.at(tick - 1));
    }
    return plan;
  }

  // Replaces the worst plan, e.g. by all-left or all-right.
  void inject() {
    const auto worst = std::ranges::min_element(population_, {}, &Trial::score);
    const auto index = static_cast<std::size_t>(worst - population_.begin());
    const std::size_t slot = index == best_ ? (best_ + 1) % kPopulation : index;
    population_[slot].plan = Plan(horizon(), commands_.held(tick_));
  }

  int mutate(Plan& plan) {
    const int a = random_tick();
    const int b = random_tick();
    plan.fill(std::min(a, b), std::max(a, b) + 1, drawn(random_, commands_));
    return std::min(a, b);
  }

  // The survivor stays the best unless another plan is clearly better.
  void choose_best() {
    const auto worth = [&](std::size_t i) { return population_[i].score + (i == 0 ? bonus_ : 0.0); };
    for (std::size_t i = 0; i < scored_; ++i) {
      if (worth(i) > worth(best_)) best_ = i;
    }
  }

  // Returns the worst plan other than the best.
  [[nodiscard]] std::size_t worst() const noexcept {
    std::size_t worst = best_ == 0 ? 1 : 0;
    for (std::size_t i = 0; i < scored_; ++i) {
      if (i != best_ && population_[i].score < population_[worst].score) worst = i;
    }
    return worst;
  }

  void replace_worst(Trial& child) {
    const std::size_t slot = worst();
    std::swap(population_[slot], child);
    if (slot == 0) bonus_ = 0;  // the survivor is gone
    choose_best();
  }

  typename Playouts::Start child_of_best(Trial& child) {
    child.plan = best();
    return {&population_[best_], mutate(child.plan)};
  }

  typename Playouts::Start child_of_two(Trial& child) {
    const std::size_t first = tournament(kPopulation);
    const std::size_t second = tournament(first);
    int changed = random_tick();
    child.plan = population_[first].plan;
    for (int tick = changed; tick < horizon(); ++tick) child.plan.set(tick, population_[second].plan.at(tick));
    if (random_.below(100) < kPercentMutation) changed = std::min(changed, mutate(child.plan));
    return {&population_[first], changed};
  }

  // Returns the better of two drawn plans other than `except`.
  std::size_t tournament(std::size_t except) {
    const auto draw = [&] {
      std::size_t i = 0;
      do i = random_.below(kPopulation);
      while (i == except);
      return i;
    };
    const std::size_t a = draw();
    const std::size_t b = draw();
    return population_[a].score >= population_[b].score ? a : b;
  }

  typename G::CommandSet commands_;
  Scoring scoring_;
  Question<G> question_;
  Random random_;
  int tick_ = 0;
  std::array<Trial, kPopulation> population_;
  std::array<Trial, kBatchMax> children_;
  int children_made_ = 0;  // for the present position and replies
  std::size_t best_ = 0;
  std::size_t scored_ = 0;  // plans with a score against the present replies
  double bonus_ = 0;        // of plan 0
};

}  // namespace forkmunk::search
