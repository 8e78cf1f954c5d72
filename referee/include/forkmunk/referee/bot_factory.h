#pragma once

#include <forkmunk/referee/bot.h>
#include <forkmunk/referee/process_bot.h>

#include <cstdint>
#include <memory>
#include <string>

namespace forkmunk::referee {

/// What --help says of BOT arguments.
[[nodiscard]] std::string bot_help();

/// "builtin:NAME", or else a command line that is run for the game. \throws Error for an unknown builtin.
/// \param thoughts  whether a builtin planner shows what it has in mind; no other bot does.
[[nodiscard]] std::unique_ptr<Bot> make_bot(const std::string& spec, std::uint64_t seed, const BotLimits& limits,
                                            bool thoughts = false);

/// Whether the bot runs in this program. \throws Error for an unknown builtin.
[[nodiscard]] bool is_builtin(const std::string& spec);

}  // namespace forkmunk::referee
