// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/check.h>
#include <forkmunk/base/error.h>
#include <forkmunk/base/random.h>
#include <forkmunk/search/budget.h>
#include <forkmunk/search/plan.h>
#include <forkmunk/search/planners.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

/// Plays plans on a world (docs/internals/search.md).
///
/// Plan P of one side is played against each of the other side's replies R. The score of a playout is
///   S(P, R) = sum over scored ticks t of discount^t * value(state after t)
/// The first death, after tick t, ends the playout with +-kWin * discount^t. The score of P is the minimum of its S(P,
/// R). The batch size is the same on every machine, and so are the results.
///
/// The game G, a template parameter, is a struct that defines how a world is played and scored:
///   World, State, Command, Scorer   its types
///   Pair                            both sides' commands of a tick, made from {first, second}
///   CommandSet                      size(), operator[], and held(tick): a command to hold for a whole plan
///   kCommandsMax                    the largest size() of a CommandSet
///   save, restore, step             the operations on one world
///   companions(world, state, n)     n more worlds that can be stepped together with `world`, or none
///   step_together(worlds, pairs)    one step of each world
///   goes_on(world)                  whether the game is not over
///   outcome(world, side)            the outcome of a game that is over: 1 won, -1 lost, or between
///   score(scorer, world, side, n)   the score of a state n ticks ahead
namespace forkmunk::search {

template <typename Commands>
[[nodiscard]] auto drawn(Random& random, const Commands& commands) noexcept {
  return commands[random.below(commands.size())];
}

inline constexpr std::size_t kRepliesMax = 4;
/// The ticks between checks of a budget, which is overrun by at most as many.
inline constexpr int kTicksBetweenLooks = 8;
/// Decision 9 in docs/decisions.
inline constexpr std::size_t kBatchMax = 4;
/// Below this number of ticks for all searches of a tick, more and shorter plans against one reply win more games than
/// fewer and longer plans against several replies (decision 14 in docs/decisions).
inline constexpr double kSmallBudgetTicks = 800;
inline constexpr std::size_t kCheckpointsMax = kPlanTicksMax + 1;

/// The minimum score; the maximum is its negative. NaN counts as the minimum, so that plans that lead there can still
/// be compared.
inline constexpr double kLeastScore = -1e300;
[[nodiscard]] constexpr double bounded(double score) noexcept {
  return score > kLeastScore ? std::min(score, -kLeastScore) : kLeastScore;
}

struct Scoring {
  int horizon = 60;          ///< At most kPlanTicksMax ticks.
  int stride = 5;            ///< The ticks between saved states.
  int first_stride = 5;      ///< The tick of the first saved state, 1 to stride.
  bool every_tick = false;   ///< Scores also ticks without saved states.
  bool only_last = false;    ///< Scores only the last tick.
  double discount = 0.98;    ///< The factor per tick.
  bool death_lasts = false;  ///< Death counts by the share of remaining ticks, without discount.
};

[[nodiscard]] constexpr std::size_t playout_states(const Scoring& scoring) noexcept {
  return static_cast<std::size_t>(scoring.horizon / scoring.stride + 3);
}

/// Saved states along plans, which share the states of a common beginning. The last released snapshot is reused first,
/// because it is likely to be in the CPU's caches. After the first ticks of a match, no new snapshots are made.
template <typename G>
class CheckpointPool {
 public:
  using World = typename G::World;
  using State = typename G::State;

  /// Shared ownership of a saved state.
  class Ref {
   public:
    Ref() = default;
    Ref(const Ref& other) noexcept : pool_(other.pool_), index_(other.index_) {
      if (pool_ != nullptr) ++pool_->uses_[index_];
    }
    Ref& operator=(const Ref& other) noexcept {
      if (this == &other) return *this;
      if (other.pool_ != nullptr) ++other.pool_->uses_[other.index_];
      release();
      pool_ = other.pool_;
      index_ = other.index_;
      return *this;
    }
    ~Ref() { release(); }

    [[nodiscard]] State& snapshot() const noexcept { return pool_->snapshots_[index_]; }
    void release() noexcept {
      if (pool_ != nullptr && --pool_->uses_[index_] == 0) pool_->free_.push_back(index_);
      pool_ = nullptr;
    }

   private:
    friend class CheckpointPool;
    Ref(CheckpointPool& pool, std::size_t index) noexcept : pool_(&pool), index_(index) { ++pool.uses_[index]; }
    CheckpointPool* pool_ = nullptr;
    std::size_t index_ = 0;
  };

