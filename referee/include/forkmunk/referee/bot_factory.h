#pragma once

#include <forkmunk/referee/bot.h>
#include <forkmunk/referee/process_bot.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace forkmunk::referee {

/// What --help says of BOT arguments.
[[nodiscard]] std::string bot_help();

/// Makes a bot for one game.
/// \param thoughts  whether a builtin planner shows its search; no other bot does.
using BotMaker = std::function<std::unique_ptr<Bot>(std::uint64_t seed, const BotLimits& limits, bool thoughts)>;

/// Reads "builtin:NAME", "builtin:PLANNER:KEY=VALUE,...", or else a command line that is run for each game. \throws
/// Error for an unknown builtin and for options that it cannot use.
[[nodiscard]] BotMaker parse_bot(const std::string& spec);

/// A bot for one game. \throws Error as parse_bot() does.
[[nodiscard]] std::unique_ptr<Bot> make_bot(const std::string& spec, std::uint64_t seed, const BotLimits& limits,
                                            bool thoughts = false);

}  // namespace forkmunk::referee
