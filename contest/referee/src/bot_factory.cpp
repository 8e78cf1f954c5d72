// SPDX-License-Identifier: MIT

#include <forkmunk/base/error.h>
#include <forkmunk/base/excerpt.h>
#include <forkmunk/base/random.h>
#include <forkmunk/formats/message.h>
#include <forkmunk/planning/climber.h>
#include <forkmunk/player/planner_player.h>
#include <forkmunk/player/player_options.h>
#include <forkmunk/referee/bot_factory.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace forkmunk::referee {
namespace {

using engine::Command;
using engine::Player;
using engine::World;

constexpr std::uint32_t kRunTicksMin = 5;
constexpr std::uint32_t kRunTicksMax = 40;

Command towards_enemy(const World& world, Player me) {
  return world.car(opponent_of(me)).body.position.x > world.car(me).body.position.x ? Command::right : Command::left;
}

// In the air, right turns the car counter-clockwise.
Command towards_level(const World& world, Player me) {
  if (!world.in_air(me)) return towards_enemy(world, me);
  return world.car(me).body.angle < 0 ? Command::right : Command::left;
}

class ScriptedBot final : public Bot {
 public:
  using Script = Command (*)(ScriptedBot& bot, const World& world);

  ScriptedBot(Script script, std::uint64_t seed) : script_(script), random_(seed) {}

  void begin_match(const World&, Player me, const engine::Lives&) override { me_ = me; }
  void send_tick(const World&) override {}
  Answer answer(const World& world) override { return {Answer::Kind::command, script_(*this, world), {}, {}}; }

  [[nodiscard]] Player me() const noexcept { return me_; }

  Command random_command() noexcept { return random_.pick(engine::kCommands); }

  Command random_run() noexcept {
    if (run_ticks_left_-- == 0) {
      run_command_ = random_.pick(engine::kCommands);
      run_ticks_left_ = kRunTicksMin + random_.below(kRunTicksMax - kRunTicksMin + 1) - 1;
    }
    return run_command_;
  }

 private:
  Script script_;
  Random random_;
  Player me_ = Player::first;
  Command run_command_ = Command::stop;
  std::uint32_t run_ticks_left_ = 0;
};

/// Climbs to the pose in which it drowns last, and stays there.
class Camper final : public Bot {
 public:
  explicit Camper(std::uint64_t seed) : climber_(seed) {}

  void begin_match(const World& world, Player me, const engine::Lives&) override {
    world_.take_over(world);
    climber_.begin_match(world_, me);
    climber_.improve(world_, kTicksAtBeginning);
  }
  void send_tick(const World&) override {}
  Answer answer(const World& world) override {
    world_.take_over(world);
    climber_.improve(world_, kTicksPerAnswer);
    return {Answer::Kind::command, climber_.command(), {}, {}};
  }

 private:
  static constexpr std::int64_t kTicksAtBeginning = 60000;
  static constexpr std::int64_t kTicksPerAnswer = 500;

  planning::Climber climber_;
  World world_;  // flat, whatever engine the referee has
};

template <ScriptedBot::Script script>
std::unique_ptr<Bot> scripted(std::uint64_t seed) {
  return std::make_unique<ScriptedBot>(script, seed);
}

Command stop(ScriptedBot&, const World&) { return Command::stop; }
Command random_command(ScriptedBot& bot, const World&) { return bot.random_command(); }
Command random_run(ScriptedBot& bot, const World&) { return bot.random_run(); }
Command chase(ScriptedBot& bot, const World& world) { return towards_enemy(world, bot.me()); }
Command flee(ScriptedBot& bot, const World& world) {
  return chase(bot, world) == Command::right ? Command::left : Command::right;
}
Command level(ScriptedBot& bot, const World& world) { return towards_level(world, bot.me()); }

constexpr std::array<ScriptedBotInfo, 8> kScriptedBots{{
    {"camper", "climbs to the pose in which the deadline reaches it last, and stays",
     [](std::uint64_t seed) -> std::unique_ptr<Bot> { return std::make_unique<Camper>(seed); }},
    {"still", "does nothing: its car stands still, as with hold", scripted<stop>},
    {"hold", "always stops", scripted<stop>},
    {"random", "a random command each tick", scripted<random_command>},
    {"runs", "a random command for 5 to 40 ticks", scripted<random_run>},
    {"chase", "drives towards the enemy", scripted<chase>},
    {"flee", "drives away from the enemy", scripted<flee>},
    {"level", "levels out in the air, otherwise drives towards the enemy", scripted<level>},
}};

}  // namespace

