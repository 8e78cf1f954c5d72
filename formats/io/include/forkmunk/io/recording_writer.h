#pragma once

#include <forkmunk/formats/recording.h>
#include <forkmunk/formats/thought.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace forkmunk::io {

/// What a recording may carry beside the official runner's keys.
struct RecordingExtras {
  std::vector<std::string> match_names;  ///< `matches`: "Map,Car" as drawn, also those that were not played.
  /// `trace`, for viewers: what both bots said at each tick, parallel to the tick events; empty: no trace.
  std::vector<std::array<std::string, 2>> trace;
  /// `thoughts`, for viewers, parallel to the tick events: {"terms":[[name, …],[name, …]],"ticks":[[t, t],…]} with t
  /// null or [score or null, ticks, plan, [term, …], [x, y, x, y, …], [x, y, …]] (path, enemy's path). Rounded. Empty:
  /// none.
  std::vector<formats::Thoughts> thoughts{};
};

/// The recording as JSON text, in the official runner's form and `commands`. It reads back to an equal recording.
[[nodiscard]] std::string to_json_text(const formats::Recording& recording, const RecordingExtras& extras = {});

/// The bytes of a visio.gz, the same for the same recording.
[[nodiscard]] std::string to_visio_gz(const formats::Recording& recording, const RecordingExtras& extras = {});

/// Writes a visio.gz, the same bytes for the same recording. It appears under `path` whole or not at all.
/// \throws Error naming the path.
void write_recording(const std::filesystem::path& path, const formats::Recording& recording,
                     const RecordingExtras& extras = {});

}  // namespace forkmunk::io
