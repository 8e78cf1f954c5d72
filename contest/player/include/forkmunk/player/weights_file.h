// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/planning/weights.h>

#include <string>
#include <string_view>

namespace forkmunk::player {

/// Overrides the built-in weights by JSON: {"normalised": {"tilt_mine": {"Buggy": -15, "Bus": -15, "SquareWheelsBuggy":
/// -15}, ...}, ...}. Any part may be omitted. \throws Error, which names an unknown term or car, or a value that is not
/// a number.
[[nodiscard]] planning::Weights parse_weights(std::string_view json);

/// \throws Error with the path.
[[nodiscard]] planning::Weights read_weights(const std::string& path);

}  // namespace forkmunk::player
