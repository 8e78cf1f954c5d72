// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/search/plan_search.h>

#include <algorithm>
#include <limits>
#include <optional>

// 3x3 branching: two own moves, each of three directions, against every reply, by the contest's first place.
//
// Each of 3 commands for x ticks, then each of 3 for y ticks, gives 9 leaves. A leaf's score is its worst over the
// replies. Pairs (x, y) alternate from tick to tick, with the same x + y, because shorter trees seem safer. The
// baseline is the last tick's best line, shifted, with all variants of its last two ticks. A leaf that is no better
// than the best so far is pruned. A first move whose three leaves are pruned is not played again.
//
// Cost, with R replies: at most (3 x + 9 y) R ticks, with pruning about (3 x + 9 y); the baseline takes about (x + y)
// R. The pairs are shares of the longest horizon that the budget allows.
namespace forkmunk::search {

template <typename G>
class Grid final : public PlanSearch<G> {
 public:
  using Command = typename G::Command;
  using Plan = BasicPlan<Command>;
  using Playouts = BasicPlayouts<G>;
  using Trial = BasicTrial<G>;

  Grid(const SearchOptions& options, typename G::CommandSet commands)
      : commands_(commands), fixed_horizon_(options.horizon), best_plan_(kPlanTicksMax, CommandTraits<Command>::kNone) {
    scoring_.discount = options.discount.value_or(kDiscount);
    scoring_.only_last = true;
  }

  void begin_match(int) override {
    best_plan_ = Plan(kPlanTicksMax, CommandTraits<Command>::kNone);
    turn_ = 0;
  }

  void advance(int ticks) override {
    for (int i = 0; i < ticks; ++i) best_plan_.shift(best_plan_.at(kPlanTicksMax - 1));
  }

  [[nodiscard]] std::size_t states_per_reply() const noexcept override { return 2 * playout_states(scoring_); }
  [[nodiscard]] const Plan& best() const noexcept override { return best_plan_; }
  [[nodiscard]] std::optional<double> score() const noexcept override {
    return known_ ? std::optional(score_) : std::nullopt;
  }

  void carry(PlannerState& state) override {
    state(best_plan_, kPlanTicksMax);
    state.index(turn_);
  }

  void improve(Playouts& playouts, Side side, std::span<const Plan> replies, double until) override {
    choose_horizon(playouts, until);
    playouts.face(side, replies, scoring_);
    known_ = baseline(playouts, until);
    if (!known_) return;
    // Each pair is played once, because a tree is deterministic.
    for (std::size_t i = 0; i < kFirstParts.size() && !playouts.budget().spent(until); ++i, ++turn_) {
      tree(playouts, kFirstParts[turn_ % kFirstParts.size()], until);
    }
  }

 private:
  static constexpr double kHorizonMin = 16;
  static constexpr double kHorizonMinOfMany = 4;  // with more than three commands
  static constexpr double kHorizonMax = 60;
  // The values of x, as shares of the horizon.
  static constexpr std::array kFirstParts{0.25, 0.5, 0.75};
  static constexpr double kDiscount = 0.98;
  // For each tick of horizon, with three commands: the baseline against three replies, and a pruned tree.
  static constexpr double kCostPerTick = 14;

  // A small budget gives a shallow tree, not half of one.
  void choose_horizon(Playouts& playouts, double until) {
    const double left = until - playouts.budget().used();
    const auto count = static_cast<double>(commands_.size());
    double affordable = playouts.expected_ticks() * left / kCostPerTick;
    double least = kHorizonMin;
    // An upper bound: the baseline's variants, and x of a quarter of the horizon against every reply.
    if (count > 3) {
      const double cost = kRepliesMax * (1 + count / 4 + count * count * 3 / 4);
      affordable = (playouts.expected_ticks() * left - 4 * count * count) / cost;
      least = kHorizonMinOfMany;
    }
    scoring_.horizon = fixed_horizon_.value_or(static_cast<int>(std::clamp(affordable, least, kHorizonMax)));
    scoring_.stride = scoring_.first_stride = scoring_.horizon - 2;
  }

