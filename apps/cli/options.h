// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/referee/process_bot.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

/// CLI11's own validators let -2 and 2^64 wrap around, and accept NaN in every range.
namespace forkmunk::cli {

[[nodiscard]] CLI::Validator whole_number(std::uint64_t min = 0,
                                          std::uint64_t max = std::numeric_limits<std::uint64_t>::max());
[[nodiscard]] CLI::Validator number_between(double min, double max);

/// Accepts the members `name` of `infos`.
template <typename Infos>
[[nodiscard]] CLI::IsMember one_of(const Infos& infos) {
  std::vector<std::string> names;
  for (const auto& info : infos) names.emplace_back(info.name);
  return CLI::IsMember(names);
}

/// The options --arithmetic and --engine.
struct PhysicsOptions {
  std::string arithmetic = "strict";
  std::string engine = "auto";

  void add_to(CLI::App& command);
  /// \throws Error if this build does not have the physics.
  [[nodiscard]] forkmunk::engine::Physics physics() const;
};

/// The options --answer-seconds and --total-seconds.
struct TimeOptions {
  double answer_seconds = referee::BotLimits{}.answer_time.count();
  double total_seconds = referee::BotLimits{}.game_time.count();

  void add_to(CLI::App& command);
  [[nodiscard]] referee::BotLimits limits() const;
};

}  // namespace forkmunk::cli
