#pragma once

#include <forkmunk/formats/match_outcome.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/tolerance.h>

#include <vector>

namespace forkmunk::replay {

/// The outcomes of all matches. Deaths are those of the recording, or of the replay if the recording lacks them; causes
/// are those of the replay, which follows recordings of any build within a tolerance, with their own or inferred
/// commands.   Cost: 0.1 ms per tick.
[[nodiscard]] std::vector<formats::MatchOutcome> match_outcomes(const formats::Recording& recording);
/// The same from an existing replay.
[[nodiscard]] std::vector<formats::MatchOutcome> match_outcomes(const formats::Recording& recording,
                                                                const TolerantReplay& followed);

}  // namespace forkmunk::replay
