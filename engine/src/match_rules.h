// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/simd/kernel.h>
#include <forkmunk/engine/world.h>

#include <array>

/// The contest's rules, for both engines: constants, and everything in a tick except motion.
namespace forkmunk::engine {

inline constexpr double kGravityY = -700;
inline constexpr double kDamping = 0.85;  ///< The factor of velocities, per second.
inline constexpr double kStartHeight = 300;
inline constexpr std::array<double, 2> kStartX{300, 900};
inline constexpr double kDeadlineStart = 10;
inline constexpr double kDeadlineRise = 0.5;  ///< Per tick.
/// The corners relative to the deadline's body, in the physics' order.
inline constexpr std::array kDeadlinePolygon{Vec2{0, 2}, Vec2{kFieldWidth, 2}, Vec2{kFieldWidth, -20}, Vec2{0, -20}};
/// The outer box, which kills: a sensor segment from each corner to the next.
inline constexpr double kBoxRadius = 10;
inline constexpr double kBoxOffset = 9;
inline constexpr std::array kBoxCorners{Vec2{-kBoxOffset, -kBoxOffset}, Vec2{-kBoxOffset, kFieldHeight + kBoxOffset},
                                        Vec2{kFieldWidth + kBoxOffset, kFieldHeight + kBoxOffset},
                                        Vec2{kFieldWidth + kBoxOffset, -kBoxOffset}};
inline constexpr std::size_t kWallCount = kBoxCorners.size();
inline constexpr std::size_t kMovingShapeCount = 9;

/// The trivially copyable part of the state.
struct MatchRules {
  int tick = 0;
  int rest_ticks = 0;
  int ticks_to_deadline = kTicksToDeadline;
  bool resting = false;
  bool over = false;
  std::array<bool, 2> dead{};
  std::array<DeathCause, 2> cause{};
  bool diverged = false;  ///< The motion is non-finite; from then on only ticks are counted.

  /// Calls `take_commands()`, unless resting, and `raise_deadline()` when it is due. \return false if the world is
  /// non-finite, which ends the tick.
  template <typename TakeCommands, typename RaiseDeadline>
  [[nodiscard]] FORKMUNK_INLINE bool begin_tick(TakeCommands&& take_commands, RaiseDeadline&& raise_deadline) noexcept {
    if (!resting && (dead[0] || dead[1])) {
      resting = true;
      rest_ticks = kRestTicks;
    }
    if (rest_ticks > 0) --rest_ticks;
    if (diverged) [[unlikely]] {
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
  /// A death counts only before the rest, with its first cause.
  void press(std::size_t player, DeathCause by) noexcept {
    if (resting) return;
    dead[player] = true;
    if (cause[player] == DeathCause::none) cause[player] = by;
  }
  /// If the motion became non-finite, the deaths of this tick do not count. \param before  these rules before
  /// begin_tick().
  void end_tick(bool finite, const MatchRules& before) noexcept {
    if (!finite) [[unlikely]] {
      dead = before.dead;
      cause = before.cause;
      diverged = true;
    }
    count_tick();
  }
  void count_tick() noexcept {
    if (resting && rest_ticks == 0) over = true;
    ++tick;
  }
};

inline constexpr std::size_t kGroupSizeMax = 32;

}  // namespace forkmunk::engine