  bool baseline(Playouts& playouts, double until) {
    best_.plan = best_plan_;
    if (!playouts.play_first(best_, until)) return false;
    const int last = scoring_.horizon - 1;
    for (std::size_t first = 0; first < commands_.size(); ++first) {
      for (std::size_t second = 0; second < commands_.size(); ++second) {
        const Command a = commands_[first], b = commands_[second];
        child_.plan = best_plan_;
        child_.plan.set(last - 1, a);
        child_.plan.fill(last, kPlanTicksMax, b);
        if (playouts.play(child_, &best_, last - 1, best_.score, until)) std::swap(best_, child_);
      }
    }
    best_plan_ = best_.plan;
    score_ = best_.score;
    return true;
  }

  struct Leaf {
    double score = std::numeric_limits<double>::infinity();  // the minimum over the replies so far
    bool fallen = false;
  };

  using Leaves = std::array<Leaf, G::kCommandsMax>;

  // Chooses no line if the budget runs out before the end.
  void tree(Playouts& playouts, double part, double until) {
    const int x = std::max(1, static_cast<int>(part * scoring_.horizon));
    std::array<Leaves, G::kCommandsMax> leaves;
    for (std::size_t reply = 0; reply < playouts.reply_count(); ++reply) {
      for (std::size_t a = 0; a < commands_.size(); ++a) {
        if (!branch(playouts, commands_[a], x, playouts.reply(reply), leaves[a], until)) return;
      }
    }
    for (std::size_t a = 0; a < commands_.size(); ++a) {
      for (std::size_t b = 0; b < commands_.size(); ++b) {
        const bool better = !leaves[a][b].fallen && leaves[a][b].score > score_;
        if (!better && !playouts.is_watched()) continue;
        Plan plan(kPlanTicksMax, commands_[b]);
        plan.fill(0, x, commands_[a]);
        playouts.report(plan, leaves[a][b].score);
        if (!better) continue;
        score_ = leaves[a][b].score;
        best_plan_ = plan;
      }
    }
  }

  // Plays one first move and its three leaves against one reply. Returns false if the budget has run out.
  bool branch(Playouts& playouts, Command first, int x, const Plan& reply, Leaves& leaves, double until) {
    if (std::ranges::all_of(std::span(leaves).first(commands_.size()), &Leaf::fallen)) return true;
    playouts.restore(nullptr);
    const std::optional<double> death = run(playouts, first, reply, 0, x, until);
    if (playouts.budget().spent(until)) return false;
    const typename Playouts::State node = playouts.save();
    for (std::size_t b = 0; b < commands_.size(); ++b) {
      Leaf& leaf = leaves[b];
      if (leaf.fallen) continue;
      std::optional<double> score = death;
      if (!score) {
        playouts.restore(&node);
        score = run(playouts, commands_[b], reply, x, scoring_.horizon, until);
      }
      if (playouts.budget().spent(until)) return false;
      if (!score) score = playouts.score_now(scoring_.horizon);
      leaf.score = std::min(leaf.score, *score);
      leaf.fallen = leaf.score <= score_;
    }
    return true;
  }

  // Returns the score of a death on the way. The result is meaningless if the budget runs out.
  static std::optional<double> run(Playouts& playouts, Command command, const Plan& reply, int from, int to,
                                   double until) {
    for (int tick = from; tick < to; ++tick) {
      if (tick % kTicksBetweenLooks == 0 && playouts.budget().spent(until)) break;
      if (!playouts.step(command, reply.at(tick))) return playouts.death_score(tick + 1);
    }
    return std::nullopt;
  }

  typename G::CommandSet commands_;
  Scoring scoring_;
  std::optional<int> fixed_horizon_;
  std::size_t turn_ = 0;
  Plan best_plan_;      // the last action continues beyond the horizon
  bool known_ = false;  // best_plan_ was played against the present replies
  double score_ = 0;
  Trial best_;
  Trial child_;
};

}  // namespace forkmunk::search