  CheckpointPool() = default;
  CheckpointPool(const CheckpointPool&) = delete;
  CheckpointPool& operator=(const CheckpointPool&) = delete;

  /// Makes snapshots in advance.
  void reserve(const World& world, std::size_t count) {
    std::vector<Ref> taken;
    while (taken.size() < count) {
      taken.push_back(take());
      G::save(world, taken.back().snapshot());
    }
  }

  [[nodiscard]] bool empty() const noexcept { return snapshots_.empty(); }

  /// Old contents remain.
  [[nodiscard]] Ref take() {
    if (free_.empty()) {
      free_.reserve(snapshots_.size() + 1);
      free_.push_back(snapshots_.size());
      snapshots_.emplace_back();
      uses_.push_back(0);
    }
    const std::size_t index = free_.back();
    free_.pop_back();
    return Ref(*this, index);
  }

 private:
  friend class Ref;
  std::vector<State> snapshots_;
  std::vector<int> uses_;
  std::vector<std::size_t> free_;
};

template <typename G>
class BasicTrial {
 public:
  BasicTrial() {
    for (Playout& playout : playouts_) playout.checkpoints.reserve(kCheckpointsMax);
  }

  BasicPlan<typename G::Command> plan;
  double score = 0;  ///< The minimum over the replies.

 private:
  template <typename>
  friend class BasicPlayouts;
  struct Checkpoint {
    typename CheckpointPool<G>::Ref state;
    int tick = 0;
    double score = 0;  // up to the state
  };
  struct Playout {
    std::vector<Checkpoint> checkpoints;  // empty if it was not begun
    typename CheckpointPool<G>::Ref end;  // the last state, if finished
    int ticks = 0;
    double score = 0;
    bool finished = false;  // at the horizon or a death
  };
  std::array<Playout, kRepliesMax> playouts_;
};

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

  /// \param states  the number of states saved at once.
  void begin_match(const World& world, std::size_t states);
  /// \pre `world` is at the decision's tick.
  void begin(World& world, Budget& budget, const Searched& searched = {});
  void end();
  /// Sets the side and the replies (1 to kRepliesMax) of the next plans. Earlier trials are no longer valid as parents.
  void face(Side side, std::span<const Plan> replies, const Scoring& scoring);

