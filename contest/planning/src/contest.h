// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/planning/planner.h>
#include <forkmunk/search/two_sided_search.h>

#include <optional>
#include <span>
#include <vector>

namespace forkmunk::planning {

[[nodiscard]] constexpr search::Side side_of(engine::Player player) noexcept {
  return player == engine::Player::first ? search::Side::first : search::Side::second;
}
[[nodiscard]] constexpr engine::Player player_of(search::Side side) noexcept {
  return side == search::Side::first ? engine::Player::first : engine::Player::second;
}

struct Contest {
  using World = engine::World;
  using State = engine::Snapshot;
  using Command = engine::Command;
  using Pair = engine::Commands;
  using Scorer = Evaluator;
  struct CommandSet {
    [[nodiscard]] static constexpr std::size_t size() noexcept { return engine::kCommands.size(); }
    [[nodiscard]] constexpr Command operator[](std::size_t index) const noexcept { return engine::kCommands[index]; }
    [[nodiscard]] static constexpr Command held(int tick) noexcept {
      return tick % 2 == 0 ? Command::left : Command::right;
    }
  };
  static constexpr std::size_t kCommandsMax = engine::kCommands.size();

  static void save(const World& world, State& state) { world.save(state); }
  static void restore(World& world, const State& state) { world.restore(state); }
  /// Returns no world if worlds cannot be stepped together with `world`.
  static std::vector<World> companions(const World& world, const State& state, std::size_t count) {
    std::vector<World> worlds;
    for (std::size_t i = 0; i < count; ++i) {
      worlds.push_back(world.fork());
      // The bytes of a Chipmunk world fit only that world.
      if (!worlds.back().try_restore(state)) return {};
    }
    return worlds;
  }
  static void step(World& world, Pair commands) { world.step(commands); }
  static void step_together(std::span<World* const> worlds, std::span<const Pair> commands) {
    engine::step_together(worlds, commands);
  }
  [[nodiscard]] static bool goes_on(const World& world) { return world.takes_commands(); }
  [[nodiscard]] static double outcome(const World& world, search::Side side) {
    constexpr double kBothDie = -0.02;  // slightly negative
    const engine::Player player = player_of(side);
    const bool mine = world.dead(player), theirs = world.dead(opponent_of(player));
    return mine && theirs ? kBothDie : mine ? -1 : 1;
  }
  [[nodiscard]] static double score(const Scorer& scorer, const World& world, search::Side side, int ahead) noexcept {
    return scorer.evaluate(world, player_of(side), ahead);
  }
};

struct BegunMatch {
  explicit BegunMatch(const engine::World& world)
      : setup(world.setup()), is_flat(world.physics() == engine::Physics::flat) {}
  engine::MatchSetup setup;
  bool is_flat;
};
/// \throws Error if a match has begun and `world` is in another match.
void check_match(const std::optional<BegunMatch>& begun, const engine::World& world);

}  // namespace forkmunk::planning
