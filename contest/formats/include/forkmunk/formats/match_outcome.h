#pragma once

#include <forkmunk/engine/world.h>

#include <array>

namespace forkmunk::formats {

/// How a match ended. Pairs are indexed by engine::index_of(player).
struct MatchOutcome {
  int ticks = 0;  ///< Including the rest ticks after the match's end.
  std::array<bool, 2> died{};
  std::array<engine::DeathCause, 2> cause{};  ///< Of a player who died; none if unknown.
};

}  // namespace forkmunk::formats
