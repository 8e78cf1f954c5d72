#pragma once

#include "arena_report.h"
#include "bench/support/measure.h"
#include "viewer/pages/plot.h"

#include <forkmunk/base/build_info.h>

#include <vector>

namespace forkmunk::tools {

/// What forkmunk bench measured: steps, playouts, saves and restores by map and car.
[[nodiscard]] viewer::Picture picture_of(const BuildInfo& build, const std::vector<bench::Row>& rows);

/// What forkmunk arena found: scores and ratings with their 95 % intervals, matches by map and car.
[[nodiscard]] viewer::Picture picture_of(const referee::ArenaReport& report);

}  // namespace forkmunk::tools
