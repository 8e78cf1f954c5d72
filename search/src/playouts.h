#pragma once

#include "checkpoint_pool.h"
#include "game_kinds.h"

#include <forkmunk/search/budget.h>
#include <forkmunk/search/evaluator.h>
#include <forkmunk/search/plan.h>
#include <forkmunk/search/planner.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

/// Playing plans on a world, shared by all planners.
///
/// Idea: plan P of one side is played against each of the other side's replies R; a playout's score is
///   S(P, R) = sum over scored ticks t of discount^t * value(state after t)
/// and the first death, after tick t, ends it with +-kWin * discount^t. The score of P is the minimum of its S(P, R).
/// States are saved every `stride` ticks; a plan that equals another one up to tick k starts at the last state saved
/// before k, so that no step is computed twice. The reply that was worst for the last plan is tried first, and a plan
/// that is no better than `floor` against one reply is not tried against the others. Plans are played in batches if the
/// worlds can be stepped together (engine::step_together()), which costs less. The batch size is the same on every
/// machine, so results are, too.
namespace forkmunk::search {

inline constexpr std::size_t kRepliesMax = 4;
/// Maximum ticks between checks of a budget, and so its maximum overrun.
inline constexpr int kTicksBetweenLooks = 8;
/// Size of a batch of plans (decision 9 in docs/decisions).
inline constexpr std::size_t kBatchMax = 4;
/// A tick's searches with fewer ticks have a small budget: more and shorter plans against one reply win more games than
/// fewer and longer ones against several (docs/results/strength.md).
inline constexpr double kSmallBudgetTicks = 800;
inline constexpr std::size_t kCheckpointsMax = kPlanTicksMax + 1;

/// The least score of a state or a death; the greatest is its opposite. A score that is NaN counts as the least: plans
/// that lead there are the worst, and can still be compared.
inline constexpr double kLeastScore = -1e300;
[[nodiscard]] constexpr double bounded(double score) noexcept {
  return score > kLeastScore ? std::min(score, -kLeastScore) : kLeastScore;
}

/// Options of a playout's score.
struct Scoring {
  int horizon = 60;          ///< Ticks, at most kPlanTicksMax.
  int stride = 5;            ///< Ticks between saved states.
  int first_stride = 5;      ///< The first saved state: after this many ticks, 1 to stride.
  bool every_tick = false;   ///< Score each tick, not only those with saved states.
  bool only_last = false;    ///< Score only the last tick.
  double discount = 0.98;    ///< Per tick.
  bool death_lasts = false;  ///< Death counts by the share of remaining ticks; not discounted.
};

/// Maximum of states that a playout saves.
[[nodiscard]] constexpr std::size_t playout_states(const Scoring& scoring) noexcept {
  return static_cast<std::size_t>(scoring.horizon / scoring.stride + 3);
}

/// A plan with its playouts.
template <typename G>
class BasicTrial {
 public:
  BasicTrial() {
    for (Line& line : lines_) line.checkpoints.reserve(kCheckpointsMax);
  }

  BasicPlan<typename G::Command> plan;
  double score = 0;  ///< Minimum over the replies.

 private:
  template <typename>
  friend class BasicPlayouts;
  struct Checkpoint {
    typename CheckpointPool<G>::Ref state;
    int tick = 0;
    double score = 0;  // of the ticks up to it
  };
  struct Line {
    std::vector<Checkpoint> checkpoints;  // empty: not played
    typename CheckpointPool<G>::Ref end;  // the last state, if finished
    int ticks = 0;                        // played
    double score = 0;
    bool finished = false;  // to the horizon, or to a death
  };
  std::array<Line, kRepliesMax> lines_;
};

/// Ticks that earlier searches have simulated.
struct Searched {
  double this_tick = 0;
  double tick_before = 0;
};

template <typename G>
class BasicPlayouts {
 public:
  using World = typename G::World;
  using Command = typename G::Command;
  using Plan = BasicPlan<Command>;
  using Trial = BasicTrial<G>;
  using State = typename CheckpointPool<G>::Ref;

  explicit BasicPlayouts(const typename G::Scorer& scorer) : scorer_(&scorer) {}

  /// Begins a match, with room for so many saved states at once.
  void begin_match(const World& world, std::size_t states);
  /// Begins the search of one decision. \pre `world` is at the decision's tick.
  void begin(World& world, Budget& budget, const Searched& searched = {});
  /// Restores the world.
  void end();
  /// Sets side and replies (1 to kRepliesMax) of the next plans. Earlier trials are no longer valid as parents.
  void face(Side side, std::span<const Plan> replies, const Scoring& scoring);

