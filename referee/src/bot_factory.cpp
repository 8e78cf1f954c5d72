#include "planner_bot.h"

#include <forkmunk/base/error.h>
#include <forkmunk/referee/bot_factory.h>
#include <forkmunk/referee/scripted_bots.h>

#include <algorithm>

#include <fmt/format.h>

namespace forkmunk::referee {
namespace {

constexpr std::string_view kPrefix = "builtin:";
// What a builtin planner searches for an answer unless told otherwise: ticks, so that a game can be repeated.
constexpr std::int64_t kBuiltinTicks = 300;

bool is_planner(std::string_view name) {
  return name == "bot" ||
         std::ranges::find(search::planners(), name, &search::PlannerInfo::name) != search::planners().end();
}

}  // namespace

std::string bot_help() {
  std::string text =
      "BOT is a command line, run through sh, that plays the contest's JSON lines on stdin and stdout, or one of:\n";
  for (const ScriptedBotInfo& bot : scripted_bots()) {
    text += fmt::format("  builtin:{:10} {}\n", bot.name, bot.what);
  }
  for (const search::PlannerInfo& planner : search::planners()) {
    text += fmt::format("  builtin:{:10} {}\n", planner.name, planner.what);
  }
  text += fmt::format("  builtin:{:10} the strongest: {}\n", "bot", search::kBestPlanner);
  text += fmt::format("Planners search {} ticks for an answer. builtin:PLANNER:KEY=VALUE,... changes them, with\n",
                      kBuiltinTicks);
  return text + player::player_options_help();
}

bool is_builtin(const std::string& spec) {
  if (!spec.starts_with(kPrefix)) return false;
  const std::string_view text = std::string_view(spec).substr(kPrefix.size());
  const std::string_view name = text.substr(0, text.find(':'));
  if (is_planner(name)) {
    const player::PlayerOptions options = player::parse_player_options(text, spec);
    (void)search::make_planner(options.planner, options.search);
    return true;
  }
  const auto bots = scripted_bots();
  if (std::ranges::find(bots, text, &ScriptedBotInfo::name) != bots.end()) return true;
  std::string names = "bot";
  for (const ScriptedBotInfo& bot : bots) names += fmt::format(", {}", bot.name);
  for (const search::PlannerInfo& planner : search::planners()) names += fmt::format(", {}", planner.name);
  throw Error(fmt::format("bot {}: found no builtin of that name, expected one of {}", spec, names));
}

std::unique_ptr<Bot> make_bot(const std::string& spec, std::uint64_t seed, const BotLimits& limits, bool thoughts) {
  if (!is_builtin(spec)) return std::make_unique<ProcessBot>(spec, limits);
  const std::string_view text = std::string_view(spec).substr(kPrefix.size());
  if (!is_planner(text.substr(0, text.find(':')))) return make_scripted_bot(text, seed);
  player::PlayerOptions options = player::parse_player_options(text, spec);
  if (!options.ticks && !options.time_ms) options.ticks = kBuiltinTicks;
  if (options.search.seed == 0) options.search.seed = seed;
  options.thoughts = thoughts;
  return make_planner_bot(options);
}

}  // namespace forkmunk::referee
