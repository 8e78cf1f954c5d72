// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/formats/recording.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace forkmunk::io {

/// Bytes of JSON text; a game of the contest's 20,000 ticks has 10 MB. The parser's index may take four times the text,
/// so a hostile file uses at most 0.3 GB.
inline constexpr std::size_t kRecordingSizeMax = std::size_t{64} << 20;
/// Fifty of the longest games.
inline constexpr std::int64_t kTickNumMax = 1'000'000;
inline constexpr int kLivesMax = 1'000'000;

/// what() is one line with the file, the event (0-based), the field and the problem: "game.visio.gz: event 812 (tick):
/// params.cars.1[3][0]: found NaN, expected a finite number".
class RecordingError : public Error {
 public:
  using Error::Error;
};

struct ReadOptions {
  bool needs_ticks = false;
  /// Receives the file's bytes, unless null. A pipe can be read only once.
  std::string* file_bytes = nullptr;
};

/// Reads a recording (`visio.gz`, or its JSON uncompressed) from a file or pipe; "-" is stdin.
///
/// Every field is checked, and engine::validate() checks every match's setup. Duplicate keys are refused, unknown keys
/// are skipped. A file may end in mid-match; ended() is then false. If the `commands` list is as long as there are
/// ticks, its entries belong to the ticks in order. Otherwise each tick gets the entry at its tick_num, if there is
/// one.
///
/// \throws RecordingError.   Cost per tick: about 4 us, half of it for decompression, and 184 bytes.
[[nodiscard]] formats::Recording read_recording(const std::filesystem::path& path, const ReadOptions& options = {});

/// Reads gzip or JSON in memory; errors begin with `name`. \throws RecordingError.
[[nodiscard]] formats::Recording parse_recording(std::string_view bytes, std::string_view name);
/// Reads JSON text, for callers that decompress it themselves. \throws RecordingError.
[[nodiscard]] formats::Recording parse_recording_text(std::string text, std::string_view name);

}  // namespace forkmunk::io
