#pragma once

#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/testing/lockstep.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace forkmunk::tools {

/// What `forkmunk verify --random` did.
struct RandomLockstepReport {
  std::size_t tick_count = 0;
  std::size_t match_count = 0;
  std::size_t lost_match_count = 0;  ///< Of the matches, those whose cars left the finite numbers.
  std::uint64_t last_seed = 0;       ///< Each game has a seed of its own: the first one's, and on.
  std::optional<engine::EngineDifference> difference;
};

/// Plays random games in both engines until `tick_count` ticks are done or they differ. A game is nine matches, of the
/// catalogues or of random maps and cars; commands are random, or what a planner finds; matches end when they are over,
/// or are cut off before or go on after that.
[[nodiscard]] RandomLockstepReport check_random_games(std::uint64_t seed, std::size_t tick_count,
                                                      const std::function<void(std::size_t)>& progress);

}  // namespace forkmunk::tools
