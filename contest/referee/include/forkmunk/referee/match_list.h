// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/random.h>
#include <forkmunk/engine/match_setup.h>

#include <cstddef>
#include <string>
#include <vector>

namespace forkmunk::referee {

struct MatchList {
  std::vector<std::string> names;
  std::vector<engine::MatchSetup> setups;
};

/// Parses names like "PillMap,Buggy". \throws Error, which names an unknown map or car.
[[nodiscard]] MatchList parse_matches(const std::vector<std::string>& names);

inline constexpr std::size_t kDrawnMatchCount = 9;

/// Draws 9 of the 18 pairs of map and car as the contest does, without replacement.
[[nodiscard]] MatchList draw_matches(Random& random);

/// \throws io::RecordingError.
[[nodiscard]] MatchList matches_of_recording(const std::string& file);

/// Returns a name like "PillMap,Buggy", or "other(7),Bus" for a map that differs from the catalogue's.
[[nodiscard]] std::string name_of(const engine::MatchSetup& setup);

}  // namespace forkmunk::referee
