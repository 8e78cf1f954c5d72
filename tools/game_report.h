#pragma once

#include <forkmunk/referee/play.h>

#include <array>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace forkmunk::tools {

/// {"lives","ticks","winner","verdict" if it was broken
/// off,"matches":[{"map","car","ticks","losers","causes"}],"time_ms":[{"mean","p99","max"}]}. \param match_names
/// "Map,Car" of the matches drawn.
[[nodiscard]] nlohmann::ordered_json to_json(const referee::GameResult& result,
                                             const std::vector<std::string>& match_names);

/// A line for the game, and one per match and bot.
[[nodiscard]] std::string describe(const referee::GameResult& result, const std::vector<std::string>& match_names,
                                   const std::array<std::string, 2>& bots);

}  // namespace forkmunk::tools
