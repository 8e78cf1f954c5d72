// SPDX-License-Identifier: MIT
#include "contest/formats/carried/carried_recordings.h"

#include <array>

extern "C" {
#define RECORDING(index, arithmetic, name, path)               \
  extern const std::byte forkmunk_recording_##index##_begin[]; \
  extern const std::byte forkmunk_recording_##index##_end[];
#include "carried_recordings.def"
#undef RECORDING
}

namespace forkmunk::io {

std::span<const CarriedRecording> carried_recordings() {
  static const std::array recordings{
#define RECORDING(index, arithmetic, name, path) \
  CarriedRecording{                              \
      name, Arithmetic::arithmetic, {forkmunk_recording_##index##_begin, forkmunk_recording_##index##_end}},
#include "carried_recordings.def"
#undef RECORDING
  };
  return recordings;
}

}  // namespace forkmunk::io
