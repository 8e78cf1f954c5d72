// SPDX-License-Identifier: MIT
#include "evaluators/scene.h"

#include <forkmunk/base/error.h>
#include <forkmunk/planning/climber.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace forkmunk::planning {
namespace {

using engine::Command;
using engine::Commands;
using engine::DeathCause;
using engine::Player;
using engine::World;

constexpr std::size_t kPlanTicksMost = 300;
constexpr std::size_t kHoldLeast = 5;
constexpr std::size_t kHoldMost = 60;
constexpr std::uint64_t kPercentNew = 5;  // the percentage of new plans; the others are changed copies of the best one
constexpr int kRestTicks = 250;           // at most
// A car counts by its lowest pose of these ticks, at the end of its rest. The rest is over when the car did not move in
// them.
constexpr int kLookTicks = 20;
constexpr double kSpeedAtRest = 0.5;   // map units per second
constexpr double kRateAtRest = 0.005;  // rad per second
// The other car stays where it is, though its player may adjust its pose.
constexpr double kSpeedOfStay = 20;  // map units per second
constexpr double kRateOfStay = 0.2;  // rad per second
constexpr double kEndsMatch = -1e6;
constexpr int kTicksBetweenLooks = 8;  // at the budget
// The shorter of two ways to one pose is better.
constexpr double kCostOfATick = 0.01;

// Returns the tick of the match in which the deadline reaches a button with this lower end.
double drowning_tick(double button_low) noexcept {
  constexpr double kDeadlineStart = 10, kReach = 2, kRisePerTick = 0.5;
  return engine::kTicksToDeadline + std::max(button_low - kDeadlineStart - kReach, 0.0) / kRisePerTick;
}

Commands commands_of(Player player, Command own, Command other) noexcept {
  return player == Player::first ? Commands{own, other} : Commands{other, own};
}

bool moves(const CarView& car) noexcept {
  return length(car.velocity) > kSpeedAtRest || std::abs(car.rate) > kRateAtRest;
}

std::ptrdiff_t offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

}  // namespace

struct Climber::Shape {
  CarShape car;
};

Climber::Climber(std::uint64_t seed, Goal goal) : random_(seed), goal_(goal) {}
Climber::~Climber() = default;
Climber::Climber(Climber&&) noexcept = default;
Climber& Climber::operator=(Climber&&) noexcept = default;

void Climber::begin_match(const World& world, Player me) {
  me_ = me;
  shape_ = std::make_unique<Shape>(Shape{CarShape(world.setup().car)});
  plan_.reserve(kPlanTicksMost);
  child_.reserve(kPlanTicksMost);
  tick_ = world.tick();
  other_drowns_at_ = 0;
  world.save(state_);
  world.save(root_);
  restart(tick_);
}

void Climber::restart(int launch_tick) noexcept {
  plan_.clear();
  worth_ = drowns_at_ = 0;
  launch_ = launch_tick;
}

// Appends random commands for 60 to 300 ticks, at most `ticks_max`.
void Climber::append_random(Commands& plan, std::size_t ticks_max) {
  const std::size_t ticks = kHoldMost + random_.below(kPlanTicksMost - kHoldMost + 1);
  const std::size_t end = plan.size() + std::min(ticks, ticks_max);
  while (plan.size() < end) {
    const std::size_t hold = kHoldLeast + random_.below(kHoldMost - kHoldLeast + 1);
    plan.insert(plan.end(), std::min(hold, end - plan.size()), random_.pick(engine::kCommands));
  }
}

