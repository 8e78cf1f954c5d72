// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/arithmetic.h>

#include <span>
#include <string_view>

namespace forkmunk::io {

struct CarriedRecording {
  std::string_view name;   ///< The file below data/.
  Arithmetic arithmetic;   ///< The recording replays exactly in this arithmetic.
  std::string_view bytes;  ///< The bytes for io::parse_recording().
};

/// The recordings have static storage and, together, every map and every car.
[[nodiscard]] std::span<const CarriedRecording> carried_recordings();

}  // namespace forkmunk::io
