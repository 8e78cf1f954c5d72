#pragma once

#include <forkmunk/engine/world.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace forkmunk::wasm {

/// A plan that the planner has tried, as the way of its player's car under the replies that it expects.
struct Future {
  engine::Player side = engine::Player::first;
  bool chosen = false;  ///< Whether it is what the planner means to do.
  bool dies = false;    ///< Whether the player dies in it.
  bool wins = false;    ///< Whether the opponent does, and the player not.
  double score = 0;     ///< The planner's, as it compares plans.
  /// x, y, angle of the car's body, kPlaceTicks apart, from now on; the last at the plan's end.
  std::vector<double> places;
};

/// What a planner made of one side's position.
struct Futures {
  std::size_t tried = 0;        ///< Plans, of which some are shown.
  std::vector<Future> futures;  ///< The worst first, and the chosen one behind them; empty if there was no time.
};

inline constexpr int kPlaceTicks = 3;

/// Lets the best planner search for `ticks` simulated ticks, plays the plans that it tried, and returns `count` of
/// those that lead to different places, and the one that it chose. The world is put back.
[[nodiscard]] Futures futures_of(engine::World& world, engine::Player side, engine::Command enemy_last,
                                 std::int64_t ticks, std::size_t count);

}  // namespace forkmunk::wasm
