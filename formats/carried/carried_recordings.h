#pragma once

#include <forkmunk/base/arithmetic.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace forkmunk::io {

/// A recorded game that is part of the program.
struct CarriedRecording {
  std::string_view name;             ///< Of its file below data/.
  Arithmetic arithmetic;             ///< In which it was recorded, and replays exactly.
  std::span<const std::byte> bytes;  ///< The file's, for io::parse_recording().
};

/// All of them, every map with every car at least once. They live as long as the program.
[[nodiscard]] std::span<const CarriedRecording> carried_recordings();

}  // namespace forkmunk::io
