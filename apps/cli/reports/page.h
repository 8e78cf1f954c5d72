// SPDX-License-Identifier: MIT
#pragma once

#include "apps/cli/reports/replay_extras.h"

#include <string>
#include <string_view>

namespace forkmunk::reports {

/// The replay page without a game, as HTML text; empty if this build has none. Static storage duration.
[[nodiscard]] std::string_view replay_template() noexcept;
/// The chart page without data; otherwise like replay_template().
[[nodiscard]] std::string_view chart_template() noexcept;

/// Returns `page` with `json` as its embedded data. \param json  UTF-8.
[[nodiscard]] std::string filled(std::string_view page, std::string json);

/// \throws Error with instructions, unless this build has the page.
void require_page();

/// The replay page with an embedded recording: one self-contained HTML file.
/// \param name  displayed name of the recording. \param visio_gz  its bytes; empty: the page without a recording.
[[nodiscard]] std::string replay_page(std::string_view name, std::string_view visio_gz, const ReplayExtras& extras);
[[nodiscard]] std::string empty_page();
/// The page for playing games.
[[nodiscard]] std::string play_page();

/// Call it before long work. \throws Error unless this build has the chart page, and `path` (of --plot) ends in .html
/// or is stdout.
void check_plot(const std::string& path);

/// Writes a page with charts of a report: one self-contained HTML file.
/// \param subtitle  origin of the figures: version, build, seed.
/// \param report    JSON as `--json` prints it. \throws Error.
void write_plot(const std::string& path, std::string_view subtitle, std::string_view report);

}  // namespace forkmunk::reports
