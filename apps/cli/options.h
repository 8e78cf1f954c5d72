// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/physics.h>

#include <cstdint>
#include <limits>
#include <string>

#include <CLI/CLI.hpp>

/// Validators of numeric options. CLI11's own let -2 and 2^64 wrap around, and accept NaN in every range.
namespace forkmunk::tools {

[[nodiscard]] CLI::Validator whole_number(std::uint64_t min = 0,
                                          std::uint64_t max = std::numeric_limits<std::uint64_t>::max());
[[nodiscard]] CLI::Validator number_between(double min, double max);

/// The options --arithmetic and --engine of the commands that create worlds.
struct PhysicsOptions {
  std::string arithmetic = "strict";
  std::string engine = "auto";

  /// Registers both options.
  void add_to(CLI::App& command);
  /// The physics that they select. \throws Error if this build does not have it.
  [[nodiscard]] forkmunk::engine::Physics physics() const;
};

}  // namespace forkmunk::tools
