#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/formats/recording.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace forkmunk::io {

/// Largest recording that is read, in bytes of JSON text. A game of the contest's 20,000 ticks has 10 MB; the parser's
/// index may take four times the text, so that a hostile file costs 0.3 GB at most.
inline constexpr std::size_t kRecordingSizeMax = std::size_t{64} << 20;
/// Largest `tick_num`: fifty of the longest games.
inline constexpr std::int64_t kTickNumMax = 1'000'000;
/// Most lives that a player may have.
inline constexpr int kLivesMax = 1'000'000;

/// A file that is no recording. what() is one line that names the file, the event (counted from 0), the field, what was
/// found and what was expected: "game.visio.gz: event 812 (tick): params.cars.1[3][0]: found NaN, expected a finite
/// number".
class RecordingError : public Error {
 public:
  using Error::Error;
};

struct ReadOptions {
  bool needs_ticks = false;                         ///< A recording without a tick is refused.
  std::string* file_bytes = nullptr;                ///< If set, gets the file's bytes: a pipe can be read only once.
  std::vector<std::string>* match_names = nullptr;  ///< If set, gets `matches`, if that is a list of texts.
};

/// Reads a recording (`visio.gz`, or the same as plain JSON) from a file or pipe; "-" is stdin.
///
/// Every field that is read is checked, every match's setup with engine::validate(); a key may not come twice,
/// unknown ones are passed over unseen. A file that ends in mid-match is fine, and says so by ended(). A `commands`
/// list that is as long as there are ticks belongs to them one by one. Any other length means that ticks were lost or
/// doubled: then each tick takes the entry at its tick_num, which is what the list was written by, and none if there is
/// no such entry.
///
/// \throws RecordingError.   Cost: per tick about 4 us, half of it inflating, and 184 bytes.
[[nodiscard]] formats::Recording read_recording(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same from bytes in memory, gzip or JSON; `name` stands for the file in messages. \throws RecordingError.
[[nodiscard]] formats::Recording parse_recording(std::string_view bytes, std::string_view name,
                                                 std::vector<std::string>* match_names = nullptr);
/// The same from JSON text, for those who inflate it themselves. \throws RecordingError.
[[nodiscard]] formats::Recording parse_recording_text(std::string text, std::string_view name,
                                                      std::vector<std::string>* match_names = nullptr);

}  // namespace forkmunk::io
