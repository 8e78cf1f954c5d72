#pragma once

#include <forkmunk/io/recording_writer.h>

#include <string>
#include <string_view>

namespace forkmunk::io {

/// Largest absolute value of a number that is to be drawn: larger ones are in no game.
inline constexpr double kDrawnMax = 1e7;

/// The `trace` and `thoughts` of a recording's JSON text, as far as it has them; `match_names` is left out. Texts are
/// cut at 400 bytes, and there are at most 64 terms.
///
/// \param name  stands for the file in messages. \throws RecordingError, also for numbers beyond kDrawnMax.
[[nodiscard]] RecordingExtras parse_extras_text(std::string text, std::string_view name);

}  // namespace forkmunk::io
