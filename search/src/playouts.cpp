#include "playouts.h"

#include <forkmunk/base/check.h>

#include <algorithm>
#include <limits>

namespace forkmunk::search {
namespace {

// A double death is almost neutral, but slightly negative.
constexpr double kBothDie = -0.02;
// Minimum of ticks for an estimate of the speed.
constexpr std::int64_t kEnoughTicks = 100;

}  // namespace

void Playouts::begin_match(const engine::World& world, std::size_t states) {
  pool_.reserve(world, states + kOwnStates);
  const CheckpointPool::Ref state = save(world);
  more_worlds_.clear();
  for (std::size_t i = 1; i < kBatchMax; ++i) {
    more_worlds_.push_back(world.fork());
    // A Chipmunk world's bytes fit that world only.
    if (!more_worlds_.back().try_restore(state.snapshot())) return more_worlds_.clear();
  }
}

void Playouts::begin(engine::World& world, Budget& budget) {
  world_ = &world;
  budget_ = &budget;
  tick_ = world.tick();
  ++decision_;
  root_ = save();
}

void Playouts::end() noexcept {
  restore(nullptr);
  root_.release();
  if (budget_->ticks_used() >= kEnoughTicks) {
    ticks_per_second_ = static_cast<double>(budget_->ticks_used()) / budget_->seconds();
    fastest_ = std::max(0.99 * fastest_, ticks_per_second_);
  }
}

void Playouts::face(engine::Player side, std::span<const Plan> replies, const Scoring& scoring) {
  FORKMUNK_CHECK(!replies.empty() && replies.size() <= kRepliesMax, "%zu replies", replies.size());
  side_ = side;
  std::ranges::copy(replies, replies_.begin());
  reply_count_ = replies.size();
  for (std::size_t i = 0; i < reply_count_; ++i) order_[i] = i;
  scoring_ = scoring;
  discount_[0] = 1;
  for (std::size_t tick = 1; tick < discount_.size(); ++tick) discount_[tick] = discount_[tick - 1] * scoring.discount;
}

void Playouts::restore(const CheckpointPool::Ref* from) noexcept { restore(*world_, from != nullptr ? *from : root_); }

void Playouts::restore(engine::World& world, const CheckpointPool::Ref& from) const noexcept {
  world.restore(from.snapshot());
}

CheckpointPool::Ref Playouts::save() { return save(*world_); }

CheckpointPool::Ref Playouts::save(const engine::World& world) {
  CheckpointPool::Ref state = pool_.take();
  world.save(state.snapshot());
  return state;
}

bool Playouts::step(engine::Command own, engine::Command other) noexcept {
  world_->step(side_ == engine::Player::first ? engine::Commands{own, other} : engine::Commands{other, own});
  budget_->count(1);
  return world_->takes_commands();
}

double Playouts::death_score(const engine::World& world, int ticks) const noexcept {
  const bool mine = world.dead(side_);
  const bool theirs = world.dead(opponent_of(side_));
  const double outcome = mine && theirs ? kBothDie : mine ? -1 : 1;
  const double share = scoring_.death_lasts
                           ? static_cast<double>(scoring_.horizon + 1 - ticks) / static_cast<double>(scoring_.horizon)
                           : discount_[static_cast<std::size_t>(ticks)];
  return outcome * share * kWin;
}

// Copies everything shared with the parent now: the parent may change before all replies are played.
void Playouts::begin_trial(Slot& slot, Trial& trial, const Trial* parent, int from) {
  slot = {&trial, order_};
  trial.score = std::numeric_limits<double>::infinity();
  for (std::size_t reply = 0; reply < reply_count_; ++reply) {
    Trial::Line& line = trial.lines_[reply];
    line.checkpoints.clear();
    line.end.release();
    line.finished = false;
    line.ticks = 0;
    const Trial::Line* const known = parent != nullptr ? &parent->lines_[reply] : nullptr;
    if (known != nullptr && known->finished) {
      if (known->ticks <= from) {  // it ended before the plans differ
        line = *known;
        continue;
      }
      for (const Trial::Checkpoint& checkpoint : known->checkpoints) {
        if (checkpoint.tick <= from) line.checkpoints.push_back(checkpoint);
      }
    }
    if (line.checkpoints.empty()) line.checkpoints.push_back({root_, 0, 0});
    line.ticks = line.checkpoints.back().tick;
    line.score = line.checkpoints.back().score;
  }
}

Playouts::Progress Playouts::next_line(Slot& slot, engine::World& world, double floor) {
  Trial& trial = *slot.trial;
  for (; slot.turn < reply_count_; ++slot.turn) {
    const Trial::Line& line = line_of(slot);
    if (!line.finished) {
      restore(world, line.checkpoints.back().state);
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

void Playouts::end_trial(const Slot& slot) {
  if (slot.worst > 0) {
    const auto last = std::ranges::find(order_, slot.order[slot.worst]);
    std::rotate(order_.begin(), last, last + 1);
  }
  report(slot.trial->plan, slot.trial->score);
}

engine::Commands Playouts::commands_of(const Slot& slot) const noexcept {
  const int tick = line_of(slot).ticks;
  const engine::Command own = slot.trial->plan.at(tick), other = replies_[slot.order[slot.turn]].at(tick);
  return side_ == engine::Player::first ? engine::Commands{own, other} : engine::Commands{other, own};
}

bool Playouts::end_tick(Slot& slot, const engine::World& world) {
  Trial::Line& line = line_of(slot);
  ++line.ticks;
  const bool alive = world.takes_commands();
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

bool Playouts::play_mirrored(Trial& trial, const Trial& other) {
  if (!other.lines_[0].finished) return false;
  Trial::Line& line = trial.lines_[0];
  line = other.lines_[0];
  line.score = 0;
  const auto score_at = [&](const CheckpointPool::Ref& state, int tick) {
    restore(&state);
    const bool alive = world_->takes_commands();
    line.score += alive ? score_of(*world_, tick) : death_score(*world_, tick);
  };
  for (Trial::Checkpoint& checkpoint : line.checkpoints) {
    if (checkpoint.tick > 0 && !scoring_.only_last) score_at(checkpoint.state, checkpoint.tick);
    checkpoint.score = line.score;
  }
  score_at(line.end, line.ticks);
  trial.score = line.score;
  report(trial.plan, trial.score);
  return true;
}

int Playouts::ticks_left(const Trial& trial, std::size_t reply) const noexcept {
  const Trial::Line& line = trial.lines_[reply];
  return line.finished ? 0 : scoring_.horizon - line.ticks;
}

double Playouts::ticks_until(double until) const noexcept {
  return (until - budget_->used()) * budget_->expected_ticks(fastest_) + 0.5;  // + 0.5: rounded
}

void Playouts::step_batch(std::span<Slot> slots) {
  std::array<engine::World*, kBatchMax> worlds;
  std::array<engine::Commands, kBatchMax> commands;
  std::size_t count = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].trial == nullptr) continue;
    worlds[count] = &world_at(i);
    commands[count++] = commands_of(slots[i]);
  }
  engine::step_together(std::span(worlds).first(count), std::span(commands).first(count));
  budget_->count(static_cast<std::int64_t>(count));
}

bool Playouts::play(Trial& trial, const Trial* parent, int from, double floor, double until) {
  Slot slot;
  begin_trial(slot, trial, parent, from);
  for (;;) {
    const Progress progress = next_line(slot, *world_, floor);
    if (progress != Progress::goes_on) return progress == Progress::useful;
    if (budget_->spent(until)) return false;
    for (;;) {
      world_->step(commands_of(slot));
      budget_->count(1);
      if (end_tick(slot, *world_)) break;
      if (line_of(slot).ticks % kTicksBetweenLooks == 0 && budget_->spent(until)) return false;
    }
  }
}

}  // namespace forkmunk::search
