#pragma once

#include <forkmunk/referee/tournament_report.h>

#include <string>

namespace forkmunk::tools {

/// A line per bot, map and car: bot, map, car, matches, wins, draws, losses, mean_ticks.
[[nodiscard]] std::string to_csv(const referee::TournamentReport& report);
[[nodiscard]] std::string describe(const referee::TournamentReport& report);

}  // namespace forkmunk::tools