void Climber::mutate(Commands& plan) {
  constexpr std::uint64_t kNewEnd = 0, kEarlierStop = 1, kOtherDuration = 2, kPose = 3, kKinds = 5;
  const std::uint64_t kind = plan.empty() ? kNewEnd : random_.below(kKinds);
  const std::size_t from = plan.empty() ? 0 : random_.below(plan.size());
  if (kind == kNewEnd || kind == kEarlierStop) {
    plan.resize(from);
    if (kind == kNewEnd) append_random(plan, kPlanTicksMost - from);
    return;
  }
  if (kind == kOtherDuration) {
    const std::size_t ticks = 1 + random_.below(10);
    const auto at = plan.begin() + offset(from);
    if (random_.below(2) == 0) {
      plan.insert(at, std::min(ticks, kPlanTicksMost - plan.size()), Command{*at});
    } else {
      plan.erase(at, at + offset(std::min(ticks, plan.size() - from)));
    }
    return;
  }
  // Another command for a short while adjusts a pose; for a long one it changes the way.
  const std::size_t to = std::min(from + 1 + random_.below(kind == kPose ? kHoldLeast : kHoldMost), kPlanTicksMost);
  if (plan.size() < to) plan.resize(to, Command::stop);
  std::fill(plan.begin() + offset(from), plan.begin() + offset(to), random_.pick(engine::kCommands));
}

// Plays a plan from root_. \return nothing if the budget was used up before the plan's end.
std::optional<Climber::Outcome> Climber::play(World& world, const Commands& plan, search::Budget& budget) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  world.restore(root_);
  const int end = static_cast<int>(plan.size()) + kRestTicks;
  const bool watches_other = goal_ == Goal::outlive && !other_moves_;
  double low = kInfinite, other_low = kInfinite;
  int calm = 0, tick = 0;
  budget.count(1);  // so that a search by ticks ends even if no car can move
  while (tick < end && world.takes_commands() && calm < kLookTicks) {
    const auto index = static_cast<std::size_t>(tick++);
    world.step(commands_of(me_, index < plan.size() ? plan[index] : Command::stop, Command::stop));
    budget.count(1);
    if (goal_ == Goal::outlive && tick % kTicksBetweenLooks == 0 && budget.spent()) return std::nullopt;
    if (index < plan.size()) continue;
    const CarView car(shape_->car, world.car(me_), me_);
    const CarView other(shape_->car, world.car(opponent_of(me_)), opponent_of(me_));
    if (moves(car) || (watches_other && moves(other))) {
      calm = 0;
      if (tick <= end - kLookTicks) low = other_low = kInfinite;
    }
    low = std::min(low, car.button_low);
    other_low = std::min(other_low, other.button_low);
    ++calm;
  }
  return outcome(world, low, other_low, tick);
}

Climber::Outcome Climber::outcome(const World& world, double low, double other_low, int ticks) const {
  const Player other = opponent_of(me_);
  const bool i_die = world.dead(me_), other_dies = world.dead(other);
  const bool i_drown = world.cause_of_death(me_) == DeathCause::deadline;
  const bool other_drowns = world.cause_of_death(other) == DeathCause::deadline;
  const auto drowns_at = [&](Player player, double lowest) {
    if (world.dead(player)) return static_cast<double>(world.tick());
    // The rest is not over if the deadline has killed the other car.
    if (!world.takes_commands()) lowest = CarView(shape_->car, world.car(player), player).button_low;
    return std::max(drowning_tick(lowest), world.tick() + 1.0);
  };
  if (i_die && !i_drown) return {kEndsMatch + ticks, kEndsMatch};
  const double mine = drowns_at(me_, low);
  if (goal_ == Goal::last) {
    if (other_dies && !other_drowns) return {kEndsMatch, kEndsMatch};
    return {mine, mine};
  }
  const double theirs = other_moves_ ? other_drowns_at_ : drowns_at(other, other_low);
  const double fallen = other_drowns_at_ - theirs;
  // A car that has fallen climbs again if it has time.
  constexpr double kTicksToReturn = 50, kTicksToClimb = 150, kDoubt = 0.05;
  const double back =
      fallen > 0 ? fallen * std::clamp((theirs - tick_ - kTicksToReturn) / kTicksToClimb, kDoubt, 1.0) : 0;
  constexpr double kOutlives = 10;  // the margin of a car that lives, perhaps in the air, when the other car drowns
  const double margin = !other_dies ? mine - theirs - back : i_die ? 0 : kOutlives;
  // The other car does not wait for an attack that takes long. It drowns early if it has fallen by more than it creeps.
  constexpr double kKill = 20, kKillPerTick = 0.5, kKillLeast = -100, kCreeps = 5;
  if (other_dies && !i_die && (!other_drowns || fallen > kCreeps)) {
    return {std::max(kKill - kKillPerTick * ticks, kKillLeast), mine};
  }
  constexpr double kMost = 30, kHalf = 10;  // a margin of 10 ticks is worth a half of the most
  return {margin > 0 ? kMost * margin / (margin + kHalf) : margin, mine};
}

