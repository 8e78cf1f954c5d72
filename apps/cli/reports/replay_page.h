#pragma once

#include "apps/cli/reports/replay_extras.h"

#include <string>
#include <string_view>

namespace forkmunk::reports {

/// \throws Error with instructions, unless this build has the page.
void require_page();

/// The replay page with an embedded recording: one self-contained HTML file.
/// \param name  displayed name of the recording. \param visio_gz  its bytes; empty: the page without a recording.
[[nodiscard]] std::string replay_page(std::string_view name, std::string_view visio_gz, const ReplayExtras& extras);
[[nodiscard]] std::string empty_page();
/// The page for playing games.
[[nodiscard]] std::string play_page();

}  // namespace forkmunk::reports
