#include "space/hasher.h"
#include "world_implementation.h"

#include <forkmunk/arena_alloc/check.h>
#include <forkmunk/engine/world.h>

namespace forkmunk::engine {
namespace {

std::unique_ptr<WorldImplementation> make(Physics physics) {
  if (!is_available(physics.arithmetic)) {
    throw Error("this build has no referee arithmetic: it needs gcc on x86-64 (strict arithmetic is available)");
  }
  if (!is_available(physics.engine, physics.arithmetic)) {
    throw Error("the flat engine computes in strict arithmetic only; use the chipmunk engine for referee arithmetic");
  }
  return physics.engine == EngineKind::flat ? make_flat_world() : make_chipmunk_world(physics.arithmetic);
}

// Contacts, which come in any order, are summed.
class HashVisitor final : public StateVisitor {
 public:
  void number(const char*, int, const char*, double value) override { hasher_.add(value); }
  void integer(const char*, int, const char*, std::uint64_t value) override { hasher_.add(value); }
  void contact(const ContactDescription& contact) override {
    Hasher hasher;
    hasher.add(contact.low_id, contact.high_id, contact.stamp, contact.state, contact.count);
    for (std::size_t i = 0; i < contact.count; ++i) {
      const ContactPointDescription& point = contact.points[i];
      hasher.add(point.hash, point.normal_impulse, point.tangent_impulse);
    }
    contacts_ += hasher.value();
  }
  [[nodiscard]] std::uint64_t value() {
    hasher_.add(contacts_);
    return hasher_.value();
  }

 private:
  Hasher hasher_;
  std::uint64_t contacts_ = 0;
};

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

World::World(Physics physics) : implementation_(make(physics)) {}
World::World(std::unique_ptr<WorldImplementation> implementation) noexcept
    : implementation_(std::move(implementation)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::begin_match(const MatchSetup& setup) {
  validate(setup);
  implementation_->begin_match(setup);
}

void World::step(Commands commands) noexcept {
  FORKMUNK_CHECK(has_match(), "step() before begin_match()");
  implementation_->step(commands);
}

Snapshot World::save() const {
  Snapshot snapshot;
  save(snapshot);
  return snapshot;
}

void World::save(Snapshot& snapshot) const {
  FORKMUNK_CHECK(has_match(), "save() before begin_match()");
  implementation_->save(snapshot);
}

bool World::restore(const Snapshot& snapshot) noexcept { return implementation_->restore(snapshot); }

void World::set_car(Player player, const CarState& state) noexcept {
  FORKMUNK_CHECK(has_match(), "set_car() before begin_match()");
  implementation_->set_car(player, state);
}

World World::fork() const { return World(implementation_->fork()); }

Physics World::physics() const noexcept { return implementation_->physics(); }

const MatchSetup& World::setup() const noexcept {
  FORKMUNK_CHECK(has_match(), "setup() before begin_match()");
  return *implementation_->setup();
}

bool World::has_match() const noexcept { return implementation_->setup() != nullptr; }

CarState World::car(Player player) const noexcept { return implementation_->car(player); }

double World::deadline_y() const noexcept { return implementation_->deadline_y(); }

int World::ticks_to_deadline() const noexcept { return implementation_->rules().ticks_to_deadline; }

bool World::dead(Player player) const noexcept { return implementation_->rules().dead[index_of(player)]; }

DeathCause World::cause_of_death(Player player) const noexcept {
  return implementation_->rules().cause[index_of(player)];
}

int World::tick() const noexcept { return implementation_->rules().tick; }

bool World::takes_commands() const noexcept { return !dead(Player::first) && !dead(Player::second); }

bool World::match_over() const noexcept { return implementation_->rules().over; }

bool World::in_air(Player player) const noexcept { return implementation_->in_air(player); }

std::uint64_t World::hash() const {
  FORKMUNK_CHECK(has_match(), "hash() before begin_match()");
  HashVisitor visitor;
  implementation_->describe_state(visitor);
  return visitor.value();
}

std::uint64_t World::raw_hash() const noexcept { return implementation_->raw_hash(); }

std::uint64_t World::constant_hash() const noexcept { return implementation_->constant_hash(); }

std::size_t World::live_bytes() const noexcept { return implementation_->live_bytes(); }

arena_alloc::ArenaStatistics World::memory_statistics() const { return implementation_->memory_statistics(); }

void describe_state(const World& world, StateVisitor& visitor) { world.implementation_->describe_state(visitor); }

}  // namespace forkmunk::engine
