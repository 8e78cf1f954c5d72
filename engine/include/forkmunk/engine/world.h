#pragma once

#include <forkmunk/engine/command.h>
#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/physics.h>
#include <forkmunk/engine/snapshot.h>
#include <forkmunk/engine/vec2.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace forkmunk::engine {

/// Length of a tick in seconds of game time.
inline constexpr double kTickSeconds = 0.016;
/// Steps from the deadly one on, before the match is over: it and 90 of rest.
inline constexpr int kRestTicks = 90;
/// Steps of a match before the deadline begins to rise.
inline constexpr int kTicksToDeadline = 600;

/// One rigid body, as the contest reports it, and its motion.
struct BodyState {
  Vec2 position;                ///< Of the body's origin (not its centre of gravity), map units.
  double angle = 0;             ///< Radians, counter-clockwise, not wrapped.
  Vec2 velocity;                ///< Of the centre of gravity, map units per second.
  double angular_velocity = 0;  ///< Radians per second.
};

/// A car: its body and its two wheels.
struct CarState {
  BodyState body;
  BodyState rear_wheel;
  BodyState front_wheel;

  /// Body, rear wheel, front wheel, for loops.
  [[nodiscard]] constexpr std::array<BodyState*, 3> parts() & noexcept { return {&body, &rear_wheel, &front_wheel}; }
  [[nodiscard]] constexpr std::array<const BodyState*, 3> parts() const& noexcept {
    return {&body, &rear_wheel, &front_wheel};
  }
  void parts() const&& = delete;  // they would point into a temporary
};

/// What touched a player's button first.
enum class DeathCause : std::uint8_t { none, map, box, deadline, enemy };

/// "none", "map", "box", "deadline" or "enemy".
[[nodiscard]] std::string_view to_string(DeathCause cause) noexcept;

class WorldImplementation;

/// The physics of a game, one match at a time, under the contest referee's rules.
///
/// What changes during a match lies in one block of memory: saving it is one memcpy, and so is restoring it. Nothing is
/// taken from the system after begin_match(). Matches of a game share the World: what the referee's space keeps from
/// match to match (counters, table sizes, the last time step) moves the last bits, and is kept.
///
/// Before its first begin_match(), and once it was moved from, a World has no match: has_match() says so, fork() makes
/// another one of the kind, try_restore() returns false, and what needs a match throws Error.
///
/// Thread rule: a World belongs to one thread at a time; different Worlds do not disturb each other.
class World {
 public:
  /// A world without a match. \throws Error if this build does not have such physics.
  explicit World(Physics physics = Physics::flat);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Sets up the next match; the last one's bodies are gone. \throws InvalidSetup, with the world unchanged.
  void begin_match(const MatchSetup& setup);

  /// Computes one tick: rest counting, the commands (ignored while resting and after the match), the deadline, physics.
  /// Cost: docs/results/performance.md.
  void step(Commands commands);

  /// Copies the state away. Cost: one memcpy of the live bytes, of which flat has about a tenth of Chipmunk's.
  [[nodiscard]] Snapshot save() const;
  /// The same into `snapshot`, whose buffer is reused when large enough.
  void save(Snapshot& snapshot) const;

  /// Restores the state that `snapshot` was taken from.
  ///
  /// Stepping on from here gives the same states, bit for bit, as stepping on from save() did, given the same commands.
  /// \throws Error, with the world unchanged, if the snapshot is empty or not for this world (see Snapshot).
  /// Cost: one memcpy of snapshot.size_bytes().
  void restore(const Snapshot& snapshot) {
    if (!try_restore(snapshot)) [[unlikely]]
      fail_restore();
  }
  /// The same where the snapshot may be another match's. \return false, with the world unchanged, if it is not for
  /// this world.
  [[nodiscard]] bool try_restore(const Snapshot& snapshot) noexcept;

  /// Moves a car to where `state` says, with its velocities; contacts and their impulses stay as they are. For worlds
  /// that follow another physics: what comes of it is near that physics, not exact.
  void set_car(Player player, const CarState& state);

  /// Takes over the whole state of a world of any engine and arithmetic: bodies, joints' and contacts' impulses, tree,
  /// pairs, counters, rules. A planner so searches in the fast engine from a state that the referee's own arithmetic
  /// tracks; from strict arithmetic the worlds go on in lockstep. Begins `other`'s match first where this world is in
  /// another one. \throws Error if this is not a flat world, and for a world without a match. Cost: under 1 us in the
  /// same match (BM_TakeOver of bench/world_benchmark).
  void take_over(const World& other);

  /// An independent twin in memory of its own: the same states, bit for bit, from here on. \throws std::bad_alloc.
  [[nodiscard]] World fork() const;

  [[nodiscard]] Physics physics() const noexcept { return physics_; }
  /// The match being played.
  [[nodiscard]] const MatchSetup& setup() const;
  [[nodiscard]] bool has_match() const noexcept { return implementation_ != nullptr; }

  [[nodiscard]] CarState car(Player player) const;
  /// Height of the deadline's body: 10 at first; what is 2 above it and lower kills.
  [[nodiscard]] double deadline_y() const;
  /// Steps that are left before the deadline rises by 0.5 a step: 600 to 0.
  [[nodiscard]] int ticks_to_deadline() const;
  [[nodiscard]] bool dead(Player player) const;
  [[nodiscard]] DeathCause cause_of_death(Player player) const;
  /// Steps computed in this match.
  [[nodiscard]] int tick() const;
  /// Whether the next step takes commands: nobody has died.
  [[nodiscard]] bool takes_commands() const;
  /// Whether the rest after a death has run out. step() goes on without commands.
  [[nodiscard]] bool match_over() const;
  /// Whether the motion of both cars is still in finite numbers. Setups that validate() accepts may have springs that
  /// throw a car to infinity. The step that leads there is the last that is computed, in every engine alike: from then
  /// on step() only counts ticks, cars are NaN, nobody dies, and set_car() does nothing. restore() and begin_match()
  /// bring a world back.
  [[nodiscard]] bool is_finite() const;
  /// Whether no wheel of `player` is within 1 of anything but its own car: its body then answers to commands by torque.
  [[nodiscard]] bool in_air(Player player) const;

  /// A hash of everything that decides the future: bodies, joints, contacts, tree, pairs, counters. The same in every
  /// process, compiler, fork and engine that has the same state. Cost: about 10 us.
  [[nodiscard]] std::uint64_t hash() const;
  /// Bytes that save() would copy now; 0 without a match.
  [[nodiscard]] std::size_t live_bytes() const noexcept;

 private:
  friend const WorldImplementation& implementation_of(const World& world);
  friend void step_together(std::span<World* const> worlds, std::span<const Commands> commands);
  explicit World(std::unique_ptr<WorldImplementation> implementation) noexcept;

  [[noreturn, gnu::cold]] static void fail(const char* function);
  [[noreturn, gnu::cold]] void fail_restore() const;
  // What plays the match. \throws Error that names `function`, without one.
  [[nodiscard]] WorldImplementation& playing(const char* function) const {
    if (implementation_ == nullptr) [[unlikely]]
      fail(function);
    return *implementation_;
  }

  Physics physics_;
  std::unique_ptr<WorldImplementation> implementation_;  // null: no match
};

/// One tick of each world, with commands[i] for worlds[i]: what step() would do, bit for bit. Flat worlds that stand
/// next to each other and whose cars are driven by the same wheels are stepped side by side, which costs less: up
/// to 32. \throws Error, with nothing stepped, for another number of commands, a world without a match or given twice.
void step_together(std::span<World* const> worlds, std::span<const Commands> commands);

}  // namespace forkmunk::engine
