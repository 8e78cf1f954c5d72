#pragma once

#include <forkmunk/search/weights.h>

#include <string>
#include <string_view>

namespace forkmunk::player {

/// {"normalised": {"tilt_mine": {"Buggy": -15, "Bus": -15, "SquareWheelsBuggy": -15}, ...}, ...}
[[nodiscard]] std::string to_json_text(const search::Weights& weights);

/// The shipped table with what the JSON says instead, or the "weights" in it. \throws Error naming a term or car that
/// is unknown, or what is no number.
[[nodiscard]] search::Weights parse_weights(std::string_view json);

/// Reads a file that forkmunk tune wrote, or its "weights" alone. \throws Error.
[[nodiscard]] search::Weights read_weights(const std::string& path);

/// The rows of weights.cpp, ready to be put there.
[[nodiscard]] std::string to_source(const search::Weights& weights);

}  // namespace forkmunk::player
