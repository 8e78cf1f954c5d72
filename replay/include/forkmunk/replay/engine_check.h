#pragma once

#include <forkmunk/engine/testing/lockstep.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/replay.h>

#include <cstddef>
#include <optional>

namespace forkmunk::replay {

/// What the lockstep test found.
struct LockstepReport {
  std::size_t tick_count = 0;
  std::optional<engine::EngineDifference> difference;
};

/// Plays a recording's commands in both engines, in whatever arithmetic it was recorded; stops at the first difference.
/// \pre recording.has_commands.   Cost: about 20 us a tick.
[[nodiscard]] LockstepReport check_engines(const formats::Recording& recording, const ReplayProgress& progress = {});

}  // namespace forkmunk::replay
