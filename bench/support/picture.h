#pragma once

#include "bench/support/batch.h"
#include "bench/support/measure.h"
#include "viewer/pages/plot.h"

#include <forkmunk/base/build_info.h>

#include <string_view>
#include <vector>

namespace forkmunk::bench {

/// Steps, playouts, saves and restores by map and car. \param version  the program's.
[[nodiscard]] viewer::Picture picture_of(std::string_view version, const BuildInfo& build,
                                         const std::vector<Row>& rows);

/// Ticks a second by size of the batch and threads, with the cache that a batch fits into.
[[nodiscard]] viewer::Picture picture_of(std::string_view version, const BuildInfo& build,
                                         const std::vector<BatchRow>& rows);

}  // namespace forkmunk::bench
