// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/formats/recording.h>
#include <forkmunk/io/json_writer.h>
#include <forkmunk/io/recording_writer.h>

#include <string>
#include <string_view>

namespace forkmunk::io {

/// Viewers draw coordinates and scores up to this absolute value. Games stay far below.
inline constexpr double kDrawnMax = 1e7;

/// Reads the keys `trace` and `thoughts` (search traces) of a recording's JSON text, if present. Texts are truncated at
/// 400 bytes; at most 64 terms are accepted. \param name  begins errors. \throws RecordingError, also for numbers
/// beyond kDrawnMax.
[[nodiscard]] RecordingExtras parse_extras_text(std::string text, std::string_view name);

/// \param name  begins errors. \throws RecordingError for a position, an angle or a deadline beyond kDrawnMax.
void require_drawn(const formats::Recording& recording, std::string_view name);

void write_search_traces(JsonWriter& json, const std::vector<formats::SearchTraces>& traces);

}  // namespace forkmunk::io
