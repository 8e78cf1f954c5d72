#pragma once

#include <forkmunk/engine/arithmetic.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace forkmunk::bench {

/// A recorded game that is part of the program.
struct BuiltinRecording {
  std::string_view name;             ///< Of its file below tests/data/recorded/.
  engine::Arithmetic arithmetic;     ///< In which it was recorded, and replays exactly.
  std::span<const std::byte> bytes;  ///< The file's, for referee::parse_recording().
};

/// All of them, every map with every car at least once. They live as long as the program.
[[nodiscard]] std::span<const BuiltinRecording> builtin_recordings();

}  // namespace forkmunk::bench
