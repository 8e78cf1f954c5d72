#pragma once

#include <forkmunk/engine/physics.h>
#include <forkmunk/search/overrides.h>
#include <forkmunk/search/planner.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace forkmunk::player {

/// How a planner plays.
struct PlayerOptions {
  std::string planner{search::kBestPlanner};  ///< What plays as `forkmunk bot` and builtin:bot.
  search::PlannerOptions search;
  search::Overrides overrides;
  std::optional<std::int64_t> ticks;             ///< To simulate for each answer; instead of time.
  std::optional<std::chrono::nanoseconds> time;  ///< For each answer, on average; none: what the contest's time allows.
  std::optional<Arithmetic> arithmetic;          ///< Of the referee; none: found out from its messages.
  bool chipmunk = false;                         ///< Track and plan in Chipmunk; else in the flat engine where it can.
  bool thoughts = false;  ///< Show what it has in mind, in its answers. Costs a playout an answer, outside its time.
};

/// Reads "NAME" or "NAME:key=value,...". `spec` names the bot in errors. \throws Error for a key or value that is
/// unknown.
[[nodiscard]] PlayerOptions parse_player_options(std::string_view text, const std::string& spec);
/// What --help says of the keys.
[[nodiscard]] std::string player_options_help();

}  // namespace forkmunk::player