  /// Plays `trial.plan` against the replies.
  /// \param parent  a finished trial with the same commands before tick `from`, or null.
  /// \param floor  the plan is abandoned when its score cannot exceed `floor`.
  /// \param until  the share of the budget at which to stop; infinite to stop only when the budget must_end().
  /// \return whether the score is above `floor`, and all replies were played.
  [[nodiscard]] bool play(Trial& trial, const Trial* parent, int from, double floor, double until = 1.0);
  /// Plays the first plan of a search. If the search may use the whole budget, the plan is played even when the time
  /// was used up before, e.g. by other programs: each answer has a plan.
  [[nodiscard]] bool play_first(Trial& trial, double until) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    return play(trial, nullptr, 0, -kInfinite, until < 1 ? until : kInfinite);
  }

  /// Scores `trial.plan` from the states of `other`, a trial of the other side to which this plan was the only reply.
  /// \pre both sides' Scoring is the same, without every_tick. \return false if `other` was not played to its end.
  [[nodiscard]] bool play_mirrored(Trial& trial, const Trial& other);

  /// The next plan of a slot equals the plan of `parent` before tick `from`.
  struct Start {
    const Trial* parent = nullptr;
    int from = 0;
  };
  /// Plays plans as a batch, each from its own parent on, until the share `until` of the budget is used up. Begins a
  /// plan only if the budget is expected to suffice for it and for the plans in progress. \param trials  the slots, 1
  /// to kBatchMax; only the first is used with worlds that cannot be stepped together. \param next  Start(Trial&),
  /// which sets the next plan of a slot. \param floor  double(), which returns the score to exceed now. \param done
  /// void(Trial&), which is called when a plan has exceeded floor().
  template <typename Next, typename Floor, typename Done>
  void play_batch(std::span<Trial> trials, double until, Next&& next, Floor&& floor, Done&& done);

  /// Appends the plans that are played for `side`, unless `candidates` is null.
  void watch(Side side, std::vector<BasicCandidate<Command>>* candidates) noexcept {
    watched_ = side;
    candidates_ = candidates;
  }
  [[nodiscard]] bool is_watched() const noexcept { return candidates_ != nullptr && side_ == watched_; }
  void report(const Plan& plan, double score) {
    if (is_watched()) candidates_->push_back({plan, score});
  }

  [[nodiscard]] const World& world() const noexcept { return *world_; }
  [[nodiscard]] Budget& budget() noexcept { return *budget_; }
  /// Estimates the ticks that the budget allows, at the speed of the last decisions.
  [[nodiscard]] double expected_ticks() const noexcept { return budget_->expected_ticks(ticks_per_second_); }
  /// Counts this search, the earlier ones of the tick, and those of the tick before, because a bot ponders in several
  /// searches.
  [[nodiscard]] bool has_small_budget() const noexcept {
    return std::max(searched_.this_tick + expected_ticks(), searched_.tick_before) < kSmallBudgetTicks;
  }
  /// Changes with each decision.
  [[nodiscard]] std::int64_t decision() const noexcept { return decision_; }

  // For planners that walk a tree themselves.

  [[nodiscard]] std::size_t reply_count() const noexcept { return reply_count_; }
  /// Index 0 is the worst reply.
  [[nodiscard]] const Plan& reply(std::size_t index) const noexcept { return replies_[order_[index]]; }

  /// Null is the decision's state.
  void restore(const State* from) { G::restore(*world_, (from != nullptr ? *from : root_).snapshot()); }
  [[nodiscard]] State save() { return save(*world_); }
  /// \return whether both players live.
  bool step(Command own, Command other);
  /// \pre both players live. \param ticks  from now.
  [[nodiscard]] double score_now(int ticks) const { return score_of(*world_, ticks); }
  /// \pre a player has died.
  [[nodiscard]] double death_score(int ticks) const { return death_score(*world_, ticks); }

 private:
  using Companions = decltype(G::companions(std::declval<const World&>(), std::declval<const typename G::State&>(), 0));
  struct Slot {
    Trial* trial = nullptr;  // null if the slot is free
    std::array<std::size_t, kRepliesMax> order{};
    std::size_t turn = 0;   // the present position in `order`
    std::size_t worst = 0;  // the turn of the worst reply
    int to_stride = 0;
  };
  enum class Progress : std::uint8_t { goes_on, useless, useful };

  void begin_trial(Slot& slot, Trial& trial, const Trial* parent, int from);
  [[nodiscard]] Progress next_playout(Slot& slot, World& world, double floor);
  [[nodiscard]] typename G::Pair pair_of(Command own, Command other) const noexcept {
    return side_ == Side::first ? typename G::Pair{own, other} : typename G::Pair{other, own};
  }
  [[nodiscard]] typename G::Pair commands_of(const Slot& slot) const noexcept {
    const int tick = playout_of(slot).ticks;
    return pair_of(slot.trial->plan.at(tick), replies_[slot.order[slot.turn]].at(tick));
  }
  // Scores a playout after a step. Returns whether the playout is at its end.
  [[nodiscard]] bool end_tick(Slot& slot, const World& world);
  void end_trial(const Slot& slot);
  [[nodiscard]] int ticks_left(const Slot& slot) const noexcept {
    const typename Trial::Playout& playout = playout_of(slot);
    return playout.finished ? 0 : scoring_.horizon - playout.ticks;
  }
  [[nodiscard]] State save(const World& world);
  [[nodiscard]] double score_of(const World& world, int ticks) const {
    return bounded(discount_[static_cast<std::size_t>(ticks)] * G::score(*scorer_, world, side_, ticks));
  }
  [[nodiscard]] double death_score(const World& world, int ticks) const;
  [[nodiscard]] typename Trial::Playout& playout_of(const Slot& slot) const noexcept {
    return slot.trial->playouts_[slot.order[slot.turn]];
  }
  [[nodiscard]] World& world_at(std::size_t slot) noexcept { return slot == 0 ? *world_ : more_worlds_[slot - 1]; }
  void step_batch(std::span<Slot> slots);
  // Uses the recent peak speed, so that one descheduled decision does not shorten the next.
  [[nodiscard]] double ticks_until(double until) const noexcept {
    return (until - budget_->used()) * budget_->expected_ticks(fastest_) + 0.5;  // for rounding
  }

  static constexpr std::int64_t kEnoughTicks = 100;  // to estimate the speed
  static constexpr std::size_t kOwnStates = 4;       // the root, and the states that trees keep

  const typename G::Scorer* scorer_;
  CheckpointPool<G> pool_;
  World* world_ = nullptr;
  Companions more_worlds_;  // for the other slots of a batch
  Budget* budget_ = nullptr;
  State root_;
  std::int64_t decision_ = 0;
  Searched searched_;
  double ticks_per_second_ = 100'000;  // an estimate
  double fastest_ = 1'000'000;         // the recent peak
  Side side_ = Side::first;
  std::array<Plan, kRepliesMax> replies_;
  std::array<std::size_t, kRepliesMax> order_{};  // indices of replies, the worst first
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
  const auto goes_on = [&](std::size_t i) {
    const Progress progress = next_playout(slots[i], world_at(i), floor());
    if (progress == Progress::goes_on) return true;
    slots[i].trial = nullptr;
    if (progress == Progress::useful) done(trials[i]);
    return false;
  };
  // Begins plans until one has to be stepped or the budget does not suffice.
  const auto fill = [&](std::size_t i) {
    Slot& slot = slots[i];
    while (slot.trial == nullptr && !budget_->spent(until)) {
      const Start start = next(trials[i]);
      begin_trial(slot, trials[i], start.parent, start.from);
      double needed = 0;
      for (const Slot& each : slots) {
        if (each.trial != nullptr) needed += ticks_left(each);
      }
      if (needed > ticks_until(until)) {
        slot.trial = nullptr;
        return;
      }
      if (goes_on(i)) return;
    }
  };

  for (std::size_t i = 0; i < slots.size(); ++i) fill(i);
  // Checks the budget as often per tick as for a single plan.
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

