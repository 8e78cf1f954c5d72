#pragma once

#include "viewer/pages/replay_page.h"

#include <forkmunk/referee/play.h>

namespace forkmunk::tools {

/// What a game that was just played knows beside its recording.
[[nodiscard]] viewer::ReplayExtras replay_extras(const referee::GameResult& result);

}  // namespace forkmunk::tools
