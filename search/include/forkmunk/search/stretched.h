// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/search/plan_search.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Stretched-action Monte Carlo: hill climbing over plans whose actions are held for some ticks, so that mutations have
// an effect, by the contest's fourth place.
//
// A plan has 8 actions of 5 ticks, or 6 if the budget is small. Children of the best plan replace a few of its actions,
// early children more; a child that scores higher becomes the best plan. If the budget is not small, some children
// replace a slice of up to 15 ticks anywhere. The ticks at which actions change are fixed in the match's time: every
// tick the plan shifts by one, and the first action is held for its remaining ticks. `coarse` plans with actions of 8
// ticks first, then of 4, then of 2.
namespace forkmunk::search {

struct StretchedStage {
  int hold;      // ticks of an action
  double until;  // as a share of the search's budget
};

struct StretchedSettings {
  std::vector<StretchedStage> stages;
  int stride;  // ticks between saved and scored states; divides every hold, or is a multiple of it
  int horizon = 60;
  double discount = 0.995;
  bool shorter = false;  // a shorter horizon if the budget is small
  bool slices = false;   // unless the budget is small
};

[[nodiscard]] StretchedSettings stretched_settings(const SearchOptions& options);
[[nodiscard]] StretchedSettings coarse_settings(const SearchOptions& options);

/// The last plans of a search. It may forget a plan, and takes none for another, up to equal hashes of 64 bits.
template <typename Command>
class TriedPlans {
 public:
  void clear() noexcept { hashes_.fill(0); }
  /// Adds the first `ticks` commands of a plan. Returns false if they are there already.
  bool add(const BasicPlan<Command>& plan, int ticks) noexcept {
    std::uint64_t hash = kFactor;
    for (int tick = 0; tick < ticks; ++tick) {
      hash = (hash ^ static_cast<std::uint64_t>(plan.at(tick))) * kFactor;
      hash ^= hash >> 32;
    }
    std::uint64_t& known = hashes_[hash % hashes_.size()];
    return std::exchange(known, hash) != hash;
  }

 private:
  static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;  // 2^64 by the golden ratio, for Fibonacci hashing
  std::array<std::uint64_t, 1024> hashes_{};
};

template <typename G>
class Stretched final : public PlanSearch<G> {
 public:
  using Command = typename G::Command;
  using Plan = BasicPlan<Command>;
  using Playouts = BasicPlayouts<G>;
  using Trial = BasicTrial<G>;

  Stretched(StretchedSettings settings, typename G::CommandSet commands, Random random)
      : commands_(commands),
        settings_(std::move(settings)),
        scoring_{.horizon = settings_.horizon, .stride = settings_.stride, .discount = settings_.discount},
        random_(random) {}

  void begin_match(int tick) override {
    tick_ = tick;
    randomise();
  }

  void advance(int ticks) override {
    const int longest = settings_.stages.front().hold;
    for (; ticks > 0; --ticks) {
      ++tick_;
      // Actions begin at the same ticks as in the last plan.
      const bool fresh = (tick_ + settings_.horizon - 1) % longest == 0;
      best_.plan.shift(fresh ? drawn(random_, commands_) : best_.plan.at(best_.plan.ticks() - 1));
    }
  }

  [[nodiscard]] const Trial* best_trial() const noexcept override { return known_ ? &best_ : nullptr; }
  void reuse(const Trial* trial) noexcept override { mirrored_ = trial; }
  [[nodiscard]] std::size_t states_per_reply() const noexcept override {
    return (1 + kBatchMax) * playout_states(scoring_);
  }
  [[nodiscard]] const Plan& best() const noexcept override { return best_.plan; }
  [[nodiscard]] std::optional<double> score() const noexcept override {
    return known_ ? std::optional(best_.score) : std::nullopt;
  }

  void carry(PlannerState& state) override {
    state(random_);
    state.tick(tick_);
    state(best_.plan, settings_.horizon);
  }

