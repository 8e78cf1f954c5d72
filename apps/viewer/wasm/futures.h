// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/world.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace forkmunk::wasm {

/// A plan that the planner has tried, as the path of its player's car under the expected replies.
struct Future {
  engine::Player side = engine::Player::first;
  bool chosen = false;  ///< Whether it is the planner's choice.
  bool dies = false;    ///< Whether the player dies in it.
  bool wins = false;    ///< Whether only the opponent dies in it.
  double score = 0;     ///< The planner's score.
  /// x, y, angle of the car's body, kPoseTicks apart, from now on; the last at the plan's end.
  std::vector<double> poses;
};

/// The futures of one side.
struct Futures {
  std::size_t tried = 0;        ///< Number of plans tried; some of them are in `futures`.
  std::vector<Future> futures;  ///< In ascending order of score, the chosen one last; empty if no plan was tried.
};

inline constexpr int kPoseTicks = 3;

/// Runs the best planner for `ticks` simulated ticks, steps the plans that it tried, and returns `count` plans with
/// different end points, and the chosen one. Restores the world.
[[nodiscard]] Futures futures_of(engine::World& world, engine::Player side, engine::Command enemy_last,
                                 std::int64_t ticks, std::size_t count);

}  // namespace forkmunk::wasm
