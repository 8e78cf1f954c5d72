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
  bool chosen = false;  ///< True for the planner's choice.
  bool dies = false;    ///< True if the player dies in the plan.
  bool wins = false;    ///< True if only the opponent dies in the plan.
  double score = 0;     ///< The planner's score.
  /// The x, y and angle of the car's body, kPoseTicks apart, from now to the plan's end.
  std::vector<double> poses;
};

struct Futures {
  std::size_t tried = 0;  ///< The number of plans tried, some of which are in `futures`.
  /// The futures in ascending order of score, the chosen one last. Empty if no plan was tried.
  std::vector<Future> futures;
};

inline constexpr int kPoseTicks = 3;

/// Runs the best planner for `ticks` simulated ticks, steps the plans that it tried, and returns `count` plans with
/// different end points, and the chosen one. Restores the world.
[[nodiscard]] Futures futures_of(engine::World& world, engine::Player side, engine::Command enemy_last,
                                 std::int64_t ticks, std::size_t count);

}  // namespace forkmunk::wasm
