// SPDX-License-Identifier: MIT
#include "evaluators/scene.h"

#include <forkmunk/planning/climber.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace forkmunk::planning {
namespace {

using engine::Command;
using engine::Player;
using engine::World;

constexpr std::size_t kPlanTicksMost = 300;
constexpr std::size_t kHoldLeast = 5;
constexpr std::size_t kHoldMost = 60;
constexpr std::uint64_t kPercentNew = 5;  // the others are changed copies of the best plan
constexpr int kRestTicks = 250;           // at most
// A car counts by its lowest pose of these ticks, at the end of its rest. The rest is over when the car did not move in
// them.
constexpr int kLookTicks = 20;
constexpr double kSpeedAtRest = 0.5;   // map units per second
constexpr double kRateAtRest = 0.005;  // rad per second
constexpr double kEndsMatch = -1e6;
// The shorter of two ways to one pose is better.
constexpr double kCostOfATick = 0.01;

// Returns the tick in which the deadline reaches the lower end of a button.
double drowning_tick(double button_low) noexcept {
  constexpr double kDeadlineStart = 10, kReach = 2, kRisePerTick = 0.5;
  return engine::kTicksToDeadline + std::max(button_low - kDeadlineStart - kReach, 0.0) / kRisePerTick;
}

std::ptrdiff_t offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

}  // namespace

Climber::Climber(std::uint64_t seed) : random_(seed) {}
Climber::~Climber() = default;

void Climber::begin_match(const World& world, Player me) {
  me_ = me;
  shape_ = std::make_unique<CarShape>(world.setup().car);
  plan_.clear();
  tick_ = world.tick();
}

Climber::Commands Climber::random_plan() {
  Commands plan;
  const std::size_t ticks = kHoldMost + random_.below(kPlanTicksMost - kHoldMost + 1);
  while (plan.size() < ticks) {
    const std::size_t hold = kHoldLeast + random_.below(kHoldMost - kHoldLeast + 1);
    plan.insert(plan.end(), std::min(hold, ticks - plan.size()), random_.pick(engine::kCommands));
  }
  return plan;
}

void Climber::mutate(Commands& plan) {
  constexpr std::uint64_t kNewEnd = 0, kEarlierStop = 1, kOtherDuration = 2, kPose = 3, kKinds = 5;
  const std::uint64_t kind = plan.empty() ? kNewEnd : random_.below(kKinds);
  const std::size_t from = plan.empty() ? 0 : random_.below(plan.size());
  if (kind == kNewEnd || kind == kEarlierStop) {
    plan.resize(from);
    if (kind == kEarlierStop) return;
    const Commands end = random_plan();
    plan.insert(plan.end(), end.begin(), end.begin() + offset(std::min(end.size(), kPlanTicksMost - from)));
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
  // A short command adjusts a pose; a long one changes the way.
  const std::size_t to = std::min(from + 1 + random_.below(kind == kPose ? kHoldLeast : kHoldMost), kPlanTicksMost);
  if (plan.size() < to) plan.resize(to, Command::stop);
  std::fill(plan.begin() + offset(from), plan.begin() + offset(to), random_.pick(engine::kCommands));
}

// Returns the tick of drowning after the plan, from state_.
double Climber::play(World& world, const Commands& plan) {
  world.restore(state_);
  const int end = static_cast<int>(plan.size()) + kRestTicks;
  double low = std::numeric_limits<double>::infinity();
  int calm = 0;
  for (int tick = 0; tick < end && world.takes_commands(); ++tick) {
    const auto index = static_cast<std::size_t>(tick);
    const Command mine = index < plan.size() ? plan[index] : Command::stop;
    world.step(me_ == Player::first ? engine::Commands{mine, Command::stop} : engine::Commands{Command::stop, mine});
    ++played_;
    if (index < plan.size()) continue;
    const CarView car(*shape_, world.car(me_), me_);
    if (length(car.velocity) > kSpeedAtRest || std::abs(car.rate) > kRateAtRest) {
      calm = 0;
      if (tick < end - kLookTicks) low = std::numeric_limits<double>::infinity();
    }
    low = std::min(low, car.button_low);
    if (++calm == kLookTicks) break;
  }
  if (world.dead(me_)) return world.cause_of_death(me_) == engine::DeathCause::deadline ? world.tick() : kEndsMatch;
  // The deadline may have killed the other car before this car rests.
  if (world.takes_commands()) return drowning_tick(low);
  if (world.cause_of_death(opponent_of(me_)) != engine::DeathCause::deadline) return kEndsMatch;
  return drowning_tick(CarView(*shape_, world.car(me_), me_).button_low);
}

void Climber::improve(World& world, std::int64_t ticks) {
  const auto passed = static_cast<std::size_t>(world.tick() - tick_);
  plan_.erase(plan_.begin(), plan_.begin() + offset(std::min(passed, plan_.size())));
  tick_ = world.tick();
  world.save(state_);
  played_ = 0;
  const auto cost = [](const Commands& plan) { return kCostOfATick * static_cast<double>(plan.size()); };
  // Scored again, because the match may have taken another course.
  drowns_at_ = play(world, plan_);
  score_ = drowns_at_ - cost(plan_);
  Commands child;
  while (played_ < ticks) {
    if (random_.below(100) < kPercentNew) {
      child = random_plan();
    } else {
      child = plan_;
      mutate(child);
    }
    const double drowns_at = play(world, child);
    if (drowns_at - cost(child) <= score_) continue;
    drowns_at_ = drowns_at;
    score_ = drowns_at - cost(child);
    plan_.swap(child);
  }
  world.restore(state_);
}

Command Climber::command() const noexcept { return plan_.empty() ? Command::stop : plan_.front(); }

}  // namespace forkmunk::planning