template <typename G>
void BasicPlayouts<G>::begin_match(const World& world, std::size_t states) {
  pool_.reserve(world, states + kOwnStates);
  const State state = save(world);
  more_worlds_ = G::companions(world, state.snapshot(), kBatchMax - 1);
}

template <typename G>
void BasicPlayouts<G>::begin(World& world, Budget& budget, const Searched& searched) {
  if (pool_.empty()) throw Error("Planner::decide(): no match; call begin_match() first");
  world_ = &world;
  budget_ = &budget;
  searched_ = searched;
  ++decision_;
  root_ = save();
}

template <typename G>
void BasicPlayouts<G>::end() {
  restore(nullptr);
  root_.release();
  if (budget_->ticks_used() >= kEnoughTicks) {
    ticks_per_second_ = static_cast<double>(budget_->ticks_used()) / budget_->seconds();
    fastest_ = std::max(0.99 * fastest_, ticks_per_second_);
  }
}

template <typename G>
void BasicPlayouts<G>::face(Side side, std::span<const Plan> replies, const Scoring& scoring) {
  FORKMUNK_CHECK(!replies.empty() && replies.size() <= kRepliesMax, "%zu replies", replies.size());
  side_ = side;
  std::ranges::copy(replies, replies_.begin());
  reply_count_ = replies.size();
  for (std::size_t i = 0; i < reply_count_; ++i) order_[i] = i;
  scoring_ = scoring;
  discount_[0] = 1;
  for (std::size_t tick = 1; tick < discount_.size(); ++tick) discount_[tick] = discount_[tick - 1] * scoring.discount;
}

template <typename G>
typename BasicPlayouts<G>::State BasicPlayouts<G>::save(const World& world) {
  State state = pool_.take();
  G::save(world, state.snapshot());
  return state;
}

template <typename G>
bool BasicPlayouts<G>::step(Command own, Command other) {
  G::step(*world_, pair_of(own, other));
  budget_->count(1);
  return G::goes_on(*world_);
}

template <typename G>
double BasicPlayouts<G>::death_score(const World& world, int ticks) const {
  const double share = scoring_.death_lasts
                           ? static_cast<double>(scoring_.horizon + 1 - ticks) / static_cast<double>(scoring_.horizon)
                           : discount_[static_cast<std::size_t>(ticks)];
  return bounded(G::outcome(world, side_) * share * kWin);
}

// Copies what is shared with the parent, which may change before all replies are played.
template <typename G>
void BasicPlayouts<G>::begin_trial(Slot& slot, Trial& trial, const Trial* parent, int from) {
  slot = {&trial, order_};
  trial.score = std::numeric_limits<double>::infinity();
  for (std::size_t reply = 0; reply < reply_count_; ++reply) {
    typename Trial::Playout& playout = trial.playouts_[reply];
    playout.checkpoints.clear();
    playout.end.release();
    playout.finished = false;
    playout.ticks = 0;
    const typename Trial::Playout* const known = parent != nullptr ? &parent->playouts_[reply] : nullptr;
    if (known != nullptr && known->finished) {
      if (known->ticks <= from) {  // the playout ended before the plans differ
        playout = *known;
        continue;
      }
      for (const typename Trial::Checkpoint& checkpoint : known->checkpoints) {
        if (checkpoint.tick <= from) playout.checkpoints.push_back(checkpoint);
      }
    }
    if (playout.checkpoints.empty()) playout.checkpoints.push_back({root_, 0, 0});
    playout.ticks = playout.checkpoints.back().tick;
    playout.score = playout.checkpoints.back().score;
  }
}

