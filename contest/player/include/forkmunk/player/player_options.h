// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/planning/planner.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace forkmunk::player {

struct PlayerOptions {
  std::string planner{search::kBestPlanner};  ///< The default of `forkmunk bot` and builtin:bot.
  planning::PlannerOptions search;
  bool has_seed = false;              ///< A referee then draws no seed.
  std::optional<std::int64_t> ticks;  ///< Simulated per answer, instead of a time.
  /// The mean per answer; by default as much as the contest's limit allows.
  std::optional<std::chrono::nanoseconds> time;
  std::optional<Arithmetic> arithmetic;  ///< The referee's; nullopt to detect it.
  /// Costs one playout per answer, which does not count as its time.
  bool search_trace = false;
};

/// Parses "NAME" or "NAME:key=value,...". `spec` names the bot in errors. \throws Error for an unknown key or value.
[[nodiscard]] PlayerOptions parse_player_options(std::string_view text, const std::string& spec);
[[nodiscard]] std::string player_options_help();

}  // namespace forkmunk::player
