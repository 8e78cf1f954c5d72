#include <forkmunk/base/random.h>
#include <forkmunk/referee/scripted_bots.h>

#include <array>

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

// In the air, the command right turns the car counter-clockwise.
Command towards_level(const World& world, Player me) {
  if (!world.in_air(me)) return towards_enemy(world, me);
  return world.car(me).body.angle < 0 ? Command::right : Command::left;
}

/// A bot whose command is a function of the world and of its own random numbers.
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

struct Entry {
  ScriptedBotInfo info;
  ScriptedBot::Script script;
};

constexpr std::array<Entry, 6> kScripts{{
    {{"hold", "always stops"}, [](ScriptedBot&, const World&) { return Command::stop; }},
    {{"random", "a random command each tick"}, [](ScriptedBot& bot, const World&) { return bot.random_command(); }},
    {{"runs", "a random command for 5 to 40 ticks"}, [](ScriptedBot& bot, const World&) { return bot.random_run(); }},
    {{"chase", "drives towards the enemy"},
     [](ScriptedBot& bot, const World& w) { return towards_enemy(w, bot.me()); }},
    {{"flee", "drives away from the enemy"},
     [](ScriptedBot& bot, const World& w) {
       return towards_enemy(w, bot.me()) == Command::right ? Command::left : Command::right;
     }},
    {{"level", "levels out in the air, else drives towards the enemy"},
     [](ScriptedBot& bot, const World& w) { return towards_level(w, bot.me()); }},
}};

}  // namespace

std::span<const ScriptedBotInfo> scripted_bots() noexcept {
  static constexpr auto kInfos = [] {
    std::array<ScriptedBotInfo, kScripts.size()> infos;
    for (std::size_t i = 0; i < infos.size(); ++i) infos[i] = kScripts[i].info;
    return infos;
  }();
  return kInfos;
}

std::unique_ptr<Bot> make_scripted_bot(std::string_view name, std::uint64_t seed) {
  for (const Entry& entry : kScripts) {
    if (entry.info.name == name) return std::make_unique<ScriptedBot>(entry.script, seed);
  }
  return nullptr;
}

}  // namespace forkmunk::referee