template <typename G>
typename BasicPlayouts<G>::Progress BasicPlayouts<G>::next_playout(Slot& slot, World& world, double floor) {
  Trial& trial = *slot.trial;
  for (; slot.turn < reply_count_; ++slot.turn) {
    const typename Trial::Playout& playout = playout_of(slot);
    if (!playout.finished) {
      G::restore(world, playout.checkpoints.back().state.snapshot());
      slot.to_stride = playout.ticks == 0 ? scoring_.first_stride : scoring_.stride;
      return Progress::goes_on;
    }
    if (playout.score >= trial.score) continue;
    trial.score = playout.score;
    slot.worst = slot.turn;
    if (trial.score <= floor) break;
  }
  end_trial(slot);
  return trial.score > floor ? Progress::useful : Progress::useless;
}

template <typename G>
void BasicPlayouts<G>::end_trial(const Slot& slot) {
  if (slot.worst > 0) {
    const auto last = std::ranges::find(order_, slot.order[slot.worst]);
    std::rotate(order_.begin(), last, last + 1);
  }
  report(slot.trial->plan, slot.trial->score);
}

template <typename G>
bool BasicPlayouts<G>::end_tick(Slot& slot, const World& world) {
  typename Trial::Playout& playout = playout_of(slot);
  ++playout.ticks;
  const bool alive = G::goes_on(world);
  const bool last = playout.ticks == scoring_.horizon;
  const bool stride = --slot.to_stride == 0;
  if (!alive) {
    playout.score += death_score(world, playout.ticks);
  } else if (scoring_.only_last ? last : scoring_.every_tick || stride || last) {
    playout.score += score_of(world, playout.ticks);
  }
  playout.finished = !alive || last;
  if (playout.finished) {
    playout.end = save(world);
  } else if (stride) {
    slot.to_stride = scoring_.stride;
    playout.checkpoints.push_back({save(world), playout.ticks, playout.score});
  }
  return playout.finished;
}

template <typename G>
bool BasicPlayouts<G>::play_mirrored(Trial& trial, const Trial& other) {
  if (!other.playouts_[0].finished) return false;
  typename Trial::Playout& playout = trial.playouts_[0];
  playout = other.playouts_[0];
  playout.score = 0;
  const auto score_at = [&](const State& state, int tick) {
    restore(&state);
    const bool alive = G::goes_on(*world_);
    playout.score += alive ? score_of(*world_, tick) : death_score(*world_, tick);
  };
  for (typename Trial::Checkpoint& checkpoint : playout.checkpoints) {
    if (checkpoint.tick > 0 && !scoring_.only_last) score_at(checkpoint.state, checkpoint.tick);
    checkpoint.score = playout.score;
  }
  score_at(playout.end, playout.ticks);
  trial.score = playout.score;
  report(trial.plan, trial.score);
  return true;
}

template <typename G>
void BasicPlayouts<G>::step_batch(std::span<Slot> slots) {
  std::array<World*, kBatchMax> worlds;
  std::array<typename G::Pair, kBatchMax> commands;
  std::size_t count = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].trial == nullptr) continue;
    worlds[count] = &world_at(i);
    commands[count++] = commands_of(slots[i]);
  }
  G::step_together(std::span(worlds).first(count), std::span(commands).first(count));
  budget_->count(static_cast<std::int64_t>(count));
}

template <typename G>
bool BasicPlayouts<G>::play(Trial& trial, const Trial* parent, int from, double floor, double until) {
  const auto is_spent = [&] { return until > 1 ? budget_->must_end() : budget_->spent(until); };
  Slot slot;
  begin_trial(slot, trial, parent, from);
  for (;;) {
    const Progress progress = next_playout(slot, *world_, floor);
    if (progress != Progress::goes_on) return progress == Progress::useful;
    if (is_spent()) return false;
    for (;;) {
      G::step(*world_, commands_of(slot));
      budget_->count(1);
      if (end_tick(slot, *world_)) break;
      if (playout_of(slot).ticks % kTicksBetweenLooks == 0 && is_spent()) return false;
    }
  }
}

}  // namespace forkmunk::search
