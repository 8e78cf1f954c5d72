// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/search/plan_search.h>

#include <limits>

// The simplest planner, a baseline: the best of going left, stopping and going right for 50 ticks.
//
// Cost: 3 * 50 ticks for each reply.
namespace forkmunk::search {

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
    for (std::size_t i = 0; i <= commands_.size(); ++i) {  // the command of the last plan first
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
  bool known_ = false;  // best_ has been played against the present replies
  Trial best_;
  Trial trial_;
};

}  // namespace forkmunk::search
