#pragma once

#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/replay.h>

#include <string>
#include <vector>

namespace forkmunk::tools {

/// Where a recording's labels contradict its setups: an external id of the catalogue's with other numbers, and a name
/// in `matches` ("Map,Car") that is not the scene's. A replay reads neither. \param match_names  as far as there are
/// any.
[[nodiscard]] std::vector<std::string> label_problems(const formats::Recording& recording,
                                                      const std::vector<std::string>& match_names);

/// "tick 812 (tick 12 of match 3: IslandMap, Buggy): cars.1.rear.x: recorded 1.5, replayed 1.25"
[[nodiscard]] std::string describe(const replay::Mismatch& mismatch, const std::string& scene);

}  // namespace forkmunk::tools
