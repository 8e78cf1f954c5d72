// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/search/planner_state.h>
#include <forkmunk/search/playouts.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>

namespace forkmunk::search {

/// Improves one side's plan against given replies. Planners implement it; TwoSidedSearch does the rest.
template <typename G>
class PlanSearch {
 public:
  using Plan = BasicPlan<typename G::Command>;
  using Playouts = BasicPlayouts<G>;
  using Trial = BasicTrial<G>;

  PlanSearch() = default;
  PlanSearch(const PlanSearch&) = delete;
  PlanSearch& operator=(const PlanSearch&) = delete;
  virtual ~PlanSearch() = default;

  virtual void begin_match(int tick) = 0;
  /// Shifts best() by the `ticks` since the last improve() or begin_match().
  virtual void advance(int ticks) = 0;
  /// Searches until the share `until` of the budget is used up or the search is exhausted. May be called several times
  /// per tick.
  virtual void improve(Playouts& playouts, Side side, std::span<const Plan> replies, double until) = 0;
  /// Returns best() as the last improve() played it, or null.
  [[nodiscard]] virtual const Trial* best_trial() const noexcept { return nullptr; }
  /// Accepts the trial of the other side's search whose only reply was best(), so that the next improve() need not play
  /// best() again. Null has no effect. \pre both searches have the same options.
  virtual void reuse(const Trial* trial) noexcept { static_cast<void>(trial); }
  /// Returns the states that the search keeps at once, for each reply.
  [[nodiscard]] virtual std::size_t states_per_reply() const noexcept = 0;
  [[nodiscard]] virtual const Plan& best() const noexcept = 0;
  /// Returns the score of best() against the last replies; std::nullopt if no plan was played to its end.
  [[nodiscard]] virtual std::optional<double> score() const noexcept = 0;
  virtual void carry(PlannerState& state) = 0;
};

/// The position and the replies that plans were played against. While both are unchanged, playouts are valid.
template <typename G>
class Question {
 public:
  using Plan = BasicPlan<typename G::Command>;
  [[nodiscard]] bool changed(const BasicPlayouts<G>& playouts, std::span<const Plan> replies) noexcept {
    if (decision_ == playouts.decision() && std::ranges::equal(replies, std::span(replies_).first(count_)))
      return false;
    decision_ = playouts.decision();
    count_ = replies.size();
    std::ranges::copy(replies, replies_.begin());
    return true;
  }

 private:
  std::int64_t decision_ = -1;
  std::array<Plan, kRepliesMax> replies_;
  std::size_t count_ = 0;
};

/// A baseline: the best of going left, stopping and going right for 50 ticks. Cost: 3 * 50 ticks for each reply.
template <typename G>
class Straight final : public PlanSearch<G> {
 public:
  using Command = typename G::Command;
  using Plan = BasicPlan<Command>;
  using Playouts = BasicPlayouts<G>;
  using Trial = BasicTrial<G>;

  Straight(const SearchOptions& options, typename G::CommandSet commands) : commands_(commands) {
    scoring_.horizon = options.horizon.value_or(kHorizon);
    scoring_.discount = options.discount.value_or(kDiscount);
  }

  void begin_match(int) override { best_.plan = Plan(scoring_.horizon, CommandTraits<Command>::kNone); }
  void advance(int) override {}
  [[nodiscard]] std::size_t states_per_reply() const noexcept override { return 2 * playout_states(scoring_); }
  [[nodiscard]] const Plan& best() const noexcept override { return best_.plan; }
  [[nodiscard]] std::optional<double> score() const noexcept override {
    return known_ ? std::optional(best_.score) : std::nullopt;
  }

  void carry(PlannerState& state) override { state(best_.plan, scoring_.horizon); }

  void improve(Playouts& playouts, Side side, std::span<const Plan> replies, double until) override {
    playouts.face(side, replies, scoring_);
    double floor = -std::numeric_limits<double>::infinity();
    known_ = false;
    for (std::size_t i = 0; i <= commands_.size(); ++i) {  // the last plan's command first
      trial_.plan = Plan(scoring_.horizon, i == 0 ? best_.plan.at(0) : commands_[i - 1]);
      if (i == 0 ? playouts.play_first(trial_, until) : playouts.play(trial_, nullptr, 0, floor, until)) {
        std::swap(best_, trial_);
        floor = best_.score;
        known_ = true;
      }
    }
  }

 private:
  static constexpr int kHorizon = 50;
  static constexpr double kDiscount = 0.98;

  typename G::CommandSet commands_;
  Scoring scoring_;
  bool known_ = false;  // best_ was played against the present replies
  Trial best_;
  Trial trial_;
};

}  // namespace forkmunk::search
