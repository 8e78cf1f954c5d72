// SPDX-License-Identifier: MIT
#include <forkmunk/base/error.h>
#include <forkmunk/search/game.h>
#include <forkmunk/search/two_sided_search.h>

namespace forkmunk::search {

// The namespace is named, because gcc warns if another file includes this one.
struct AnyGame {
  using World = Game;
  using State = std::unique_ptr<Game::State>;
  using Command = GameCommand;
  struct Pair {
    Command first;
    Command second;
  };
  struct Scorer {};
  struct CommandSet {
    std::size_t count = 2;
    [[nodiscard]] std::size_t size() const noexcept { return count; }
    [[nodiscard]] Command operator[](std::size_t index) const noexcept { return static_cast<Command>(index); }
    [[nodiscard]] Command held(int tick) const noexcept {
      return static_cast<Command>(static_cast<std::size_t>(tick) % count);
    }
  };
  static constexpr std::size_t kCommandsMax = kGameCommandsMax;

  static void save(const World& world, State& state) { world.save(state); }
  static void restore(World& world, const State& state) { world.restore(*state); }
  struct NoWorlds {
    [[nodiscard]] static constexpr std::size_t size() noexcept { return 0; }
    [[nodiscard]] World& operator[](std::size_t) const noexcept { return *world; }
    World* world = nullptr;
  };
  static NoWorlds companions(const World&, const State&, std::size_t) { return {}; }
  static void step(World& world, Pair commands) { world.step(commands.first, commands.second); }
  static void step_together(std::span<World* const> worlds, std::span<const Pair> commands) {
    for (std::size_t i = 0; i < worlds.size(); ++i) step(*worlds[i], commands[i]);
  }
  [[nodiscard]] static bool goes_on(const World& world) { return !world.is_over(); }
  [[nodiscard]] static double outcome(const World& world, Side side) { return world.outcome(side); }
  [[nodiscard]] static double score(const Scorer&, const World& world, Side side, int) { return world.score(side); }
};

namespace {

// The search then begins anew, so that no sum of ticks overflows.
constexpr int kTicksMax = 1'000'000'000;

std::size_t checked_count(const Game& game) {
  const std::size_t count = game.command_count();
  if (count >= 2 && count <= kGameCommandsMax) return count;
  throw Error("GamePlanner: the game has ", count, " commands; expected 2 to ", kGameCommandsMax);
}

}  // namespace

struct GamePlanner::Parts {
  Parts(Game& played, Side side, const PlannerInfo& planner, const SearchOptions& options)
      : game(&played), me(side), search(planner, options, scorer, {checked_count(played)}) {
    search.begin_match(played, side, 0);
  }

  Game* game;
  Side me;
  AnyGame::Scorer scorer;
  TwoSidedSearch<AnyGame> search;
  int tick = -1;  // of the last decision
};

GamePlanner::GamePlanner(Game& game, Side me, std::string_view name, const SearchOptions& options)
    : parts_(std::make_unique<Parts>(game, me, checked_planner(name, options), options)) {}

GamePlanner::~GamePlanner() = default;
GamePlanner::GamePlanner(GamePlanner&&) noexcept = default;
GamePlanner& GamePlanner::operator=(GamePlanner&&) noexcept = default;

GameDecision GamePlanner::decide(GameCommand enemy_last, Budget& budget, int ticks) {
  if (parts_ == nullptr) throw Error("GamePlanner::decide(): the planner was moved from");
  if (ticks < 0) throw Error("GamePlanner::decide(): found ", ticks, " ticks, expected 0 or more");
  Parts& parts = *parts_;
  if (enemy_last >= parts.game->command_count()) {
    throw Error("GamePlanner::decide(): found command ", enemy_last, ", expected less than ",
                parts.game->command_count());
  }
  const bool is_first = parts.tick < 0;
  if (!is_first && (ticks > kPlanTicksMax || parts.tick > kTicksMax)) {
    parts.search.begin_match(*parts.game, parts.me, 0);
    parts.tick = 0;
  } else {
    parts.tick = is_first ? 0 : parts.tick + ticks;
  }
  return parts.search.decide(*parts.game, parts.tick, enemy_last, budget);
}

}  // namespace forkmunk::search
