#include "match/match.h"
#include "space/clonable_space.h"
#include "space/hasher.h"

#include <forkmunk/arena_alloc/check.h>
#include <forkmunk/engine/world.h>

#include <atomic>

namespace forkmunk::engine {
namespace {

using arena_alloc::Zone;

// Room for the largest map that validate() admits with every segment touching every shape of both cars at once.
// Untouched pages cost nothing. World.TheLargestMapFitsWhateverItTouches builds that worst case.
constexpr std::size_t kArenaBytes = (std::size_t{1} << 20) + (kSegmentCountMax + 4) * (std::size_t{20} << 10);

std::uint64_t next_world_id() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

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

// Everything that changes during a match lies in the arena; what is here is constant from begin_match() on.
struct World::Impl {
  explicit Impl(Arithmetic arithmetic_)
      : arithmetic(arithmetic_), space(chipmunk_api(arithmetic_), kArenaBytes), id(next_world_id()) {}

  [[nodiscard]] Match& match() const noexcept { return *static_cast<Match*>(space.root()); }

  Arithmetic arithmetic;
  ClonableSpace space;
  std::shared_ptr<const MatchSetup> setup;  // shared by forks
  std::uint64_t id;
  std::uint64_t match_id = 0;
};

World::World(Arithmetic arithmetic) {
  if (!is_available(arithmetic)) {
    throw Error("this build has no referee arithmetic: it needs gcc on x86-64 (strict arithmetic is available)");
  }
  impl_ = std::make_unique<Impl>(arithmetic);
}

World::World(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::begin_match(const MatchSetup& setup) {
  validate(setup);
  auto kept = std::make_shared<const MatchSetup>(setup);
  ClonableSpace& space = impl_->space;
  space.renew(sizeof(Match));
  MatchBuilder builder(space.api(), space.space(), *kept);
  space.arena().set_zone(Zone::constant);
  builder.create_static_shapes();
  space.arena().set_zone(Zone::live);
  builder.create_dynamic(impl_->match());
  space.begin_static_shapes(builder.static_shape_count());
  builder.add_static_shapes();
  space.end_static_shapes();
  builder.add_dynamic(impl_->match());
  impl_->setup = std::move(kept);
  ++impl_->match_id;
}

void World::step(Commands commands) noexcept {
  FORKMUNK_CHECK(has_match(), "step() before begin_match()");
  impl_->space.make_current();
  step_match(impl_->space.api(), impl_->space.space(), impl_->match(), commands);
#if FORKMUNK_CHECK_LEVEL >= 2
  const auto corruption = impl_->space.arena().find_corruption();
  FORKMUNK_CHECK(!corruption, "after tick %d: %s", impl_->match().tick, corruption->c_str());
#endif
}

Snapshot World::save() const {
  Snapshot snapshot;
  save(snapshot);
  return snapshot;
}

void World::save(Snapshot& snapshot) const {
  FORKMUNK_CHECK(has_match(), "save() before begin_match()");
  const std::size_t bytes = live_bytes();
  if (snapshot.capacity_ < bytes) {
    // Within a match the state grows to almost three times of what it begins with. Pages that are not written to cost
    // no memory.
    constexpr std::size_t kRoom = 4;
    snapshot.size_ = 0;
    snapshot.bytes_ = arena_alloc::allocate_system(kRoom * bytes);
    snapshot.capacity_ = kRoom * bytes;
  }
  impl_->space.arena().save_live(snapshot.bytes_.get());
  snapshot.size_ = bytes;
  snapshot.world_id_ = impl_->id;
  snapshot.match_id_ = impl_->match_id;
}

bool World::restore(const Snapshot& snapshot) noexcept {
  if (snapshot.empty() || snapshot.world_id_ != impl_->id || snapshot.match_id_ != impl_->match_id) return false;
  impl_->space.arena().restore_live({snapshot.bytes_.get(), snapshot.size_});
  return true;
}

void World::set_car(Player player, const CarState& state) noexcept {
  FORKMUNK_CHECK(has_match(), "set_car() before begin_match()");
  impl_->space.make_current();
  place_car(impl_->space.api(), impl_->match().cars[index_of(player)], state);
}

World World::fork() const {
  auto twin = std::make_unique<Impl>(impl_->arithmetic);
  if (!has_match()) return World(std::move(twin));
  const ClonableSpace& original = impl_->space;
  twin->space.fork_from(original);
  const auto relocate = [&](auto&... pointers) { (twin->space.relocate(pointers, original), ...); };
  Match& match = twin->match();
  for (CarParts& car : match.cars) {
    relocate(car.button, car.body, car.body_shape, car.rear_wheel, car.front_wheel, car.rear_shape, car.front_shape,
             car.rear_groove, car.rear_spring, car.front_groove, car.front_spring, car.rear_motor, car.front_motor);
  }
  relocate(match.deadline_body, match.deadline_shape);
  twin->setup = impl_->setup;
  twin->match_id = 1;
  return World(std::move(twin));
}

Arithmetic World::arithmetic() const noexcept { return impl_->arithmetic; }

const MatchSetup& World::setup() const noexcept {
  FORKMUNK_CHECK(has_match(), "setup() before begin_match()");
  return *impl_->setup;
}

bool World::has_match() const noexcept { return impl_->setup != nullptr; }

CarState World::car(Player player) const noexcept { return car_state(impl_->match().cars[index_of(player)]); }

double World::deadline_y() const noexcept { return impl_->match().deadline_body->transform.ty; }

int World::ticks_to_deadline() const noexcept { return impl_->match().ticks_to_deadline; }

bool World::dead(Player player) const noexcept { return impl_->match().dead[index_of(player)]; }

DeathCause World::cause_of_death(Player player) const noexcept { return impl_->match().cause[index_of(player)]; }

int World::tick() const noexcept { return impl_->match().tick; }

bool World::takes_commands() const noexcept { return !dead(Player::first) && !dead(Player::second); }

bool World::match_over() const noexcept { return impl_->match().over; }

bool World::in_air(Player player) const noexcept {
  return engine::in_air(impl_->space.api(), impl_->space.space(), impl_->match(), player);
}

std::uint64_t World::hash() const {
  FORKMUNK_CHECK(has_match(), "hash() before begin_match()");
  const Match& match = impl_->match();
  Hasher hasher;
  hasher.add(impl_->space.hash());
  hasher.add(match.tick, match.rest_ticks, match.ticks_to_deadline, match.resting, match.over, match.dead[0],
             match.dead[1], static_cast<int>(match.cause[0]), static_cast<int>(match.cause[1]),
             match.deadline_body->transform.ty);
  return hasher.value();
}

std::uint64_t World::raw_hash() const noexcept { return impl_->space.arena().live_hash(); }

std::uint64_t World::constant_hash() const noexcept { return impl_->space.arena().constant_hash(); }

std::size_t World::live_bytes() const noexcept { return impl_->space.arena().live_bytes(); }

arena_alloc::ArenaStatistics World::arena_statistics() const { return impl_->space.arena().statistics(); }

}  // namespace forkmunk::engine
