#pragma once

#include <forkmunk/engine/world.h>

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
inline constexpr std::array kDeadlinePolygon{Vec2{0, 2}, Vec2{1200, 2}, Vec2{1200, -20}, Vec2{0, -20}};
/// The outer box, which kills: a sensor segment from each corner to the next.
inline constexpr std::array kBoxCorners{Vec2{-9, -9}, Vec2{-9, 809}, Vec2{1209, 809}, Vec2{1209, -9}};
inline constexpr double kBoxRadius = 10;

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

  /// Before the commands, which are taken unless it is resting then: rest begins or goes on.
  void begin_tick() noexcept {
    if (!resting && (dead[0] || dead[1])) {
      resting = true;
      rest_ticks = kRestTicks;
    }
    if (rest_ticks > 0) --rest_ticks;
  }
  /// After the commands. \return whether the deadline rises in this tick.
  [[nodiscard]] bool count_down() noexcept {
    if (ticks_to_deadline < 1) return true;
    --ticks_to_deadline;
    return false;
  }
  /// During the step: a player's button was touched. A death counts only before the rest; its first cause stays.
  void press(std::size_t player, DeathCause by) noexcept {
    if (resting) return;
    dead[player] = true;
    if (cause[player] == DeathCause::none) cause[player] = by;
  }
  /// In the place of end_tick(), after a step that led out of the finite numbers. What it touched is nothing that
  /// numbers tell: `before` it nobody had died of it.
  void lose(const MatchRules& before) noexcept {
    dead = before.dead;
    cause = before.cause;
    lost = true;
    end_tick();
  }
  /// After the step.
  void end_tick() noexcept {
    if (resting && rest_ticks == 0) over = true;
    ++tick;
  }
};

}  // namespace forkmunk::engine
