// SPDX-License-Identifier: MIT
#include "world_implementation.h"

#include <forkmunk/base/error.h>
#include <forkmunk/engine/observation.h>
#include <forkmunk/engine/world.h>

#include <limits>

namespace forkmunk::engine {
namespace {

// Non-finite states differ between engines, so they are reported as NaN.
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr BodyState kDivergedBody{{kNone, kNone}, kNone, {kNone, kNone}, kNone};
constexpr CarState kDivergedCar{kDivergedBody, kDivergedBody, kDivergedBody};

}  // namespace

std::string_view to_string(DeathCause cause) noexcept {
  switch (cause) {
    case DeathCause::map: return "map";
    case DeathCause::box: return "box";
    case DeathCause::deadline: return "deadline";
    case DeathCause::enemy: return "enemy";
    case DeathCause::none: break;
  }
  return "none";
}

World::World(Physics physics) : physics_(physics) { require_available(physics); }
World::World(std::unique_ptr<WorldImplementation> implementation) noexcept
    : physics_(implementation->physics()), implementation_(std::move(implementation)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::fail(const char* function) { throw Error("World::", function, ": no match; call begin_match() first"); }

void World::fail_restore() const {
  if (implementation_ == nullptr) fail("restore()");
  throw Error("World::restore(): the snapshot is empty or of another match; use one of the same map, car and physics",
              physics_ == Physics::flat ? "" : " that this world has saved in this match");
}

void World::begin_match(const MatchSetup& setup) {
  validate(setup);
  if (implementation_ != nullptr) {
    implementation_->begin_match(setup);
    return;
  }
  auto implementation = physics_ == Physics::flat ? make_flat_world() : make_chipmunk_world(physics_);
  implementation->begin_match(setup);
  implementation_ = std::move(implementation);
}

void World::step(Commands commands) { playing("step()").step(commands); }

void step_together(std::span<World* const> worlds, std::span<const Commands> commands) {
  if (worlds.size() != commands.size()) {
    throw Error("step_together(): commands for ", commands.size(), " worlds; there are ", worlds.size(), " worlds");
  }
  for (const World* world : worlds) {
    if (!world->has_match()) World::fail("step_together()");
  }
  std::size_t repeated = 0;  // the first world cannot be a repetition
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    if (worlds[i]->implementation_->exchange_mark(true)) repeated = i;
  }
  for (const World* world : worlds) world->implementation_->exchange_mark(false);
  if (repeated != 0) {
    throw Error("step_together(): world ", repeated, " is given twice; give each world once in a call");
  }
  for (std::size_t i = 0; i < worlds.size();) {
    std::array<WorldImplementation*, kGroupSizeMax> group;
    std::size_t count = 0;
    for (; count < group.size() && i + count < worlds.size(); ++count) {
      group[count] = worlds[i + count]->implementation_.get();
      if (!group[0]->can_step_with(*group[count])) break;
    }
    if (count <= 1) {
      worlds[i]->implementation_->step(commands[i]);
      ++i;
    } else {
      group[0]->step_group({group.data(), count}, commands.subspan(i, count));
      i += count;
    }
  }
}

Snapshot World::save() const {
  Snapshot snapshot;
  save(snapshot);
  return snapshot;
}

void World::save(Snapshot& snapshot) const { playing("save()").save(snapshot); }

bool World::try_restore(const Snapshot& snapshot) noexcept {
  return implementation_ != nullptr && implementation_->restore(snapshot);
}

void World::set_car(Player player, const CarState& state) {
  WorldImplementation& implementation = playing("set_car()");
  if (!implementation.rules().diverged) implementation.set_car(player, state);
}

void World::take_over(const World& other) {
  const WorldImplementation& theirs = other.playing("take_over()");
  if (&other == this) return;
  if (physics_ != Physics::flat) {
    throw Error("World::take_over(): a Chipmunk world cannot copy the state of another world; use a flat one");
  }
  if (implementation_ == nullptr || !implementation_->plays_match_of(theirs)) begin_match(other.setup());
  implementation_->take_over(theirs);
}

World World::fork() const { return implementation_ == nullptr ? World(physics_) : World(implementation_->fork()); }

const MatchSetup& World::setup() const { return playing("setup()").model().setup; }

CarState World::car(Player player) const {
  const WorldImplementation& implementation = playing("car()");
  if (implementation.rules().diverged) [[unlikely]]
    return kDivergedCar;
  return implementation.car(player);
}

double World::deadline_y() const { return playing("deadline_y()").deadline_y(); }

int World::ticks_to_deadline() const { return playing("ticks_to_deadline()").rules().ticks_to_deadline; }

bool World::dead(Player player) const { return playing("dead()").rules().dead[index_of(player)]; }

DeathCause World::cause_of_death(Player player) const {
  return playing("cause_of_death()").rules().cause[index_of(player)];
}

int World::tick() const { return playing("tick()").rules().tick; }

bool World::takes_commands() const {
  const MatchRules& rules = playing("takes_commands()").rules();
  return !rules.dead[0] && !rules.dead[1];
}

bool World::match_over() const { return playing("match_over()").rules().over; }

bool World::is_finite() const { return !playing("is_finite()").rules().diverged; }

bool World::in_air(Player player) const {
  const WorldImplementation& implementation = playing("in_air()");
  return !implementation.rules().diverged && implementation.in_air(player);
}

std::uint64_t World::hash() const { return hash_of(playing("hash()")); }

std::size_t World::live_bytes() const noexcept {
  return implementation_ == nullptr ? 0 : implementation_->live_bytes();
}

const WorldImplementation& implementation_of(const World& world) {
  if (world.implementation_ == nullptr) World::fail("the state");
  return *world.implementation_;
}

bool is_available(Physics physics) noexcept { return is_available(arithmetic_of(physics)); }

void require_available(Physics physics) {
  if (is_available(physics)) return;
  throw Error("this build has no referee arithmetic: it needs gcc on x86-64 (strict arithmetic is available)");
}

Physics parse_physics(Arithmetic arithmetic, std::string_view engine) {
  Physics physics = fastest_physics(arithmetic);
  if (engine == "chipmunk") {
    physics = chipmunk_physics(arithmetic);
  } else if (engine == "flat") {
    if (physics != Physics::flat) {
      throw Error("the flat engine computes in strict arithmetic only: use strict arithmetic, or chipmunk");
    }
  } else if (engine != "auto") {
    throw Error("engine: found \"", engine, "\", expected \"flat\" or \"chipmunk\"");
  }
  require_available(physics);
  return physics;
}

std::vector<Physics> available_physics() {
  std::vector<Physics> result;
  for (const Physics physics : {Physics::flat, Physics::chipmunk, Physics::chipmunk_fast_math}) {
    if (is_available(physics)) result.push_back(physics);
  }
  return result;
}

namespace {

double* put_poses(double* to, const CarState& car) {
  for (const BodyState* body : car.parts()) {
    *to++ = body->position.x;
    *to++ = body->position.y;
    *to++ = body->angle;
  }
  return to;
}

double* put_velocities(double* to, const CarState& car) {
  for (const BodyState* body : car.parts()) {
    *to++ = body->velocity.x;
    *to++ = body->velocity.y;
    *to++ = body->angular_velocity;
  }
  return to;
}

double* put_seen(double* to, const World& world, const CarState& first, const CarState& second) {
  to = put_poses(put_poses(to, first), second);
  *to++ = world.is_finite() ? world.deadline_y() : first.body.angle;
  return to;
}

}  // namespace

void observe(const World& world, std::span<double, kObservationSize> row) {
  put_seen(row.data(), world, world.car(Player::first), world.car(Player::second));
}

void observe_fully(const World& world, std::span<double, kFullObservationSize> row) {
  const CarState first = world.car(Player::first), second = world.car(Player::second);
  put_velocities(put_velocities(put_seen(row.data(), world, first, second), first), second);
}

}  // namespace forkmunk::engine
