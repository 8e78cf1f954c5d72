#pragma once

#include <cstdint>
#include <limits>

#include <CLI/CLI.hpp>

/// Validators of numeric options. CLI11's own let -2 and 2^64 wrap around, and accept NaN in every range.
namespace forkmunk::tools {

[[nodiscard]] CLI::Validator whole_number(std::uint64_t min = 0,
                                          std::uint64_t max = std::numeric_limits<std::uint64_t>::max());
[[nodiscard]] CLI::Validator number_between(double min, double max);

}  // namespace forkmunk::tools
