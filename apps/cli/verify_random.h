#pragma once

#include <forkmunk/engine/match_setup.h>
#include <forkmunk/engine/testing/lockstep.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace forkmunk::tools {

/// The result of `forkmunk verify --random`.
struct RandomLockstepReport {
  std::size_t tick_count = 0;
  std::size_t match_count = 0;
  std::size_t diverged_match_count = 0;  ///< Matches whose state became infinite or NaN.
  std::uint64_t last_seed = 0;           ///< Consecutive games have consecutive seeds.
  std::optional<engine::EngineDifference> difference;
};

/// Plays random games in both engines until `tick_count` ticks are done or they differ. A game has nine matches on
/// catalogue or random maps and cars; commands are random or planned; some matches are cut short, some continue after
/// their end.
[[nodiscard]] RandomLockstepReport check_random_games(std::uint64_t seed, std::size_t tick_count,
                                                      const std::function<void(std::size_t)>& progress);

}  // namespace forkmunk::tools