  /// Plays `trial.plan` against the replies and sets its score.
  /// \param parent  a finished trial with the same commands before tick `from`, or null.
  /// \param floor  the plan is abandoned when its score cannot exceed it.
  /// \param until  share of the budget at which to stop.
  /// \return whether the score is above `floor`, and all replies were played.
  [[nodiscard]] bool play(Trial& trial, const Trial* parent, int from, double floor, double until = 1.0);

  /// Scores `trial.plan` from the states of `other`, a trial of the other side to which it was the only reply: the same
  /// playout, without steps. \pre both sides' Scoring is the same, without every_tick.
  /// \return false if `other` was not played to its end.
  [[nodiscard]] bool play_mirrored(Trial& trial, const Trial& other);

  /// A slot's next plan, which equals `parent`'s before tick `from`.
  struct Start {
    const Trial* parent = nullptr;
    int from = 0;
  };
  /// Plays plans as a batch, each from its own parent on, until that share of the budget is used up. A plan is only
  /// begun if the budget is expected to suffice for it and those in progress. \param trials  slots, 1 to kBatchMax;
  /// with worlds that cannot be stepped together only the first is used. \param next  Start(Trial&): sets a slot's next
  /// plan. \param floor  double(): the score that a plan has to exceed now. \param done  void(Trial&): called when a
  /// plan was played with a score above floor().
  template <typename Next, typename Floor, typename Done>
  void play_batch(std::span<Trial> trials, double until, Next&& next, Floor&& floor, Done&& done);

  /// Appends the plans that are played for `side` to `candidates`; null: does not.
  void watch(Side side, std::vector<BasicCandidate<Command>>* candidates) noexcept {
    watched_ = side;
    candidates_ = candidates;
  }
  /// Whether report() has a receiver.
  [[nodiscard]] bool is_watched() const noexcept { return candidates_ != nullptr && side_ == watched_; }
  void report(const Plan& plan, double score) {
    if (is_watched()) candidates_->push_back({plan, score});
  }

  [[nodiscard]] const World& world() const noexcept { return *world_; }
  [[nodiscard]] Budget& budget() noexcept { return *budget_; }
  /// Estimate of the ticks that the budget allows, at the speed of the last decisions.
  [[nodiscard]] double expected_ticks() const noexcept { return budget_->expected_ticks(ticks_per_second_); }
  /// Whether the searches of the decision's tick simulate few ticks together: the earlier ones and this one, and, as
  /// more may follow (a bot ponders in several searches), those of the tick before.
  [[nodiscard]] bool has_small_budget() const noexcept {
    return std::max(searched_.this_tick + expected_ticks(), searched_.tick_before) < kSmallBudgetTicks;
  }
  /// Changes with each decision.
  [[nodiscard]] std::int64_t decision() const noexcept { return decision_; }

  // For planners that walk a tree themselves.

  [[nodiscard]] std::size_t reply_count() const noexcept { return reply_count_; }
  /// The replies, the worst one first.
  [[nodiscard]] const Plan& reply(std::size_t index) const noexcept { return replies_[order_[index]]; }

  /// Restores `from`, or the decision's state if it is null.
  void restore(const State* from);
  [[nodiscard]] State save();
  /// One tick. \return whether both players live.
  bool step(Command own, Command other);
  /// Score of the state, `ticks` from now. \pre both players live.
  [[nodiscard]] double score_now(int ticks) const { return score_of(*world_, ticks); }
  /// Score of the death that has happened, `ticks` from now.
  [[nodiscard]] double death_score(int ticks) const { return death_score(*world_, ticks); }

 private:
  using Companions = decltype(G::companions(std::declval<const World&>(), std::declval<const typename G::State&>(), 0));
  // A trial in progress, against one reply after the other.
  struct Slot {
    Trial* trial = nullptr;  // null: free
    std::array<std::size_t, kRepliesMax> order{};
    std::size_t turn = 0;   // of the replies in that order
    std::size_t worst = 0;  // turn
    int to_stride = 0;
  };
  enum class Progress : std::uint8_t { goes_on, useless, useful };

