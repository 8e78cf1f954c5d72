#include <forkmunk/replay/inference.h>
#include <forkmunk/replay/outcomes.h>

namespace forkmunk::replay {

using formats::MatchOutcome;

std::vector<MatchOutcome> match_outcomes(const formats::Recording& recording) {
  return match_outcomes(recording, replay_tolerantly(recording, engine::fastest_physics(infer_arithmetic(recording))));
}

std::vector<MatchOutcome> match_outcomes(const formats::Recording& recording, const TolerantReplay& followed) {
  std::vector<MatchOutcome> outcomes;
  for (std::size_t m = 0; m < recording.matches.size(); ++m) {
    const formats::RecordedMatch& match = recording.matches[m];
    const TolerantMatch& replay = followed.matches[m];
    MatchOutcome& outcome = outcomes.emplace_back();
    outcome.ticks = static_cast<int>(match.ticks.size());
    const bool recorded = !match.ticks.empty() && match.ticks.back().cars[0].alive.has_value();
    outcome.died = recorded ? replay.recorded_losers : replay.replayed_losers;
    for (std::size_t i = 0; i < 2; ++i) {
      if (outcome.died[i]) outcome.cause[i] = replay.causes[i];
    }
  }
  return outcomes;
}

}  // namespace forkmunk::replay
