// SPDX-License-Identifier: MIT
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
/// Steps of rest after a death until the match is over.
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

/// The first object that touched a player's button.
enum class DeathCause : std::uint8_t { none, map, box, deadline, enemy };

/// "none", "map", "box", "deadline" or "enemy".
[[nodiscard]] std::string_view to_string(DeathCause cause) noexcept;

class WorldImplementation;

/// The physics of a game, one match at a time, under the contest referee's rules.
///
/// Everything that changes during a match is in one block of memory: save() and restore() are one memcpy each. There
/// are no allocations after begin_match(). The matches of a game share a World: the referee's space keeps counters,
/// table sizes and the last time step from match to match, which affect the last bits, so the World keeps them too.
///
/// Before its first begin_match(), and once it was moved from, a World has no match: has_match() is false, fork()
/// returns another World without one, try_restore() returns false, and functions that need a match throw Error.
///
/// Thread rule: a World belongs to one thread at a time; different Worlds are independent.
class World {
 public:
  /// A world without a match. \throws Error if this build lacks `physics`.
  explicit World(Physics physics = Physics::flat);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Sets up the next match; the last one's bodies are gone. \throws InvalidSetup, with the world unchanged.
  void begin_match(const MatchSetup& setup);

  /// Computes one tick: rest counting, the commands (ignored while resting and after the match), the deadline, physics.
  /// Cost: docs/results/performance.md.
  void step(Commands commands);

  /// Copies the state. Cost: one memcpy of the live bytes; flat has about a tenth as many as Chipmunk.
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
  /// The same for snapshots that may be of another match. \return false, with the world unchanged, if `snapshot` does
  /// not fit this world.
  [[nodiscard]] bool try_restore(const Snapshot& snapshot) noexcept;

  /// Sets a car's positions, angles and velocities; contacts and their impulses are unchanged, and in_air() may go by
  /// the old positions until the next step. For tracking an approximate physics; the result is not bit-exact.
  void set_car(Player player, const CarState& state);

  /// Copies the whole state of a world of any engine and arithmetic: bodies, impulses of joints and contacts, tree,
  /// pairs, counters, rules. So a planner searches in the fast engine from a state that was tracked in the referee's
  /// arithmetic. If `other` is in strict arithmetic, both worlds stay in lockstep. Begins the match of `other` first if
  /// this world is in another one. \throws Error if this is not a flat world, or `other` has no match. Cost: under 1 us
  /// in the same match (BM_TakeOver of bench/world_benchmark).
  void take_over(const World& other);

  /// An independent copy in its own memory: the same states, bit for bit, for the same commands. \throws
  /// std::bad_alloc.
  [[nodiscard]] World fork() const;

  [[nodiscard]] Physics physics() const noexcept { return physics_; }
  /// The current match.
  [[nodiscard]] const MatchSetup& setup() const;
  [[nodiscard]] bool has_match() const noexcept { return implementation_ != nullptr; }

  [[nodiscard]] CarState car(Player player) const;
  /// Height of the deadline's body (10 at the start). A button at or below deadline_y() + 2 dies.
  [[nodiscard]] double deadline_y() const;
  /// Remaining steps until the deadline begins to rise by 0.5 a step: 600 to 0.
  [[nodiscard]] int ticks_to_deadline() const;
  [[nodiscard]] bool dead(Player player) const;
  [[nodiscard]] DeathCause cause_of_death(Player player) const;
  /// Steps computed in this match.
  [[nodiscard]] int tick() const;
  /// Whether the next step takes commands: both players live.
  [[nodiscard]] bool takes_commands() const;
  /// Whether the rest after a death is over. step() continues without commands.
  [[nodiscard]] bool match_over() const;
  /// Whether the motion of both cars is finite. Setups that validate() accepts may have springs that throw a car to
  /// infinity. Every engine stops at the first such step: from then on step() only counts ticks, cars are NaN, no
  /// player dies, and set_car() does nothing. restore() and begin_match() make the world finite again.
  [[nodiscard]] bool is_finite() const;
  /// Whether both wheels of `player` are more than 1 from everything but their own car: commands then turn the body.
  [[nodiscard]] bool in_air(Player player) const;

  /// A hash of everything that determines future states: bodies, joints, contacts, tree, pairs, counters. Equal states
  /// have equal hashes in every process, compiler, fork and engine. Cost: about 10 us.
  [[nodiscard]] std::uint64_t hash() const;
  /// Size of a snapshot taken now, in bytes; 0 without a match.
  [[nodiscard]] std::size_t live_bytes() const noexcept;

 private:
  friend const WorldImplementation& implementation_of(const World& world);
  friend void step_together(std::span<World* const> worlds, std::span<const Commands> commands);
  explicit World(std::unique_ptr<WorldImplementation> implementation) noexcept;

  [[noreturn, gnu::cold]] static void fail(const char* function);
  [[noreturn, gnu::cold]] void fail_restore() const;
  // \throws Error that names `function`, without a match.
  [[nodiscard]] WorldImplementation& playing(const char* function) const {
    if (implementation_ == nullptr) [[unlikely]]
      fail(function);
    return *implementation_;
  }

  Physics physics_;
  std::unique_ptr<WorldImplementation> implementation_;  // null: no match
};

/// One tick of each world, with commands[i] for worlds[i]; the same bits as step(). Consecutive flat worlds whose cars
/// have motors on the same wheels are stepped as one batch in SIMD lanes, up to 32, which costs less. \throws Error,
/// with no world stepped, for another number of commands, a world without a match, or a world given twice.
void step_together(std::span<World* const> worlds, std::span<const Commands> commands);

}  // namespace forkmunk::engine
