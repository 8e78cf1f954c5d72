#pragma once

#include "reports/replay_extras.h"

#include <string>
#include <string_view>

namespace forkmunk::reports {

/// \throws Error that says what to do, unless this build has the page.
void require_page();

/// The replay page with a recording in it: one HTML file that needs nothing else.
/// \param name  of the recording, to be shown. \param visio_gz  its bytes; nothing: the empty page.
[[nodiscard]] std::string replay_page(std::string_view name, std::string_view visio_gz, const ReplayExtras& extras);
[[nodiscard]] std::string empty_page();
/// A page to play games in.
[[nodiscard]] std::string play_page();

}  // namespace forkmunk::reports