void Climber::improve(World& world, search::Budget& budget) {
  const int begin = std::max(launch_, tick_);
  tick_ = world.tick();
  const auto passed = static_cast<std::size_t>(std::max(std::max(launch_, tick_) - begin, 0));
  plan_.erase(plan_.begin(), plan_.begin() + offset(std::min(passed, plan_.size())));
  world.save(state_);
  const Player other = opponent_of(me_);
  const CarView other_view(shape_->car, world.car(other), other);
  other_moves_ = length(other_view.velocity) > kSpeedOfStay || std::abs(other_view.rate) > kRateOfStay;
  if (!other_moves_) other_drowns_at_ = drowning_tick(other_view.button_low);
  for (int tick = tick_; tick < launch_ && world.takes_commands() && !budget.spent(); ++tick) {
    world.step({Command::stop, Command::stop});
    budget.count(1);
  }
  if (!world.takes_commands()) {
    launch_ = tick_;
    world.restore(state_);
  }
  world.save(root_);
  const auto cost = [](const Commands& plan) { return kCostOfATick * static_cast<double>(plan.size()); };
  // The plan is played again, because the match may have taken another course since the last call.
  std::optional<Outcome> played = play(world, plan_, budget);
  if (played) {
    worth_ = played->worth - cost(plan_);
    drowns_at_ = played->drowns_at;
  }
  while (played && !budget.spent()) {
    child_ = plan_;
    if (random_.below(100) < kPercentNew) {
      child_.clear();
      append_random(child_, kPlanTicksMost);
    } else {
      mutate(child_);
    }
    played = play(world, child_, budget);
    if (!played || played->worth - cost(child_) <= worth_) continue;
    worth_ = played->worth - cost(child_);
    drowns_at_ = played->drowns_at;
    plan_.swap(child_);
  }
  world.restore(state_);
}

// Returns the command at a tick of the match.
Command Climber::command_at(int tick) const noexcept {
  const int index = tick - std::max(launch_, tick_);
  if (index < 0 || index >= static_cast<int>(plan_.size())) return Command::stop;
  return plan_[static_cast<std::size_t>(index)];
}

Command Climber::command() const noexcept { return command_at(tick_); }

Plan Climber::next(int ticks) const {
  Plan plan(ticks, Command::stop);
  for (int tick = 0; tick < ticks; ++tick) plan.set(tick, command_at(tick_ + tick));
  return plan;
}

void Climber::carry(search::PlannerState& state) {
  state(random_);
  state(worth_);
  state(drowns_at_);
  state(other_drowns_at_);
  state.tick(tick_);
  state.tick(launch_);
  std::size_t ticks = plan_.size();
  state.index(ticks);
  if (ticks > kPlanTicksMost) throw Error("a planner's state: a plan has an impossible length");
  plan_.resize(ticks);
  for (Command& command : plan_) {
    auto number = static_cast<std::uint8_t>(command);
    state(number);
    if (number >= engine::kCommands.size()) throw Error("a planner's state: a plan has an unknown command");
    command = static_cast<Command>(number);
  }
}

}  // namespace forkmunk::planning
