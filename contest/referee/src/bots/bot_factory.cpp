#include "planner_bot.h"

#include <forkmunk/base/error.h>
#include <forkmunk/referee/bot_factory.h>
#include <forkmunk/referee/scripted_bots.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace forkmunk::referee {
namespace {

constexpr std::string_view kPrefix = "builtin:";
// Default budget of builtin planners per answer: in ticks, so that games are reproducible.
constexpr std::int64_t kBuiltinTicks = 300;

bool is_planner(std::string_view name) {
  return name == "bot" ||
         std::ranges::find(search::planners(), name, &search::PlannerInfo::name) != search::planners().end();
}

struct Parsed {
  BotMaker make;
  bool is_planner = false;
};

Parsed parse(const std::string& spec) {
  if (!spec.starts_with(kPrefix)) {
    return {
        [spec](std::uint64_t, const BotLimits& limits, bool) { return std::make_unique<ProcessBot>(spec, limits); }};
  }
  const std::string text = spec.substr(kPrefix.size());
  if (is_planner(text.substr(0, text.find(':')))) {
    player::PlayerOptions parsed = player::parse_player_options(text, spec);
    if (!parsed.ticks && !parsed.time) parsed.ticks = kBuiltinTicks;
    const auto make = [parsed = std::move(parsed)](std::uint64_t seed, const BotLimits&, bool search_trace) {
      player::PlayerOptions options = parsed;
      if (!options.has_seed) options.search.seed = seed;
      options.search_trace = search_trace;
      return make_planner_bot(options);
    };
    return {make, true};
  }
  const auto bots = scripted_bots();
  if (std::ranges::find(bots, text, &ScriptedBotInfo::name) != bots.end()) {
    return {[text](std::uint64_t seed, const BotLimits&, bool) { return make_scripted_bot(text, seed); }};
  }
  std::string names = "bot";
  for (const ScriptedBotInfo& bot : bots) names += fmt::format(", {}", bot.name);
  for (const search::PlannerInfo& planner : search::planners()) names += fmt::format(", {}", planner.name);
  throw Error(fmt::format("bot {}: unknown builtin, expected one of {}", spec, names));
}

}  // namespace

std::string bot_help() {
  std::string text =
      "BOT is a command line, run by sh, of a program that speaks the contest's protocol (JSON lines on stdin and\n"
      "stdout), or one of:\n";
  for (const ScriptedBotInfo& bot : scripted_bots()) {
    text += fmt::format("  builtin:{:10} {}\n", bot.name, bot.what);
  }
  for (const search::PlannerInfo& planner : search::planners()) {
    text += fmt::format("  builtin:{:10} {}\n", planner.name, planner.what);
  }
  text += fmt::format("  builtin:{:10} the strongest planner: {}\n", "bot", search::kBestPlanner);
  text += fmt::format("Planners simulate {} ticks per answer. Options follow as builtin:PLANNER:KEY=VALUE,... with\n",
                      kBuiltinTicks);
  return text + player::player_options_help();
}

BotMaker parse_bot(const std::string& spec) {
  Parsed parsed = parse(spec);
  // Constructs the planner once, to validate its options.
  if (parsed.is_planner) [[maybe_unused]]
    const auto planner = parsed.make(0, {}, false);
  return std::move(parsed.make);
}

std::unique_ptr<Bot> make_bot(const std::string& spec, std::uint64_t seed, const BotLimits& limits, bool search_trace) {
  return parse(spec).make(seed, limits, search_trace);
}

}  // namespace forkmunk::referee
