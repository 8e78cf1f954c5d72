#pragma once

#include <string>
#include <string_view>

namespace forkmunk::reports {

/// Call it before long work. \throws Error unless this build has the chart page, and `path` (of --plot) ends in .html
/// or is stdout.
void check_plot(const std::string& path);

/// Writes a page with charts of a report: one self-contained HTML file.
/// \param subtitle  origin of the figures: version, build, seed.
/// \param report    JSON as `--json` prints it. \throws Error.
void write_plot(const std::string& path, std::string_view subtitle, std::string_view report);

}  // namespace forkmunk::reports
