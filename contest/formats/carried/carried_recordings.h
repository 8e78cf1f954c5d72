// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/arithmetic.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace forkmunk::io {

/// A recorded game that is built into the program.
struct CarriedRecording {
  std::string_view name;             ///< The file's name below data/.
  Arithmetic arithmetic;             ///< The arithmetic in which the recording replays exactly.
  std::span<const std::byte> bytes;  ///< The file's content, for io::parse_recording().
};

/// Returns all built-in recordings, which have static storage duration. Together they have every map and every car.
[[nodiscard]] std::span<const CarriedRecording> carried_recordings();

}  // namespace forkmunk::io
