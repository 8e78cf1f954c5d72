#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/strict_math/force_inline.h>

#include <array>

/// What the contest's rules say about a match, whatever computes its physics: the numbers it is set up with, and what a
/// tick does beside moving things. Both engines keep a MatchRules in their state.
namespace forkmunk::engine {

inline constexpr double kGravityY = -700;
inline constexpr double kDamping = 0.85;  ///< Of velocities, per second.
inline constexpr double kStartHeight = 300;
inline constexpr std::array<double, 2> kStartX{300, 900};
inline constexpr double kDeadlineStart = 10;
inline constexpr double kDeadlineRise = 0.5;  ///< Per tick.
/// The deadline about its body's origin, in the order in which its corners are given to the physics.
inline constexpr std::array kDeadlinePolygon{Vec2{0, 2}, Vec2{kFieldWidth, 2}, Vec2{kFieldWidth, -20}, Vec2{0, -20}};
/// The outer box, which kills: a sensor segment from each corner to the next, around the field.
inline constexpr double kBoxRadius = 10;
inline constexpr double kBoxOffset = 9;
inline constexpr std::array kBoxCorners{Vec2{-kBoxOffset, -kBoxOffset}, Vec2{-kBoxOffset, kFieldHeight + kBoxOffset},
                                        Vec2{kFieldWidth + kBoxOffset, kFieldHeight + kBoxOffset},
                                        Vec2{kFieldWidth + kBoxOffset, -kBoxOffset}};
inline constexpr std::size_t kWallCount = kBoxCorners.size();
/// The deadline; a button, a body and two wheels of each car.
inline constexpr std::size_t kMovingShapeCount = 9;

/// Trivially copyable: it is a part of what is cloned.
struct MatchRules {
  int tick = 0;
  int rest_ticks = 0;  ///< Left.
  int ticks_to_deadline = kTicksToDeadline;
  bool resting = false;
  bool over = false;
  std::array<bool, 2> dead{};
  std::array<DeathCause, 2> cause{};
  bool lost = false;  ///< The motion has left the finite numbers: only ticks are counted from here on.

  /// A tick up to where things move: `take_commands()`, unless it is resting, and `raise_deadline()` when it is time.
  /// \return false if nothing moves any more: the tick is over then.
  template <typename TakeCommands, typename RaiseDeadline>
  [[nodiscard]] FORKMUNK_INLINE bool begin_tick(TakeCommands&& take_commands, RaiseDeadline&& raise_deadline) noexcept {
    if (!resting && (dead[0] || dead[1])) {
      resting = true;
      rest_ticks = kRestTicks;
    }
    if (rest_ticks > 0) --rest_ticks;
    if (lost) [[unlikely]] {
      count_tick();
      return false;
    }
    if (!resting) take_commands();
    if (ticks_to_deadline < 1) {
      raise_deadline();
    } else {
      --ticks_to_deadline;
    }
    return true;
  }
  /// While things move: a player's button was touched. A death counts only before the rest; its first cause stays.
  void press(std::size_t player, DeathCause by) noexcept {
    if (resting) return;
    dead[player] = true;
    if (cause[player] == DeathCause::none) cause[player] = by;
  }
  /// After things have moved. Where they have left the finite numbers, contacts mean nothing: the deaths of this tick
  /// do not count. \param before  these rules as begin_tick() found them.
  void end_tick(bool finite, const MatchRules& before) noexcept {
    if (!finite) [[unlikely]] {
      dead = before.dead;
      cause = before.cause;
      lost = true;
    }
    count_tick();
  }
  void count_tick() noexcept {
    if (resting && rest_ticks == 0) over = true;
    ++tick;
  }
};

}  // namespace forkmunk::engine
