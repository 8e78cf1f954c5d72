#pragma once

#include <forkmunk/formats/recording.h>
#include <forkmunk/referee/bot.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

/// Builtin bots that follow a simple script: test opponents and baselines.
namespace forkmunk::referee {

struct ScriptedBotInfo {
  std::string_view name;
  std::string_view what;  ///< One line for --help.
};

/// hold, random, runs, chase, flee, level.
[[nodiscard]] std::span<const ScriptedBotInfo> scripted_bots() noexcept;

/// The scripted bot of that name, or null. The same seed gives the same commands in the same game.
[[nodiscard]] std::unique_ptr<Bot> make_scripted_bot(std::string_view name, std::uint64_t seed);

}  // namespace forkmunk::referee
