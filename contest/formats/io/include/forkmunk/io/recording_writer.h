// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/formats/recording.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace forkmunk::io {

/// Optional content of a recording in addition to the official runner's keys.
struct RecordingExtras {
  std::vector<std::string> match_names;  ///< Key `matches`: "Map,Car" as drawn, including matches that were not played.
  /// Key `trace`, for viewers: the debug texts of both bots, parallel to the tick events; empty: no trace.
  std::vector<std::array<std::string, 2>> trace;
  /// Key `thoughts`, for viewers, parallel to the tick events: {"terms":[[name, …],[name, …]],"ticks":[[t, t],…]} with
  /// t null or [score or null, ticks, plan, [term, …], [x, y, x, y, …], [x, y, …]] (path, enemy's path). Rounded.
  /// Empty: none.
  std::vector<formats::SearchTraces> search_traces{};
};

/// The recording as JSON text in the official runner's format, with `commands`. It reads back to an equal recording.
[[nodiscard]] std::string to_json_text(const formats::Recording& recording, const RecordingExtras& extras = {});

/// The bytes of a visio.gz; equal recordings give equal bytes.
[[nodiscard]] std::string to_visio_gz(const formats::Recording& recording, const RecordingExtras& extras = {});

/// Writes a visio.gz atomically; equal recordings give equal bytes. \throws Error with the path.
void write_recording(const std::filesystem::path& path, const formats::Recording& recording,
                     const RecordingExtras& extras = {});

}  // namespace forkmunk::io
