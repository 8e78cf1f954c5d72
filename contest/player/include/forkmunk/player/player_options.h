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

/// Options of a planner that plays.
struct PlayerOptions {
  std::string planner{search::kBestPlanner};  ///< The default is that of `forkmunk bot` and builtin:bot.
  planning::PlannerOptions search;
  bool has_seed = false;                         ///< search.seed was given: a referee draws none.
  std::optional<std::int64_t> ticks;             ///< Simulated ticks per answer, instead of a time.
  std::optional<std::chrono::nanoseconds> time;  ///< Mean time per answer; nullopt: as the contest's limit allows.
  std::optional<Arithmetic> arithmetic;          ///< Of the referee; nullopt: detected from its messages.
  bool search_trace = false;  ///< Add a search trace to answers. Costs one playout per answer, not counted as its time.
};

/// Parses "NAME" or "NAME:key=value,...". `spec` names the bot in errors. \throws Error for an unknown key or value.
[[nodiscard]] PlayerOptions parse_player_options(std::string_view text, const std::string& spec);
/// The keys' part of --help.
[[nodiscard]] std::string player_options_help();

}  // namespace forkmunk::player
