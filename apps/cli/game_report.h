// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/io/json_writer.h>
#include <forkmunk/referee/play.h>
#include <forkmunk/replay/replay.h>

#include <array>
#include <string>
#include <vector>

namespace forkmunk::cli {

/// Writes {"lives","ticks","winner","verdict" of an aborted game,"matches":[{"map","car","ticks","losers","causes"}],
/// "time_ms":[{"mean","p99","max"}],"bots":[{"answers","garbled","without_plan","surplus_lines","disconnected","verdict"}]}.
/// \param match_names  "Map,Car" of each match.
void write(io::JsonWriter& json, const referee::GameResult& result, const std::vector<std::string>& match_names);

/// Returns a line for the game, and a line for each match and each bot.
[[nodiscard]] std::string describe(const referee::GameResult& result, const std::vector<std::string>& match_names,
                                   const std::array<std::string, 2>& bots);

/// Returns a line about a bot that wrote lines beyond its answers.
[[nodiscard]] std::string surplus_lines_problem(const std::string& bot, std::size_t count);

/// Returns a line about the first tick at which a replay differs from the recording of a game, e.g.
/// "tick 812 (tick 12 of match 3: IslandMap, Buggy): cars.1.rear.x: recorded 1.5, replayed 1.25".
[[nodiscard]] std::string describe(const replay::Mismatch& mismatch, const std::string& scene);

}  // namespace forkmunk::cli
