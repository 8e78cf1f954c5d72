// SPDX-License-Identifier: MIT

#include "fit.h"

#include <forkmunk/replay/tolerance.h>
#include <forkmunk/replay/tracker.h>

#include <algorithm>

namespace forkmunk::replay {

using engine::BodyState;
using engine::CarState;
using engine::Command;
using engine::Commands;
using engine::Player;
using engine::Snapshot;

namespace {

constexpr int kMisfitCountMax = 2;  // before a resynchronisation
constexpr std::size_t kCandidateCountMax = 243;
constexpr int kVelocityIterations = 4;
// The largest error (map units or radians) of another build at the first message after exact ones. Rounding errors are
// far smaller, and a dropped message moves a car by far more.
constexpr double kBuildTolerance = 1e-3;
// Once another build is detected: a contact that occurs a step earlier moves a car by this much.
constexpr double kStrayTolerance = 2;

// Makes the next step move the body by the difference.
void correct_velocity(BodyState& body, const BodyState& reached, const formats::RecordedBody& target) {
  body.velocity.x += (target.position.x - reached.position.x) / engine::kTickSeconds;
  body.velocity.y += (target.position.y - reached.position.y) / engine::kTickSeconds;
  body.angular_velocity += (target.angle - reached.angle) / engine::kTickSeconds;
}

}  // namespace

Tracker::Candidate& Tracker::Candidates::add() {
  if (count == list.size()) list.emplace_back();
  list[count].has_next = false;
  return list[count++];
}

Tracker::Tracker(engine::Physics physics) : world_(physics) {}

const Snapshot& Tracker::candidate(std::size_t index) const noexcept { return candidates_.list[index].snapshot; }

void Tracker::receive(const formats::NewMatchMessage& message) {
  problem_.clear();
  accepted_ = false;
  if (status_ != Status::waiting && tick_ < 0) {
    report(message == match_message_ ? "duplicate new_match" : "new_match without a tick since the last new_match");
    if (message == match_message_) return;
  }
  if (tick_ >= 0) finish_match();
  world_.begin_match(message.setup);
  match_message_ = message;
  my_lives_ = message.my_lives;
  enemy_lives_ = message.enemy_lives;
  status_ = Status::exact;
  tick_ = -1;
  misfit_count_ = 0;
  own_.reset();
  last_message_.reset();
  opponent_commands_.clear();
  sure_.clear();
  settled_ = {};
  candidates_.count = prepared_.count = 0;
  Candidate& start = candidates_.add();
  world_.save(start.snapshot);
  start.commands.clear();
  start.last = {};
}

// Steps the death and 90 rest ticks. What a space keeps for the next match depends on the number of steps, not on
// commands.
void Tracker::finish_match() {
  for (std::size_t i = 0; i < candidates_.count; ++i) {
    world_.restore(candidates_.list[i].snapshot);
    Commands commands = candidates_.list[i].last;
    if (own_ && me_) of(commands, *me_) = *own_;
    world_.step(commands);
    if (!world_.takes_commands()) break;
  }
  for (int i = 0; i < engine::kRestTicks; ++i) world_.step({});
}

void Tracker::answered(Command command) {
  prepared_.count = 0;
  if (accepted_) own_ = command;
}

void Tracker::prepare() {
  if (!accepted_ || !own_ || prepared_.count > 0) return;
  for (std::size_t i = 0; i < candidates_.count; ++i) step_to_next(candidates_.list[i]);
  extend(candidates_.list[0], own_, prepared_);
  world_.restore(candidates_.list[0].snapshot);
}

// The next positions depend on earlier commands only.
void Tracker::step_to_next(Candidate& candidate) {
  if (candidate.has_next) return;
  world_.restore(candidate.snapshot);
  world_.step({});
  candidate.deadline = world_.deadline_y();
  candidate.cars = {world_.car(Player::first), world_.car(Player::second)};
  candidate.has_next = true;
}

void Tracker::receive(const formats::TickMessage& message) {
  problem_.clear();
  accepted_ = false;
  error_ = 0;
  if (status_ == Status::waiting) {
    report("tick before the first new_match");
    return;
  }
  const Player me = message.my_car.side == 1 ? Player::first : Player::second;
  if (me_ && *me_ != me) {
    report("my_car changed its side");
    last_message_ = message;
    return;
  }
  me_ = me;
  if (tick_ < 0 && begin_ticks(message)) return;
  if (status_ == Status::following || status_ == Status::approximate) {
    if (follow_nearest(message, kStrayTolerance)) {
      accept(status_);
    } else {
      report("tracking lost: no candidate matches the message; resynchronised");
      resynchronise(message);
    }
  } else if (follow(message, candidates_, own_)) {
    accept(Status::exact);
  } else if (!explain(message)) {
    stray(message);
  }
  last_message_ = message;
  prepared_.count = 0;
  world_.restore(candidates_.list[0].snapshot);
}

// Comes after explain(), because a dropped tick moves two cars at rest by less than another build does.
void Tracker::stray(const formats::TickMessage& message) {
  if (follow_nearest(message, kBuildTolerance)) {
    report("the referee's library is another build (different last bits); tracking is approximate");
    accept(Status::following);
  } else if (++misfit_count_ <= kMisfitCountMax) {
    report("no commands or dropped messages explain this message; holding the last state");
    status_ = Status::holding;
  } else {
    report("tracking lost: several messages do not fit; resynchronised");
    resynchronise(message);
  }
}

// The first message is the match's start unless messages were dropped.
bool Tracker::begin_ticks(const formats::TickMessage& message) {
  world_.restore(candidates_.list[0].snapshot);
  if (world_.deadline_y() == message.deadline_position && fit_of(world_, cars(message)).exact()) {
    accept(Status::exact);
    last_message_ = message;
    return true;
  }
  tick_ = 0;
  return false;
}

// Keeps candidates of `from` whose next step leads to `message`, and replaces candidates_ by their successors.
bool Tracker::follow(const formats::TickMessage& message, Candidates& from, Own own) {
  std::vector<Candidate*> survivors;
  for (std::size_t i = 0; i < from.count; ++i) {
    step_to_next(from.list[i]);
    if (fits(from.list[i], message)) survivors.push_back(&from.list[i]);
  }
  if (survivors.empty()) return false;
  if (survivors.size() > 1) keep_distinct(survivors);
  if (survivors.size() == 1) {
    settle(*survivors.front(), true);
    extend_only(*survivors.front(), own);
    return true;
  }
  next_.count = 0;
  for (const Candidate* survivor : survivors) extend(*survivor, own, next_);
  std::swap(candidates_, next_);
  return true;
}

void Tracker::extend_only(const Candidate& from, Own own) {
  if (prepared_.count > 0 && &from == candidates_.list.data()) {
    for (std::size_t i = 0; i < prepared_.count; ++i) prepared_.list[i].commands.assign(1, prepared_.list[i].last);
    std::swap(candidates_, prepared_);
    return;
  }
  next_.count = 0;
  extend(from, own, next_);
  std::swap(candidates_, next_);
}

void Tracker::keep_distinct(std::vector<Candidate*>& survivors) {
  std::vector<std::uint64_t> hashes;
  std::erase_if(survivors, [&](const Candidate* candidate) {
    world_.restore(candidate->snapshot);
    const std::uint64_t hash = world_.hash();
    if (std::ranges::find(hashes, hash) != hashes.end()) return true;
    hashes.push_back(hash);
    return false;
  });
}

void Tracker::extend(const Candidate& from, Own own, Candidates& to) {
  Commands usual = from.last;
  if (own) of(usual, *me_) = *own;
  for (Commands commands : all_commands(usual)) {
    if (own && of(commands, *me_) != *own) continue;
    if (to.count >= kCandidateCountMax) return;
    world_.restore(from.snapshot);
    world_.step(commands);
    Candidate& added = to.add();
    world_.save(added.snapshot);
    added.commands = from.commands;
    added.commands.push_back(commands);
    added.last = commands;
  }
}

void Tracker::settle(Candidate& certain, bool sure) {
  for (Commands commands : certain.commands) {
    opponent_commands_.push_back(of(commands, opponent_of(*me_)));
    sure_.push_back(sure);
  }
  certain.commands.clear();
  world_.restore(certain.snapshot);
  world_.save(settled_);
}

// Tries a duplicate message, and one or two dropped ones, after which tracking stays exact.
bool Tracker::explain(const formats::TickMessage& message) {
  if (last_message_ == message) {
    report("duplicate tick");
    return true;
  }
  // The bot's own answers to dropped messages are unknown.
  const Candidates* from = &candidates_;
  Own own = own_;
  for (std::size_t dropped = 0; dropped < dropped_.size(); ++dropped) {
    dropped_[dropped].count = 0;
    for (std::size_t i = 0; i < from->count; ++i) extend(from->list[i], own, dropped_[dropped]);
    if (follow(message, dropped_[dropped], std::nullopt)) {
      tick_ += static_cast<int>(dropped) + 1;
      report("dropped ticks before this one: " + std::to_string(dropped + 1));
      accept(Status::exact);
      return true;
    }
    from = &dropped_[dropped];
    own.reset();
  }
  return false;
}

bool Tracker::follow_nearest(const formats::TickMessage& message, double tolerance) {
  const Player opponent = opponent_of(*me_);
  Candidate* nearest = nullptr;
  double least = HUGE_VAL;
  std::array<double, 3> errors{HUGE_VAL, HUGE_VAL, HUGE_VAL};  // of the opponent's car, by its command
  for (std::size_t i = 0; i < candidates_.count; ++i) {
    step_to_next(candidates_.list[i]);
    const Fit fit = fit_of(candidates_.list[i].cars, cars(message));
    double& error = errors[static_cast<std::size_t>(of(candidates_.list[i].last, opponent))];
    error = std::min(error, fit.max_error[index_of(opponent)]);
    if (fit.max_error[0] + fit.max_error[1] >= least) continue;
    nearest = &candidates_.list[i];
    least = fit.max_error[0] + fit.max_error[1];
  }
  if (nearest == nullptr || least > tolerance) return false;
  error_ = least;
  const auto command = static_cast<std::size_t>(of(nearest->last, opponent));
  const double best = errors[command];
  errors[command] = HUGE_VAL;
  settle(*nearest, *std::ranges::min_element(errors) > kSureRatio * best);
  extend_only(*nearest, own_);
  correct_poses(message);
  return true;
}

void Tracker::correct_poses(const formats::TickMessage& message) {
  const std::array<formats::RecordedCar, 2> poses = cars(message);
  for (std::size_t i = 0; i < candidates_.count; ++i) {
    world_.restore(candidates_.list[i].snapshot);
    set_poses(world_, poses);
    world_.save(candidates_.list[i].snapshot);
    candidates_.list[i].has_next = false;
  }
}

void Tracker::resynchronise(const formats::TickMessage& message) {
  ++resync_count_;
  Candidate& leader = candidates_.list[0];
  world_.restore(leader.snapshot);
  for (int i = 0; i < misfit_count_ - 1; ++i) world_.step(leader.last);
  // A message means that both live, with finite numbers.
  if (!world_.takes_commands() || !world_.is_finite()) world_.begin_match(match_message_->setup);
  if (last_message_) {
    set_poses(world_, cars(*last_message_));
    match_velocities(cars(message));
  }
  Candidate base;
  world_.save(base.snapshot);
  base.last = leader.last;
  world_.save(settled_);
  next_.count = 0;
  extend(base, std::nullopt, next_);
  std::swap(candidates_, next_);
  tick_ += std::max(misfit_count_ - 1, 0);
  opponent_commands_.resize(static_cast<std::size_t>(std::max(tick_, 0)), of(base.last, opponent_of(*me_)));
  sure_.resize(opponent_commands_.size(), 0);
  accept(Status::approximate);
}

// Iterates, because the next step includes terms of the solver (bias velocities, the lever of the centre of gravity).
void Tracker::match_velocities(const std::array<formats::RecordedCar, 2>& target) {
  Snapshot here;
  for (int iteration = 0; iteration < kVelocityIterations; ++iteration) {
    world_.save(here);
    world_.step({});
    const std::array reached{world_.car(Player::first), world_.car(Player::second)};
    world_.restore(here);
    for (const Player player : engine::kPlayers) {
      const std::size_t i = index_of(player);
      CarState car = world_.car(player);
      for (std::size_t part = 0; part < 3; ++part) {
        correct_velocity(*car.parts()[part], *reached[i].parts()[part], *target[i].parts()[part]);
      }
      world_.set_car(player, car);
    }
  }
}

void Tracker::accept(Status status) {
  ++tick_;
  status_ = status;
  accepted_ = true;
  own_.reset();
  misfit_count_ = 0;
}

void Tracker::report(std::string problem) {
  problem_ = std::move(problem);
  ++problem_count_;
}

bool Tracker::fits(const Candidate& candidate, const formats::TickMessage& message) const {
  return candidate.deadline == message.deadline_position && fit_of(candidate.cars, cars(message)).exact();
}

std::array<formats::RecordedCar, 2> Tracker::cars(const formats::TickMessage& message) const {
  if (*me_ == Player::first) return {message.my_car, message.enemy_car};
  return {message.enemy_car, message.my_car};
}

namespace {

bool is_exact(const std::unique_ptr<Tracker>& tracker) {
  return tracker != nullptr && tracker->status() == Tracker::Status::exact;
}

bool follows(const std::unique_ptr<Tracker>& tracker) {
  return tracker == nullptr || tracker->status() == Tracker::Status::following ||
         tracker->status() == Tracker::Status::approximate;
}

}  // namespace

std::string_view to_string(RefereeKind kind) noexcept {
  switch (kind) {
    case RefereeKind::strict: return "strict";
    case RefereeKind::referee: return "referee";
    case RefereeKind::other: return "other";
    case RefereeKind::unknown: break;
  }
  return "unknown";
}

RefereeTracker::RefereeTracker(std::optional<Arithmetic> arithmetic) {
  if (arithmetic == Arithmetic::referee) {
    referee_ = std::make_unique<Tracker>(engine::Physics::chipmunk_fast_math);
    kind_ = RefereeKind::referee;
    return;
  }
  strict_ = std::make_unique<Tracker>(engine::Physics::flat);
  if (arithmetic == Arithmetic::strict) {
    kind_ = RefereeKind::strict;
  } else if (is_available(Arithmetic::referee)) {
    referee_ = std::make_unique<Tracker>(engine::Physics::chipmunk_fast_math);
  }
}

template <typename Call>
void RefereeTracker::each(Call call) {
  if (strict_ != nullptr) call(*strict_);
  if (referee_ != nullptr) call(*referee_);
}

void RefereeTracker::receive(const formats::NewMatchMessage& message) {
  each([&](Tracker& tracker) { tracker.receive(message); });
}

void RefereeTracker::receive(const formats::TickMessage& message) {
  each([&](Tracker& tracker) { tracker.receive(message); });
  if (kind_ == RefereeKind::unknown) find_out();
}

void RefereeTracker::answered(engine::Command command) {
  each([&](Tracker& tracker) { tracker.answered(command); });
}

void RefereeTracker::prepare() {
  each([](Tracker& tracker) { tracker.prepare(); });
}

void RefereeTracker::find_out() {
  constexpr int kDecisiveTick = 2;  // the third tick is the first whose numbers differ between arithmetics
  if (tracker().tick() < kDecisiveTick) return;
  if (is_exact(strict_) && !is_exact(referee_)) {
    kind_ = RefereeKind::strict;
    referee_ = nullptr;
  } else if (is_exact(referee_) && !is_exact(strict_)) {
    kind_ = RefereeKind::referee;
    strict_ = nullptr;
  } else if (follows(strict_) && follows(referee_)) {
    kind_ = RefereeKind::other;
    referee_ = nullptr;
  }
}

}  // namespace forkmunk::replay
