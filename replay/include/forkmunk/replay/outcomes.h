#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/tolerance.h>

#include <array>
#include <vector>

namespace forkmunk::replay {

/// How a recorded match ended.
struct MatchOutcome {
  int ticks = 0;               ///< In the recording, rest included.
  std::array<bool, 2> died{};  ///< By the recording, or by the replay where the recording does not tell.
  /// What killed a player, by the replay; none if nobody knows (the replay's player lived).
  std::array<engine::DeathCause, 2> cause{};
};

/// The outcomes of all matches. Causes are not in a recording: it is followed within a tolerance, whatever its build,
/// by its own commands or inferred ones.   Cost: 0.1 ms a tick.
[[nodiscard]] std::vector<MatchOutcome> match_outcomes(const formats::Recording& recording);
/// The same from a replay of it that is there already.
[[nodiscard]] std::vector<MatchOutcome> match_outcomes(const formats::Recording& recording,
                                                       const TolerantReplay& followed);

}  // namespace forkmunk::replay
