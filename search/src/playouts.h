#pragma once

#include "checkpoint_pool.h"

#include <forkmunk/engine/world.h>
#include <forkmunk/search/budget.h>
#include <forkmunk/search/evaluator.h>
#include <forkmunk/search/plan.h>
#include <forkmunk/search/planner.h>

#include <array>
#include <span>
#include <vector>

/// Trying out plans on a world: what all planners share.
///
/// Idea: plan P of one side is played against each of the other side's replies R; a playout's score is
///   S(P, R) = sum over scored ticks t of discount^t * value(state after t)
/// and at the first death, after tick t, +-kWin * discount^t ends it. P is worth the least of its S(P, R). States are
/// saved every `stride` ticks; a plan that equals another one up to tick k starts at the last state saved before k, so
/// that no step is computed twice. The reply that made the last plan fail is tried first, and a plan that is no better
/// than `floor` against one reply is not tried against the others.
namespace forkmunk::search {

inline constexpr std::size_t kRepliesMax = 4;
/// A budget is looked at, and overrun, by no more than so many ticks.
inline constexpr int kTicksBetweenLooks = 8;
inline constexpr std::size_t kCheckpointsMax = kPlanTicksMax + 1;

/// How a playout is scored.
struct Scoring {
  int horizon = 60;          ///< Ticks, at most kPlanTicksMax.
  int stride = 5;            ///< Ticks between saved states.
  int first_stride = 5;      ///< The first saved state: after this many ticks, 1 to stride.
  bool every_tick = false;   ///< Score each tick; not only those at which states are saved.
  bool only_last = false;    ///< Score the last tick alone.
  double discount = 0.98;    ///< Per tick.
  bool death_lasts = false;  ///< Death counts for the share of ticks that remain; not discounted.
};

/// How many states a playout saves at most.
[[nodiscard]] constexpr std::size_t playout_states(const Scoring& scoring) noexcept {
  return static_cast<std::size_t>(scoring.horizon / scoring.stride + 2);
}

/// A plan with its playouts.
class Trial {
 public:
  Trial() {
    for (Line& line : lines_) line.checkpoints.reserve(kCheckpointsMax);
  }

  Plan plan;
  double score = 0;  ///< The least over the replies.

 private:
  friend class Playouts;
  struct Checkpoint {
    CheckpointPool::Ref state;
    int tick = 0;
    double score = 0;  // of the ticks before
  };
  struct Line {
    std::vector<Checkpoint> checkpoints;  // empty: not played
    int ticks = 0;                        // played
    double score = 0;
    bool finished = false;  // to the horizon, or to a death
  };
  std::array<Line, kRepliesMax> lines_;
};

class Playouts {
 public:
  Playouts(const Evaluator& evaluator, const Habits& habits) : evaluator_(&evaluator), habits_(habits) {}

  /// A match begins: room is made for so many saved states at once.
  void begin_match(const engine::World& world, std::size_t states) { pool_.reserve(world, states + kOwnStates); }
  /// Begins the search of one decision. \pre `world` stands at the tick.
  void begin(engine::World& world, Budget& budget);
  /// Puts the world back.
  void end() noexcept;
  /// From here on plans are tried for `side` against `replies` (1 to kRepliesMax); trials of before are no parents.
  void face(engine::Player side, std::span<const Plan> replies, const Scoring& scoring);

  /// Plays `trial.plan` against the replies and sets its score.
  /// \param parent  a finished trial that has the same commands before tick `from`, or null.
  /// \param floor  a score that the plan has to exceed to be of use.
  /// \param until  part of the budget at which to give up.
  /// \return whether the score is above `floor`, and all replies were played.
  [[nodiscard]] bool play(Trial& trial, const Trial* parent, int from, double floor, double until = 1.0);

  /// Plans that are tried for `side` are told there; null: nowhere.
  void watch(engine::Player side, std::vector<Candidate>* candidates) noexcept {
    watched_ = side;
    candidates_ = candidates;
  }
  /// Whether report() goes anywhere.
  [[nodiscard]] bool is_watched() const noexcept { return candidates_ != nullptr && side_ == watched_; }
  void report(const Plan& plan, double score) {
    if (is_watched()) candidates_->push_back({plan, score});
  }

  [[nodiscard]] const engine::World& world() const noexcept { return *world_; }
  [[nodiscard]] Budget& budget() noexcept { return *budget_; }
  [[nodiscard]] const Habits& habits() const noexcept { return habits_; }
  /// How many ticks the budget is likely to allow, as fast as the last decisions were.
  [[nodiscard]] double expected_ticks() const noexcept { return budget_->expected_ticks(ticks_per_second_); }
  /// Another one for each decision.
  [[nodiscard]] std::int64_t decision() const noexcept { return decision_; }
  /// Tick of the match at which the decision is due.
  [[nodiscard]] int tick() const noexcept { return tick_; }

  // For planners that walk a tree themselves.

  [[nodiscard]] std::size_t reply_count() const noexcept { return reply_count_; }
  /// The replies, the one that hurt most first.
  [[nodiscard]] const Plan& reply(std::size_t index) const noexcept { return replies_[order_[index]]; }

  /// Goes on from `from`, or from the decision's state if it is null.
  void restore(const CheckpointPool::Ref* from) noexcept;
  [[nodiscard]] CheckpointPool::Ref save();
  /// One tick. \return whether nobody has died.
  bool step(engine::Command own, engine::Command other) noexcept;
  /// What the state counts, `ticks` from now. \pre nobody has died
  [[nodiscard]] double score_now(int ticks) const noexcept {
    return discount_[static_cast<std::size_t>(ticks)] * evaluator_->evaluate(*world_, side_, ticks);
  }
  /// What the death that has happened counts, `ticks` from now.
  [[nodiscard]] double death_score(int ticks) const noexcept;

 private:
  [[nodiscard]] bool play_line(Trial::Line& line, const Plan& plan, const Plan& reply, const Trial::Line* parent,
                               int from, double until);

  static constexpr std::size_t kOwnStates = 4;  // the root, and those that trees hold on to

  const Evaluator* evaluator_;
  Habits habits_;
  CheckpointPool pool_;
  engine::World* world_ = nullptr;
  Budget* budget_ = nullptr;
  CheckpointPool::Ref root_;
  int tick_ = 0;
  std::int64_t decision_ = 0;
  double ticks_per_second_ = 100'000;  // as far as known
  engine::Player side_ = engine::Player::first;
  std::array<Plan, kRepliesMax> replies_;
  std::array<std::size_t, kRepliesMax> order_{};  // of replies, the worst first
  std::size_t reply_count_ = 0;
  Scoring scoring_;
  std::array<double, kPlanTicksMax + 1> discount_{};  // by tick
  engine::Player watched_ = engine::Player::first;
  std::vector<Candidate>* candidates_ = nullptr;
};

}  // namespace forkmunk::search
