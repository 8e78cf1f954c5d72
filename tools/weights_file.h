#pragma once

#include <forkmunk/search/weights.h>

#include <string>

#include <nlohmann/json.hpp>

namespace forkmunk::tools {

/// {"normalised": {"tilt_mine": {"Buggy": -15, "Bus": -15, "SquareWheelsBuggy": -15}, ...}, ...}
[[nodiscard]] nlohmann::ordered_json to_json(const search::Weights& weights);

/// The shipped table with what the object says instead. \throws Error naming a term or car that is unknown, or what is
/// no number.
[[nodiscard]] search::Weights weights_from(const nlohmann::json& object);

/// Reads a file that forkmunk tune wrote, or its "weights" alone. \throws Error.
[[nodiscard]] search::Weights read_weights(const std::string& path);

/// The rows of weights.cpp, ready to be put there.
[[nodiscard]] std::string to_source(const search::Weights& weights);

}  // namespace forkmunk::tools