std::span<const ScriptedBotInfo> scripted_bots() noexcept { return kScriptedBots; }

namespace {

class PlannerBot final : public Bot {
 public:
  explicit PlannerBot(const player::PlayerOptions& options) : player_(options) {}

  void begin_match(const engine::World& world, engine::Player me, const engine::Lives& lives) override {
    me_ = me;
    match_ = formats::NewMatchMessage{lives[index_of(me)], lives[index_of(opponent_of(me))], world.setup()};
  }
  void send_tick(const engine::World&) override {}
  Answer answer(const engine::World& world) override {
    const auto since = search::Budget::Clock::now();
    // The other player may have computed since send_tick().
    if (match_) player_.receive(*match_, since);
    match_.reset();
    player::Answer answer = player_.answer(formats::message_for(me_, world), since);
    return {Answer::Kind::command, answer.command, std::move(answer.debug), {}, std::move(answer.search_trace)};
  }

 private:
  player::PlannerPlayer player_;
  engine::Player me_ = engine::Player::first;
  std::optional<formats::NewMatchMessage> match_;  // until the first tick of the match is answered
};

constexpr std::string_view kPrefix = "builtin:";
// In ticks, so that games are reproducible.
constexpr std::int64_t kBuiltinTicks = 300;

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
  if (spec.find_first_not_of(" \t\n") == std::string::npos) {
    throw Error("a bot: found an empty text, expected a command line or builtin:NAME");
  }
  if (!spec.starts_with(kPrefix)) {
    return [spec](std::uint64_t, const BotLimits& limits, bool) { return std::make_unique<ProcessBot>(spec, limits); };
  }
  const std::string text = spec.substr(kPrefix.size());
  if (const auto* const found = std::ranges::find(kScriptedBots, text, &ScriptedBotInfo::name);
      found != kScriptedBots.end()) {
    return [found](std::uint64_t seed, const BotLimits&, bool) { return found->make(seed); };
  }
  const std::string name = text.substr(0, text.find(':'));
  if (std::ranges::find(kScriptedBots, name, &ScriptedBotInfo::name) != kScriptedBots.end())
    throw Error(fmt::format("bot {}: {} has no options", spec, name));
  const auto planners = search::planners();
  if (name != "bot" && std::ranges::find(planners, name, &search::PlannerInfo::name) == planners.end()) {
    throw Error(fmt::format("bot {}: unknown builtin, expected one of bot, {}, {}", spec, list_of_names(kScriptedBots),
                            list_of_names(planners)));
  }
  player::PlayerOptions parsed = player::parse_player_options(text, spec);
  if (!parsed.ticks && !parsed.time) parsed.ticks = kBuiltinTicks;
  static_cast<void>(planning::make_planner(parsed.planner, parsed.search));  // validates the options
  return [parsed = std::move(parsed)](std::uint64_t seed, const BotLimits&, bool search_trace) {
    player::PlayerOptions options = parsed;
    if (!options.has_seed) options.search.seed = seed;
    options.search_trace = search_trace;
    return std::make_unique<PlannerBot>(options);
  };
}

std::unique_ptr<Bot> make_bot(const std::string& spec, std::uint64_t seed, const BotLimits& limits, bool search_trace) {
  return parse_bot(spec)(seed, limits, search_trace);
}

}  // namespace forkmunk::referee
