// SPDX-License-Identifier: MIT
#pragma once

#include "support/scenes.h"

#include <array>
#include <string_view>

/// Positions 36 ticks before a death in scripted matches, three for each map, neither hopeless nor trivial.
namespace forkmunk::tests {

struct ForcedPosition {
  enum class Kind {
    kill,   ///< The enemy holds any command, and can be killed within 40 ticks.
    avoid,  ///< The enemy follows its script: two of three constant commands die within 40 ticks; some plan does not.
  };
  std::string_view map;
  std::string_view car;
  Kind kind;
  engine::Player me;
  std::uint64_t seed;  ///< Seed of the script (scenes.h) that both sides follow up to `tick`.
  int tick;
};

inline constexpr auto kKill = ForcedPosition::Kind::kill;
inline constexpr auto kAvoid = ForcedPosition::Kind::avoid;
inline constexpr auto kFirst = engine::Player::first;
inline constexpr auto kSecond = engine::Player::second;

inline constexpr std::array<ForcedPosition, 18> kForcedPositions{{
    {"PillMap", "Buggy", kKill, kSecond, 269, 209},
    {"PillMap", "Bus", kKill, kSecond, 215, 137},
    {"PillMap", "SquareWheelsBuggy", kAvoid, kSecond, 108, 130},
    {"PillHubbleMap", "Buggy", kKill, kSecond, 136, 444},
    {"PillHubbleMap", "Bus", kAvoid, kSecond, 108, 166},
    {"PillHubbleMap", "SquareWheelsBuggy", kKill, kSecond, 570, 250},
    {"PillHillMap", "Buggy", kKill, kSecond, 340, 267},
    {"PillHillMap", "Bus", kAvoid, kSecond, 107, 447},
    {"PillHillMap", "SquareWheelsBuggy", kAvoid, kFirst, 103, 368},
    {"PillCarcassMap", "Buggy", kAvoid, kFirst, 104, 37},
    {"PillCarcassMap", "Bus", kAvoid, kFirst, 106, 190},
    {"PillCarcassMap", "SquareWheelsBuggy", kKill, kSecond, 126, 181},
    {"IslandMap", "Buggy", kKill, kSecond, 512, 311},
    {"IslandMap", "Bus", kKill, kSecond, 215, 137},
    {"IslandMap", "SquareWheelsBuggy", kAvoid, kSecond, 108, 131},
    {"IslandHoleMap", "Buggy", kKill, kFirst, 130, 138},
    {"IslandHoleMap", "Bus", kAvoid, kSecond, 109, 416},
    {"IslandHoleMap", "SquareWheelsBuggy", kKill, kFirst, 125, 60},
}};

}  // namespace forkmunk::tests
