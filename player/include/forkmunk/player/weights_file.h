#pragma once

#include <forkmunk/search/weights.h>

#include <string>
#include <string_view>

namespace forkmunk::player {

/// The built-in table with the numbers of the JSON in place of its own:
/// {"normalised": {"tilt_mine": {"Buggy": -15, "Bus": -15, "SquareWheelsBuggy": -15}, ...}, ...}; what is left out
/// stays. \throws Error naming a term or car that is unknown, or a value that is no number.
[[nodiscard]] search::Weights parse_weights(std::string_view json);

/// The same from a file. \throws Error.
[[nodiscard]] search::Weights read_weights(const std::string& path);

}  // namespace forkmunk::player
