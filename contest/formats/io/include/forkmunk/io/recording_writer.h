// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/formats/recording.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace forkmunk::io {

struct RecordingExtras {
  /// The key `trace`: the debug texts of both bots, parallel to the tick events, or empty.
  std::vector<std::array<std::string, 2>> trace;
  /// The key `thoughts`, parallel to the tick events, or empty: {"terms":[[name, …],[name, …]],"ticks":[[t, t],…]} with
  /// t null or [score or null, ticks, plan, [term, …], [x, y, x, y, …], [x, y, …]] (path, enemy's path). Numbers are
  /// rounded.
  std::vector<formats::SearchTraces> search_traces{};
};

/// Returns JSON text in the official runner's format, with `commands`, which reads back to an equal recording.
[[nodiscard]] std::string to_json_text(const formats::Recording& recording, const RecordingExtras& extras = {});

/// Equal recordings with equal match_names give equal bytes.
[[nodiscard]] std::string to_visio_gz(const formats::Recording& recording, const RecordingExtras& extras = {});

/// Writes a visio.gz atomically. \throws Error with the path.
void write_recording(const std::filesystem::path& path, const formats::Recording& recording,
                     const RecordingExtras& extras = {});

}  // namespace forkmunk::io
