#pragma once

#include <forkmunk/arena_alloc/arena.h>
#include <forkmunk/engine/arithmetic.h>
#include <forkmunk/engine/command.h>
#include <forkmunk/engine/engine_kind.h>
#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/snapshot.h>
#include <forkmunk/engine/vec2.h>

#include <cstddef>
#include <cstdint>
#include <memory>

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
struct CarState : BodyState {
  BodyState rear_wheel;
  BodyState front_wheel;
};

/// What touched a player's button first.
enum class DeathCause : std::uint8_t { none, map, box, deadline, enemy };

/// "none", "map", "box", "deadline" or "enemy".
[[nodiscard]] std::string_view to_string(DeathCause cause) noexcept;

class WorldImplementation;
class StateVisitor;

/// The physics of a game, one match at a time, under the contest referee's rules.
///
/// What changes during a match lies in one block of memory: saving it is one memcpy, and so is restoring it. Nothing is
/// taken from the system after begin_match(). Matches of a game share the World: what the referee's space keeps from
/// match to match (counters, table sizes, the last time step) moves the last bits, and is kept.
///
/// Thread rule: a World belongs to one thread at a time; different Worlds do not disturb each other.
class World {
 public:
  /// A world without a match. \throws Error if this build does not have such physics.
  explicit World(Physics physics = {});
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Sets up the next match; the last one's bodies are gone. \throws InvalidSetup, with the world unchanged.
  void begin_match(const MatchSetup& setup);

  /// Computes one tick: rest counting, the commands (ignored while resting and after the match), the deadline, physics.
  /// \pre begin_match() was called.   Cost: docs/performance.md.
  void step(Commands commands) noexcept;

  /// Copies the state away. Cost: one memcpy of live bytes: flat 3-8 KB, Chipmunk 20-60 KB.
  [[nodiscard]] Snapshot save() const;
  /// The same into `snapshot`, whose buffer is reused when large enough.
  void save(Snapshot& snapshot) const;

  /// Puts the world back into the state that `snapshot` was taken from.
  ///
  /// Stepping on from here gives the same states, bit for bit, as stepping on from the moment of save() gave.
  /// \return false, with the world unchanged, if the snapshot is empty or not for this world (see Snapshot), or was
  /// read from a stream and is no state of this match. Cost: one memcpy of snapshot.size_bytes(); the first time after
  /// reading it from a stream, 0.3 us more.
  [[nodiscard]] bool restore(const Snapshot& snapshot) noexcept;

  /// Moves a car to where `state` says, with its velocities; contacts and their impulses stay as they are. For worlds
  /// that follow another physics: what comes of it is near that physics, not exact. \pre begin_match() was called.
  void set_car(Player player, const CarState& state) noexcept;

  /// An independent twin in memory of its own: the same states, bit for bit, from here on. \throws std::bad_alloc.
  [[nodiscard]] World fork() const;

  [[nodiscard]] Physics physics() const noexcept;
  /// The match being played. \pre begin_match() was called.
  [[nodiscard]] const MatchSetup& setup() const noexcept;
  [[nodiscard]] bool has_match() const noexcept;

  [[nodiscard]] CarState car(Player player) const noexcept;
  /// Height of the deadline's body: 10 at first; what is 2 above it and lower kills.
  [[nodiscard]] double deadline_y() const noexcept;
  /// Steps that are left before the deadline rises by 0.5 a step: 600 to 0.
  [[nodiscard]] int ticks_to_deadline() const noexcept;
  [[nodiscard]] bool dead(Player player) const noexcept;
  [[nodiscard]] DeathCause cause_of_death(Player player) const noexcept;
  /// Steps computed in this match.
  [[nodiscard]] int tick() const noexcept;
  /// Whether the next step takes commands: nobody has died.
  [[nodiscard]] bool takes_commands() const noexcept;
  /// Whether the rest after a death has run out. step() goes on without commands.
  [[nodiscard]] bool match_over() const noexcept;
  /// Whether no wheel of `player` is within 1 of anything but its own car: its body then answers to commands by torque.
  [[nodiscard]] bool in_air(Player player) const noexcept;

  /// A hash of everything that decides the future: bodies, joints, contacts, tree, pairs, counters. The same in every
  /// process, compiler, fork and engine that has the same state. Cost: about 10 us.
  [[nodiscard]] std::uint64_t hash() const;
  /// A hash of the state's bytes: only for comparing a world with itself (addresses are in it).
  [[nodiscard]] std::uint64_t raw_hash() const noexcept;
  /// A hash of the bytes that no step may write.
  [[nodiscard]] std::uint64_t constant_hash() const noexcept;
  /// Bytes that save() would copy now.
  [[nodiscard]] std::size_t live_bytes() const noexcept;
  /// How the memory is used; by size class if it is an arena. Cost: a walk.
  [[nodiscard]] arena_alloc::ArenaStatistics memory_statistics() const;

 private:
  friend void describe_state(const World& world, StateVisitor& visitor);
  explicit World(std::unique_ptr<WorldImplementation> implementation) noexcept;
  std::unique_ptr<WorldImplementation> implementation_;
};

}  // namespace forkmunk::engine
