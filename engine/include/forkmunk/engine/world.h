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

/// The length of a tick in seconds of game time.
inline constexpr double kTickSeconds = 0.016;
/// The rest between a death and the end of the match.
inline constexpr int kRestTicks = 90;
/// The time before the deadline begins to rise.
inline constexpr int kTicksToDeadline = 600;

/// A rigid body, as the contest reports it, and its motion.
struct BodyState {
  Vec2 position;                ///< The body's origin (not its centre of gravity), map units.
  double angle = 0;             ///< Radians, counter-clockwise, not wrapped.
  Vec2 velocity;                ///< The centre of gravity's, map units per second.
  double angular_velocity = 0;  ///< Radians per second.
};

struct CarState {
  BodyState body;
  BodyState rear_wheel;
  BodyState front_wheel;

  [[nodiscard]] constexpr std::array<BodyState*, 3> parts() & noexcept { return {&body, &rear_wheel, &front_wheel}; }
  [[nodiscard]] constexpr std::array<const BodyState*, 3> parts() const& noexcept {
    return {&body, &rear_wheel, &front_wheel};
  }
  void parts() const&& = delete;  // the pointers would point into a temporary
};

/// The first object that touched a player's button.
enum class DeathCause : std::uint8_t { none, map, box, deadline, enemy };

[[nodiscard]] std::string_view to_string(DeathCause cause) noexcept;

class WorldImplementation;

/// The physics of a game, one match at a time, under the contest referee's rules.
///
/// Everything that changes during a match is in one block of memory: save() and restore() are one memcpy each. There
/// are no allocations after begin_match(), except by hash() of a Chipmunk world. The matches of a game share a World,
/// because the referee's space keeps counters, table sizes and the last time step from match to match, which affect the
/// last bits.
///
/// Before its first begin_match(), and after a move from it, a World has no match: try_restore() then returns false,
/// and functions that need a match throw Error.
///
/// Thread rule: a World belongs to one thread at a time; different Worlds are independent.
class World {
 public:
  /// \throws Error if this build lacks `physics`.
  explicit World(Physics physics = Physics::flat);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Sets up the next match. \throws InvalidSetup, with the world unchanged.
  void begin_match(const MatchSetup& setup);

  /// Computes one tick: rest counting, the commands (ignored while resting and after the match), the deadline, physics.
  void step(Commands commands);

  [[nodiscard]] Snapshot save() const;
  /// Reuses the buffer of `snapshot`.
  void save(Snapshot& snapshot) const;

  /// Restores the state that `snapshot` was taken from. The same commands then give the same states, bit for bit, as
  /// after save(). \throws Error, with the world unchanged, if the snapshot is empty or does not fit (see Snapshot).
  void restore(const Snapshot& snapshot) {
    if (!try_restore(snapshot)) [[unlikely]]
      fail_restore();
  }
  /// Works like restore(). \return false, with the world unchanged, if `snapshot` does not fit.
  [[nodiscard]] bool try_restore(const Snapshot& snapshot) noexcept;

  /// Sets a car's positions, angles and velocities, to track approximate physics. The result is not bit-exact: contacts
  /// and their impulses stay, and in_air() may use the old positions until the next step.
  void set_car(Player player, const CarState& state);

  /// Copies the state of a world of any engine and arithmetic, so that the fast engine can plan from a state in the
  /// referee's arithmetic. If `other` is in strict arithmetic, both worlds stay in lockstep. Begins the match of
  /// `other` if necessary. \throws Error if this is not a flat world, or `other` has no match. Cost: under 1 us in the
  /// same match.
  void take_over(const World& other);

  /// Returns an independent copy, which has the same states, bit for bit, for the same commands. \throws
  /// std::bad_alloc.
  [[nodiscard]] World fork() const;

  [[nodiscard]] Physics physics() const noexcept { return physics_; }
  [[nodiscard]] const MatchSetup& setup() const;
  [[nodiscard]] bool has_match() const noexcept { return implementation_ != nullptr; }

  [[nodiscard]] CarState car(Player player) const;
  /// Returns the height of the deadline's body (10 at the start). A button at or below deadline_y() + 2 dies.
  [[nodiscard]] double deadline_y() const;
  /// Returns the steps, 600 to 0, until the deadline begins to rise by 0.5 a step.
  [[nodiscard]] int ticks_to_deadline() const;
  [[nodiscard]] bool dead(Player player) const;
  [[nodiscard]] DeathCause cause_of_death(Player player) const;
  [[nodiscard]] int tick() const;
  /// Returns true while both players live.
  [[nodiscard]] bool takes_commands() const;
  /// Returns whether the rest after a death is over. step() continues without commands.
  [[nodiscard]] bool match_over() const;
  /// Returns whether the motion of both cars is finite. Extreme springs, which validate() accepts, may throw a car to
  /// infinity. From then on, in every engine, step() only counts ticks, cars are NaN, no player dies, and set_car()
  /// does nothing. restore() and begin_match() make the world finite again.
  [[nodiscard]] bool is_finite() const;
  /// Returns whether both wheels are more than 1 from everything but their own car. Commands then turn the body.
  [[nodiscard]] bool in_air(Player player) const;

  /// Returns a hash of everything that determines future states, the same in every process, compiler, fork and engine.
  /// Cost: about 10 us.
  [[nodiscard]] std::uint64_t hash() const;
  /// Returns the size of a snapshot of the present state; 0 without a match.
  [[nodiscard]] std::size_t live_bytes() const noexcept;

 private:
  friend const WorldImplementation& implementation_of(const World& world);
  friend void step_together(std::span<World* const> worlds, std::span<const Commands> commands);
  explicit World(std::unique_ptr<WorldImplementation> implementation) noexcept;

  [[noreturn, gnu::cold]] static void fail(const char* function);
  [[noreturn, gnu::cold]] void fail_restore() const;
  // \throws Error, which names `function`, without a match.
  [[nodiscard]] WorldImplementation& playing(const char* function) const {
    if (implementation_ == nullptr) [[unlikely]]
      fail(function);
    return *implementation_;
  }

  Physics physics_;
  std::unique_ptr<WorldImplementation> implementation_;  // null without a match
};

/// Computes one tick of each world, with commands[i] for worlds[i] and the same bits as step(). Consecutive flat worlds
/// with motors on the same wheels are stepped in SIMD lanes, up to 32 at once, which costs less. \throws Error, with no
/// world stepped, for another number of commands, a world without a match, or a world given twice.
void step_together(std::span<World* const> worlds, std::span<const Commands> commands);

}  // namespace forkmunk::engine
