#pragma once

#include <forkmunk/formats/match_outcome.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/tolerance.h>

#include <vector>

namespace forkmunk::replay {

/// The outcomes of all matches: who died by the recording, or by the replay where the recording does not report it;
/// causes by the replay. Causes are not in a recording: it is followed within a tolerance, whatever its build,
/// by its own commands or inferred ones.   Cost: 0.1 ms a tick.
[[nodiscard]] std::vector<formats::MatchOutcome> match_outcomes(const formats::Recording& recording);
/// The same from a replay of it that is there already.
[[nodiscard]] std::vector<formats::MatchOutcome> match_outcomes(const formats::Recording& recording,
                                                                const TolerantReplay& followed);

}  // namespace forkmunk::replay
