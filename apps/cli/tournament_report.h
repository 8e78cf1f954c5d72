#pragma once

#include <forkmunk/referee/tournament_report.h>

#include <string>

namespace forkmunk::tools {

[[nodiscard]] std::string describe(const referee::TournamentReport& report);

}  // namespace forkmunk::tools
