// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/formats/recording.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/io/recording_writer.h>

#include <string>
#include <string_view>

namespace forkmunk::io {

/// The largest absolute value of a coordinate or score that viewers draw. Games stay far below.
inline constexpr double kDrawnMax = 1e7;

/// Reads the keys `trace` and `thoughts` (search traces) of a recording's JSON text, if present. Texts are truncated at
/// 400 bytes; at most 64 terms are accepted. \param name  the name of the file, for errors. \throws RecordingError,
/// also for numbers beyond kDrawnMax.
[[nodiscard]] RecordingExtras parse_extras_text(std::string text, std::string_view name);

/// Adds the key `thoughts` to the open object, unless there are no search traces.
void write_search_traces(JsonWriter& json, const std::vector<formats::SearchTraces>& traces);

}  // namespace forkmunk::io