  void begin_trial(Slot& slot, Trial& trial, const Trial* parent, int from);
  // Starts the next reply that has to be played, if there is one.
  [[nodiscard]] Progress next_line(Slot& slot, World& world, double floor);
  [[nodiscard]] typename G::Pair commands_of(const Slot& slot) const noexcept;
  // After a step. Returns whether the line is at its end.
  [[nodiscard]] bool end_tick(Slot& slot, const World& world);
  void end_trial(const Slot& slot);
  // Remaining ticks of the trial against its present reply.
  [[nodiscard]] int ticks_left(const Trial& trial, std::size_t reply) const noexcept;
  [[nodiscard]] State save(const World& world);
  [[nodiscard]] double score_of(const World& world, int ticks) const {
    const double score = discount_[static_cast<std::size_t>(ticks)] * G::score(*scorer_, world, side_, ticks);
    return bounded(score);
  }
  [[nodiscard]] double death_score(const World& world, int ticks) const;
  [[nodiscard]] typename Trial::Line& line_of(const Slot& slot) const noexcept {
    return slot.trial->lines_[slot.order[slot.turn]];
  }
  // The world of a slot.
  [[nodiscard]] World& world_at(std::size_t slot) noexcept { return slot == 0 ? *world_ : more_worlds_[slot - 1]; }
  void step_batch(std::span<Slot> slots);
  // Ticks left in that share of the budget at the recent peak speed, so that one descheduled decision does not shorten
  // the next.
  [[nodiscard]] double ticks_until(double until) const noexcept;

  static constexpr std::size_t kOwnStates = 4;  // the root, and those that trees keep

  const typename G::Scorer* scorer_;
  CheckpointPool<G> pool_;
  World* world_ = nullptr;
  Companions more_worlds_;  // of the same match, for the other slots of a batch
  Budget* budget_ = nullptr;
  State root_;
  std::int64_t decision_ = 0;
  Searched searched_;
  double ticks_per_second_ = 100'000;  // an estimate
  double fastest_ = 1'000'000;         // recent peak, ticks per second
  Side side_ = Side::first;
  std::array<Plan, kRepliesMax> replies_;
  std::array<std::size_t, kRepliesMax> order_{};  // of replies, the worst first
  std::size_t reply_count_ = 0;
  Scoring scoring_;
  std::array<double, kPlanTicksMax + 1> discount_{};  // by tick
  Side watched_ = Side::first;
  std::vector<BasicCandidate<Command>>* candidates_ = nullptr;
};

template <typename G>
template <typename Next, typename Floor, typename Done>
void BasicPlayouts<G>::play_batch(std::span<Trial> trials, double until, Next&& next, Floor&& floor, Done&& done) {
  std::array<Slot, kBatchMax> all;
  const auto slots = std::span(all).first(std::min(trials.size(), 1 + more_worlds_.size()));
  // Whether the slot has more to play.
  const auto goes_on = [&](std::size_t i) {
    const Progress progress = next_line(slots[i], world_at(i), floor());
    if (progress == Progress::goes_on) return true;
    slots[i].trial = nullptr;
    if (progress == Progress::useful) done(trials[i]);
    return false;
  };
  // Begins plans until one has to be stepped, or the budget does not suffice.
  const auto fill = [&](std::size_t i) {
    Slot& slot = slots[i];
    while (slot.trial == nullptr && !budget_->spent(until)) {
      const Start start = next(trials[i]);
      begin_trial(slot, trials[i], start.parent, start.from);
      double needed = 0;
      for (const Slot& each : slots) {
        if (each.trial != nullptr) needed += ticks_left(*each.trial, each.order[each.turn]);
      }
      if (needed > ticks_until(until)) {
        slot.trial = nullptr;
        return;
      }
      if (goes_on(i)) return;
    }
  };

  for (std::size_t i = 0; i < slots.size(); ++i) fill(i);
  // Checks the budget as often per tick as a single plan does.
  for (std::size_t ticks = 0; std::ranges::any_of(slots, [](const Slot& slot) { return slot.trial != nullptr; });) {
    step_batch(slots);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].trial == nullptr) continue;
      ++ticks;
      if (end_tick(slots[i], world_at(i))) goes_on(i);
    }
    if (ticks >= kTicksBetweenLooks) {
      ticks = 0;
      if (budget_->spent(until)) return;
    }
    for (std::size_t i = 0; i < slots.size(); ++i) fill(i);
  }
}

using Trial = BasicTrial<Contest>;
using Playouts = BasicPlayouts<Contest>;

}  // namespace forkmunk::search
