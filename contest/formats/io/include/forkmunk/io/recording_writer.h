// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/formats/recording.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace forkmunk::io {

/// The optional content of a recording in addition to the official runner's keys.
struct RecordingExtras {
  /// The key `matches`: "Map,Car" as drawn, including matches that were not played.
  std::vector<std::string> match_names;
  /// The key `trace`, for viewers: the debug texts of both bots, parallel to the tick events. Empty if there is no
  /// trace.
  std::vector<std::array<std::string, 2>> trace;
  /// The key `thoughts`, for viewers, parallel to the tick events: {"terms":[[name, …],[name, …]],"ticks":[[t, t],…]}
  /// with t null or [score or null, ticks, plan, [term, …], [x, y, x, y, …], [x, y, …]] (path, enemy's path). Numbers
  /// are rounded. Empty if there are no search traces.
  std::vector<formats::SearchTraces> search_traces{};
};

/// Returns the recording as JSON text in the official runner's format, with `commands`. The text reads back to an equal
/// recording.
[[nodiscard]] std::string to_json_text(const formats::Recording& recording, const RecordingExtras& extras = {});

/// Returns the bytes of a visio.gz. Equal recordings give equal bytes.
[[nodiscard]] std::string to_visio_gz(const formats::Recording& recording, const RecordingExtras& extras = {});

/// Writes a visio.gz atomically. Equal recordings give equal bytes. \throws Error with the path.
void write_recording(const std::filesystem::path& path, const formats::Recording& recording,
                     const RecordingExtras& extras = {});

}  // namespace forkmunk::io
