// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/formats/recording.h>
#include <forkmunk/referee/bot.h>
#include <forkmunk/referee/process_bot.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Builtin bots, most of which follow a simple script: test opponents and baselines.
namespace forkmunk::referee {

struct ScriptedBotInfo {
  std::string_view name;
  std::string_view what;  ///< One line for --help.
};

/// camper, still, hold, random, runs, chase, flee, level.
[[nodiscard]] std::span<const ScriptedBotInfo> scripted_bots() noexcept;

/// Returns the scripted bot of this name, or null. The same seed gives the same commands in the same game.
[[nodiscard]] std::unique_ptr<Bot> make_scripted_bot(std::string_view name, std::uint64_t seed);

/// Returns the part of --help about BOT arguments.
[[nodiscard]] std::string bot_help();

/// Makes a bot for one game.
/// \param search_trace  whether a builtin planner adds search traces to its answers; other bots have none.
using BotMaker = std::function<std::unique_ptr<Bot>(std::uint64_t seed, const BotLimits& limits, bool search_trace)>;

/// Parses "builtin:NAME" or "builtin:PLANNER:KEY=VALUE,...". Any other text is a command line, which is run for each
/// game.
/// \throws Error for an unknown builtin or invalid options.
[[nodiscard]] BotMaker parse_bot(const std::string& spec);

/// Makes a bot for one game. \throws Error as parse_bot() does.
[[nodiscard]] std::unique_ptr<Bot> make_bot(const std::string& spec, std::uint64_t seed, const BotLimits& limits,
                                            bool search_trace = false);

}  // namespace forkmunk::referee
