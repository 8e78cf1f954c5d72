#include "bench/recordings/builtin_recordings.h"

#include <array>

extern "C" {
#define RECORDING(index, arithmetic, name, path)               \
  extern const std::byte forkmunk_recording_##index##_begin[]; \
  extern const std::byte forkmunk_recording_##index##_end[];
#include "builtin_recordings.def"
#undef RECORDING
}

namespace forkmunk::bench {

std::span<const BuiltinRecording> builtin_recordings() {
  static const std::array recordings{
#define RECORDING(index, arithmetic, name, path) \
  BuiltinRecording{                              \
      name, engine::Arithmetic::arithmetic, {forkmunk_recording_##index##_begin, forkmunk_recording_##index##_end}},
#include "builtin_recordings.def"
#undef RECORDING
  };
  return recordings;
}

}  // namespace forkmunk::bench
