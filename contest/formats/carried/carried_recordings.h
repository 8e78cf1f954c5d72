// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/arithmetic.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace forkmunk::io {

struct CarriedRecording {
  std::string_view name;             ///< Below data/.
  Arithmetic arithmetic;             ///< The recording replays exactly in this arithmetic.
  std::span<const std::byte> bytes;  ///< For io::parse_recording().
};

/// Returns recordings that together have every map and every car, in static storage.
[[nodiscard]] std::span<const CarriedRecording> carried_recordings();

}  // namespace forkmunk::io
