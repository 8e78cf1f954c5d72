#pragma once

#include <forkmunk/referee/arena_report.h>

#include <string>

namespace forkmunk::tools {

/// A line per bot, map and car: bot, map, car, matches, wins, draws, losses, mean_ticks.
[[nodiscard]] std::string to_csv(const referee::ArenaReport& report);
[[nodiscard]] std::string describe(const referee::ArenaReport& report);

}  // namespace forkmunk::tools