  void improve(Playouts& playouts, Side side, std::span<const Plan> replies, double until) override {
    const double from = playouts.budget().used();
    scoring_.first_stride = remainder(scoring_.stride);
    // A short search must not undo the plan of a long search of the same tick.
    const bool is_small = playouts.has_small_budget();
    if (settings_.shorter) scoring_.horizon = is_small ? kShortHorizon : settings_.horizon;
    const bool has_slices = settings_.slices && !is_small;
    playouts.face(side, replies, scoring_);
    if (question_.changed(playouts, replies)) known_ = false;
    if (!known_ && mirrored_ != nullptr) known_ = playouts.play_mirrored(best_, *mirrored_);
    mirrored_ = nullptr;
    known_ = known_ || playouts.play_first(best_, until);
    if (!known_) return;

    tried_.clear();
    tried_.add(best_.plan, scoring_.horizon);
    double begin = from;
    for (const StretchedStage& stage : settings_.stages) {
      const double end = from + (until - from) * stage.until;
      const auto next = [&](Trial& child) {
        const double part = std::min((playouts.budget().used() - begin) / (end - begin), 1.0);
        const auto mutation = std::ranges::find_if(kMutations, [&](const Mutation& m) { return part <= m.until; });
        // A plan that was played before is no better than best_.
        for (int draw = 1;; ++draw) {
          child.plan = best_.plan;
          const bool is_slice = has_slices && random_.below(100) < kPercentSlices;
          const int changed = is_slice ? replace_slice(child.plan) : mutate(child.plan, stage.hold, mutation->actions);
          if (tried_.add(child.plan, scoring_.horizon) || draw == kDrawsMax) {
            return typename Playouts::Start{&best_, changed};
          }
        }
      };
      playouts.play_batch(
          children_, end, next, [&] { return best_.score; }, [&](Trial& child) { std::swap(best_, child); });
      begin = end;
    }
  }

 private:
  // With a small budget.
  static constexpr int kShortHorizon = 30;
  // With many ticks it pays to change commands at any tick.
  static constexpr std::uint64_t kPercentSlices = 30;
  static constexpr std::uint64_t kSliceTicksMax = 15;
  static constexpr int kDrawsMax = 8;

  // Children replace this number of actions, up to `until` of a stage.
  struct Mutation {
    double until;
    int actions;
  };
  static constexpr std::array kMutations{Mutation{0.2, 3}, Mutation{0.6, 2}, Mutation{1.0, 1}};

  // Returns the ticks to the next multiple of `hold` in the match's time.
  [[nodiscard]] int remainder(int hold) const noexcept { return hold - tick_ % hold; }

  void randomise() {
    best_.plan = Plan(settings_.horizon, CommandTraits<Command>::kNone);
    const int hold = settings_.stages.front().hold;
    int from = 0;
    for (int to = remainder(hold); from < settings_.horizon; from = to, to += hold) {
      best_.plan.fill(from, to, drawn(random_, commands_));
    }
  }

  // Returns the first different tick.
  int mutate(Plan& plan, int hold, int actions) {
    const int first = remainder(hold);
    const int count = 1 + (scoring_.horizon - first + hold - 1) / hold;
    int changed = plan.ticks();
    for (int i = 0; i < actions; ++i) {
      const int action = static_cast<int>(random_.below(static_cast<std::uint64_t>(count)));
      const int from = action == 0 ? 0 : first + (action - 1) * hold;
      plan.fill(from, first + action * hold, another(plan.at(from)));
      changed = std::min(changed, from);
    }
    return changed;
  }

  // The slice need not match actions. Returns its first tick.
  int replace_slice(Plan& plan) {
    const auto from = static_cast<int>(random_.below(static_cast<std::uint64_t>(scoring_.horizon)));
    const int ticks = 1 + static_cast<int>(random_.below(kSliceTicksMax));
    plan.fill(from, std::min(from + ticks, scoring_.horizon), another(plan.at(from)));
    return from;
  }

  [[nodiscard]] Command another(Command command) {
    return commands_[(static_cast<std::size_t>(command) + 1 + random_.below(commands_.size() - 1)) % commands_.size()];
  }

  typename G::CommandSet commands_;
  StretchedSettings settings_;
  Scoring scoring_;
  Random random_;
  int tick_ = 0;  // at which best_ begins
  Question<G> question_;
  TriedPlans<Command> tried_;
  Trial best_;
  bool known_ = false;               // best_ was played against the present replies
  const Trial* mirrored_ = nullptr;  // best_ as a trial of the other side
  std::array<Trial, kBatchMax> children_;
};

}  // namespace forkmunk::search
