#pragma once

#include <string>
#include <string_view>

namespace forkmunk::reports {

/// For before long work. \throws Error unless this build has the chart page, and `path` (of --plot) ends in .html or is
/// stdout.
void check_plot(const std::string& path);

/// Writes a page with charts of a report: one HTML file that needs nothing else.
/// \param kind      "arena", "bench" or "batch": viewer/src/charts/reports.ts draws each.
/// \param subtitle  where the figures come from: version, build, seed.
/// \param report    JSON as `--json` prints it. \throws Error.
void write_plot(const std::string& path, std::string_view kind, std::string_view subtitle, std::string_view report);

}  // namespace forkmunk::reports
