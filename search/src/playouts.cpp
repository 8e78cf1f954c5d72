#include "playouts.h"

#include <forkmunk/base/check.h>

#include <algorithm>
#include <limits>

namespace forkmunk::search {
namespace {

// Both dying is not far from nothing having happened; it is better avoided all the same.
constexpr double kBothDie = -0.02;

}  // namespace

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
  constexpr std::int64_t kEnoughTicks = 100;
  if (budget_->ticks_used() >= kEnoughTicks) {
    ticks_per_second_ = static_cast<double>(budget_->ticks_used()) / budget_->seconds();
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

void Playouts::restore(const CheckpointPool::Ref* from) noexcept {
  const bool restored = world_->restore((from != nullptr ? *from : root_).snapshot());
  FORKMUNK_CHECK(restored, "a checkpoint of another match, at tick %d", tick_);
  static_cast<void>(restored);
}

CheckpointPool::Ref Playouts::save() {
  CheckpointPool::Ref state = pool_.take();
  world_->save(state.snapshot());
  return state;
}

bool Playouts::step(engine::Command own, engine::Command other) noexcept {
  world_->step(side_ == engine::Player::first ? engine::Commands{own, other} : engine::Commands{other, own});
  budget_->count(1);
  return world_->takes_commands();
}

double Playouts::death_score(int ticks) const noexcept {
  const bool mine = world_->dead(side_);
  const bool theirs = world_->dead(opponent_of(side_));
  const double outcome = mine && theirs ? kBothDie : mine ? -1 : 1;
  const double share = scoring_.death_lasts
                           ? static_cast<double>(scoring_.horizon + 1 - ticks) / static_cast<double>(scoring_.horizon)
                           : discount_[static_cast<std::size_t>(ticks)];
  return outcome * share * kWin;
}

bool Playouts::play_line(Trial::Line& line, const Plan& plan, const Plan& reply, const Trial::Line* parent, int from,
                         double until) {
  line.checkpoints.clear();
  line.finished = false;
  if (parent != nullptr && parent->finished && habits_.share_prefixes) {
    if (parent->ticks <= from) {  // it ended before the plans part
      line = *parent;
      return true;
    }
    for (const Trial::Checkpoint& checkpoint : parent->checkpoints) {
      if (checkpoint.tick <= from) line.checkpoints.push_back(checkpoint);
    }
  }
  if (line.checkpoints.empty()) line.checkpoints.push_back({root_, 0, 0});

  const Trial::Checkpoint start = line.checkpoints.back();
  if (budget_->spent(until)) return false;
  restore(&start.state);
  line.score = start.score;
  int to_stride = start.tick == 0 ? scoring_.first_stride : scoring_.stride;
  for (line.ticks = start.tick; line.ticks < scoring_.horizon;) {
    const bool alive = step(plan.at(line.ticks), reply.at(line.ticks));
    ++line.ticks;
    if (!alive) {
      line.score += death_score(line.ticks);
      break;
    }
    const bool last = line.ticks == scoring_.horizon;
    const bool stride = --to_stride == 0;
    if (scoring_.only_last ? last : scoring_.every_tick || stride || last) {
      line.score += score_now(line.ticks);
    }
    if (last) continue;
    if (line.ticks % kTicksBetweenLooks == 0 && budget_->spent(until)) return false;
    if (!stride) continue;
    to_stride = scoring_.stride;
    line.checkpoints.push_back({save(), line.ticks, line.score});
  }
  line.finished = true;
  return true;
}

bool Playouts::play(Trial& trial, const Trial* parent, int from, double floor, double until) {
  trial.score = std::numeric_limits<double>::infinity();
  int worst = 0;
  for (int i = 0; i < static_cast<int>(reply_count_); ++i) {
    const std::size_t reply = order_[static_cast<std::size_t>(i)];
    if (!play_line(trial.lines_[reply], trial.plan, replies_[reply], parent ? &parent->lines_[reply] : nullptr, from,
                   until)) {
      return false;
    }
    if (trial.lines_[reply].score >= trial.score) continue;
    trial.score = trial.lines_[reply].score;
    worst = i;
    if (trial.score <= floor && habits_.prune) break;
  }
  if (habits_.worst_first) std::rotate(order_.begin(), order_.begin() + worst, order_.begin() + worst + 1);
  report(trial.plan, trial.score);
  return trial.score > floor;
}

}  // namespace forkmunk::search
