#pragma once

#include "tournament_report.h"
#include "viewer/pages/plot.h"

namespace forkmunk::tools {

/// What forkmunk arena found: scores and ratings with their 95 % intervals, matches by map and car.
[[nodiscard]] viewer::Picture picture_of(const referee::TournamentReport& report);

}  // namespace forkmunk::tools
