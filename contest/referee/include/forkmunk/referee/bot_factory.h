// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/referee/bot.h>
#include <forkmunk/referee/process_bot.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace forkmunk::referee {

struct ScriptedBotInfo {
  std::string_view name;
  std::string_view what;  ///< One line for --help.
  /// Makes the bot, whose commands in the same game depend on the seed only.
  std::unique_ptr<Bot> (*make)(std::uint64_t seed);
};

[[nodiscard]] std::span<const ScriptedBotInfo> scripted_bots() noexcept;

[[nodiscard]] std::string bot_help();

/// Makes a bot for one game. \param search_trace  whether a builtin planner adds search traces to its answers.
using BotMaker = std::function<std::unique_ptr<Bot>(std::uint64_t seed, const BotLimits& limits, bool search_trace)>;

/// Parses "builtin:NAME" or "builtin:PLANNER:KEY=VALUE,...". Any other text is a command line, run for each game.
/// \throws Error for an unknown builtin or invalid options.
[[nodiscard]] BotMaker parse_bot(const std::string& spec);

/// \throws Error as parse_bot() does.
[[nodiscard]] std::unique_ptr<Bot> make_bot(const std::string& spec, std::uint64_t seed, const BotLimits& limits,
                                            bool search_trace = false);

}  // namespace forkmunk::referee
