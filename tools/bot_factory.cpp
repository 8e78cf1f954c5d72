#include "bot_factory.h"

#include <forkmunk/engine/error.h>
#include <forkmunk/referee/scripted_bots.h>

#include <algorithm>

#include <fmt/format.h>

namespace forkmunk::tools {
namespace {

constexpr std::string_view kPrefix = "builtin:";

}  // namespace

std::string bot_help() {
  std::string text =
      "BOT is a command line, run through sh, that plays the contest's JSON lines on stdin and stdout, or one of:\n";
  for (const referee::ScriptedBotInfo& bot : referee::scripted_bots()) {
    text += fmt::format("  builtin:{:8} {}\n", bot.name, bot.what);
  }
  return text;
}

bool is_builtin(const std::string& spec) {
  if (!spec.starts_with(kPrefix)) return false;
  const auto bots = referee::scripted_bots();
  const std::string_view name = std::string_view(spec).substr(kPrefix.size());
  if (std::ranges::find(bots, name, &referee::ScriptedBotInfo::name) != bots.end()) return true;
  std::string names;
  for (const referee::ScriptedBotInfo& bot : bots) names += fmt::format("{}{}", names.empty() ? "" : ", ", bot.name);
  throw Error(fmt::format("bot {}: found no builtin of that name, expected one of {}", spec, names));
}

std::unique_ptr<referee::Bot> make_bot(const std::string& spec, std::uint64_t seed, const referee::BotLimits& limits) {
  if (is_builtin(spec)) return referee::make_scripted_bot(std::string_view(spec).substr(kPrefix.size()), seed);
  return std::make_unique<referee::ProcessBot>(spec, limits);
}

}  // namespace forkmunk::tools
