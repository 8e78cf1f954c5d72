#pragma once

#include <forkmunk/io/json_writer.h>
#include <forkmunk/referee/play.h>

#include <array>
#include <string>
#include <vector>

namespace forkmunk::tools {

/// {"lives","ticks","winner","verdict" of an aborted game,"matches":[{"map","car","ticks","losers","causes"}],
/// "time_ms":[{"mean","p99","max"}],"bots":[{"answers","garbled","disconnected","verdict"}]}.
/// \param match_names  "Map,Car" of each match.
void write(io::JsonWriter& json, const referee::GameResult& result, const std::vector<std::string>& match_names);

/// A line for the game, and one per match and bot.
[[nodiscard]] std::string describe(const referee::GameResult& result, const std::vector<std::string>& match_names,
                                   const std::array<std::string, 2>& bots);

}  // namespace forkmunk::tools
