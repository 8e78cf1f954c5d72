// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/referee/process_bot.h>

#include <cstdint>
#include <limits>
#include <string>

#include <CLI/CLI.hpp>

/// Options that several commands have, and validators of numeric options. CLI11's own validators let -2 and 2^64 wrap
/// around, and accept NaN in every range.
namespace forkmunk::cli {

[[nodiscard]] CLI::Validator whole_number(std::uint64_t min = 0,
                                          std::uint64_t max = std::numeric_limits<std::uint64_t>::max());
[[nodiscard]] CLI::Validator number_between(double min, double max);

/// The options --arithmetic and --engine of the commands that create worlds.
struct PhysicsOptions {
  std::string arithmetic = "strict";
  std::string engine = "auto";

  /// Registers both options.
  void add_to(CLI::App& command);
  /// Returns the physics that the options select. \throws Error if this build does not have it.
  [[nodiscard]] forkmunk::engine::Physics physics() const;
};

/// The options --answer-seconds and --total-seconds of the commands that play games.
struct TimeOptions {
  double answer_seconds = referee::BotLimits{}.answer_time.count();
  double total_seconds = referee::BotLimits{}.game_time.count();

  /// Registers both options.
  void add_to(CLI::App& command);
  /// Returns the limits of a bot that the options select.
  [[nodiscard]] referee::BotLimits limits() const;
};

}  // namespace forkmunk::cli
