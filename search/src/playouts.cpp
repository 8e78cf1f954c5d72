#include "playouts.h"

#include <forkmunk/base/check.h>
#include <forkmunk/base/error.h>

#include <algorithm>
#include <limits>

namespace forkmunk::search {
namespace {

// Minimum of ticks for an estimate of the speed.
constexpr std::int64_t kEnoughTicks = 100;

}  // namespace

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
void BasicPlayouts<G>::restore(const State* from) {
  G::restore(*world_, (from != nullptr ? *from : root_).snapshot());
}

template <typename G>
typename BasicPlayouts<G>::State BasicPlayouts<G>::save() {
  return save(*world_);
}

template <typename G>
typename BasicPlayouts<G>::State BasicPlayouts<G>::save(const World& world) {
  State state = pool_.take();
  G::save(world, state.snapshot());
  return state;
}

template <typename G>
bool BasicPlayouts<G>::step(Command own, Command other) {
  using Pair = typename G::Pair;
  G::step(*world_, side_ == Side::first ? Pair{own, other} : Pair{other, own});
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

// Copies everything shared with the parent now: the parent may change before all replies are played.
template <typename G>
void BasicPlayouts<G>::begin_trial(Slot& slot, Trial& trial, const Trial* parent, int from) {
  slot = {&trial, order_};
  trial.score = std::numeric_limits<double>::infinity();
  for (std::size_t reply = 0; reply < reply_count_; ++reply) {
    typename Trial::Line& line = trial.lines_[reply];
    line.checkpoints.clear();
    line.end.release();
    line.finished = false;
    line.ticks = 0;
    const typename Trial::Line* const known = parent != nullptr ? &parent->lines_[reply] : nullptr;
    if (known != nullptr && known->finished) {
      if (known->ticks <= from) {  // it ended before the plans differ
        line = *known;
        continue;
      }
      for (const typename Trial::Checkpoint& checkpoint : known->checkpoints) {
        if (checkpoint.tick <= from) line.checkpoints.push_back(checkpoint);
      }
    }
    if (line.checkpoints.empty()) line.checkpoints.push_back({root_, 0, 0});
    line.ticks = line.checkpoints.back().tick;
    line.score = line.checkpoints.back().score;
  }
}

template <typename G>
typename BasicPlayouts<G>::Progress BasicPlayouts<G>::next_line(Slot& slot, World& world, double floor) {
  Trial& trial = *slot.trial;
  for (; slot.turn < reply_count_; ++slot.turn) {
    const typename Trial::Line& line = line_of(slot);
    if (!line.finished) {
      G::restore(world, line.checkpoints.back().state.snapshot());
      slot.to_stride = line.ticks == 0 ? scoring_.first_stride : scoring_.stride;
      return Progress::goes_on;
    }
    if (line.score >= trial.score) continue;
    trial.score = line.score;
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
typename G::Pair BasicPlayouts<G>::commands_of(const Slot& slot) const noexcept {
  const int tick = line_of(slot).ticks;
  const Command own = slot.trial->plan.at(tick), other = replies_[slot.order[slot.turn]].at(tick);
  return side_ == Side::first ? typename G::Pair{own, other} : typename G::Pair{other, own};
}

template <typename G>
bool BasicPlayouts<G>::end_tick(Slot& slot, const World& world) {
  typename Trial::Line& line = line_of(slot);
  ++line.ticks;
  const bool alive = G::goes_on(world);
  const bool last = line.ticks == scoring_.horizon;
  const bool stride = --slot.to_stride == 0;
  if (!alive) {
    line.score += death_score(world, line.ticks);
  } else if (scoring_.only_last ? last : scoring_.every_tick || stride || last) {
    line.score += score_of(world, line.ticks);
  }
  line.finished = !alive || last;
  if (line.finished) {
    line.end = save(world);
  } else if (stride) {
    slot.to_stride = scoring_.stride;
    line.checkpoints.push_back({save(world), line.ticks, line.score});
  }
  return line.finished;
}

template <typename G>
bool BasicPlayouts<G>::play_mirrored(Trial& trial, const Trial& other) {
  if (!other.lines_[0].finished) return false;
  typename Trial::Line& line = trial.lines_[0];
  line = other.lines_[0];
  line.score = 0;
  const auto score_at = [&](const State& state, int tick) {
    restore(&state);
    const bool alive = G::goes_on(*world_);
    line.score += alive ? score_of(*world_, tick) : death_score(*world_, tick);
  };
  for (typename Trial::Checkpoint& checkpoint : line.checkpoints) {
    if (checkpoint.tick > 0 && !scoring_.only_last) score_at(checkpoint.state, checkpoint.tick);
    checkpoint.score = line.score;
  }
  score_at(line.end, line.ticks);
  trial.score = line.score;
  report(trial.plan, trial.score);
  return true;
}

template <typename G>
int BasicPlayouts<G>::ticks_left(const Trial& trial, std::size_t reply) const noexcept {
  const typename Trial::Line& line = trial.lines_[reply];
  return line.finished ? 0 : scoring_.horizon - line.ticks;
}

template <typename G>
double BasicPlayouts<G>::ticks_until(double until) const noexcept {
  return (until - budget_->used()) * budget_->expected_ticks(fastest_) + 0.5;  // + 0.5: rounded
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
  Slot slot;
  begin_trial(slot, trial, parent, from);
  for (;;) {
    const Progress progress = next_line(slot, *world_, floor);
    if (progress != Progress::goes_on) return progress == Progress::useful;
    if (budget_->spent(until)) return false;
    for (;;) {
      G::step(*world_, commands_of(slot));
      budget_->count(1);
      if (end_tick(slot, *world_)) break;
      if (line_of(slot).ticks % kTicksBetweenLooks == 0 && budget_->spent(until)) return false;
    }
  }
}

template class BasicPlayouts<Contest>;
template class BasicPlayouts<AnyGame>;

}  // namespace forkmunk::search
