#include "registry.h"

#include <forkmunk/base/error.h>

#include <string>

namespace forkmunk::search {
namespace {

// The search begins anew at this tick, so that no sum of ticks overflows.
constexpr int kTicksMax = 1'000'000'000;

std::size_t checked_count(const Game& game) {
  const std::size_t count = game.command_count();
  if (count >= 2 && count <= kGameCommandsMax) return count;
  throw Error("GamePlanner: the game has " + std::to_string(count) + " commands; expected 2 to " +
              std::to_string(kGameCommandsMax));
}

}  // namespace

struct GamePlanner::Parts {
  Parts(Game& played, Side side, const PlannerEntry& entry, const PlannerOptions& options)
      : game(&played), me(side), search(entry.game, entry.info.opponent, options, scorer, {checked_count(played)}) {
    search.begin_match(played, side, 0);
  }

  Game* game;
  Side me;
  AnyGame::Scorer scorer;
  TwoSidedSearch<AnyGame> search;
  int tick = -1;  // of the last decision
};

GamePlanner::GamePlanner(Game& game, Side me, std::string_view name, const PlannerOptions& options) {
  const PlannerEntry& entry = checked_planner(name, options);
  if (options.threads != 1) throw Error("GamePlanner: planner option threads: expected 1");
  parts_ = std::make_unique<Parts>(game, me, entry, options);
}

GamePlanner::~GamePlanner() = default;
GamePlanner::GamePlanner(GamePlanner&&) noexcept = default;
GamePlanner& GamePlanner::operator=(GamePlanner&&) noexcept = default;

GameDecision GamePlanner::decide(GameCommand enemy_last, Budget& budget, int ticks) {
  if (parts_ == nullptr) throw Error("GamePlanner::decide(): the planner was moved from");
  if (ticks < 0) throw Error("GamePlanner::decide(): found " + std::to_string(ticks) + " ticks, expected 0 or more");
  Parts& parts = *parts_;
  if (enemy_last >= parts.game->command_count()) {
    throw Error("GamePlanner::decide(): found command " + std::to_string(enemy_last) + ", expected less than " +
                std::to_string(parts.game->command_count()));
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
