#pragma once

#include <forkmunk/engine/world.h>
#include <forkmunk/search/evaluator.h>
#include <forkmunk/search/game.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

/// The games that plan searches and playouts are compiled for: their types, and how a world is played and scored.
namespace forkmunk::search {

/// Both sides' commands of a tick.
template <typename Command>
struct CommandPair {
  Command first;
  Command second;
};

/// The contest's world.
struct Contest {
  using World = engine::World;
  using State = engine::Snapshot;
  using Command = engine::Command;
  using Pair = engine::Commands;
  using Scorer = Evaluator;
  struct CommandSet {
    [[nodiscard]] static constexpr std::size_t size() noexcept { return engine::kCommands.size(); }
    [[nodiscard]] constexpr Command operator[](std::size_t index) const noexcept { return engine::kCommands[index]; }
    /// A command to hold for a whole plan, another one from tick to tick.
    [[nodiscard]] static constexpr Command held(int tick) noexcept {
      return tick % 2 == 0 ? Command::left : Command::right;
    }
  };
  static constexpr std::size_t kCommandsMax = engine::kCommands.size();

  static void save(const World& world, State& state) { world.save(state); }
  static void restore(World& world, const State& state) { world.restore(state); }
  /// `count` worlds that can be stepped together with `world`; none if there are none such.
  static std::vector<World> companions(const World& world, const State& state, std::size_t count) {
    std::vector<World> worlds;
    for (std::size_t i = 0; i < count; ++i) {
      worlds.push_back(world.fork());
      // A Chipmunk world's bytes fit that world only.
      if (!worlds.back().try_restore(state)) return {};
    }
    return worlds;
  }
  static void step(World& world, Pair commands) { world.step(commands); }
  static void step_together(std::span<World* const> worlds, std::span<const Pair> commands) {
    engine::step_together(worlds, commands);
  }
  [[nodiscard]] static bool goes_on(const World& world) { return world.takes_commands(); }
  [[nodiscard]] static double outcome(const World& world, Side side) {
    constexpr double kBothDie = -0.02;  // almost neutral, but slightly negative
    const bool mine = world.dead(side), theirs = world.dead(opponent_of(side));
    return mine && theirs ? kBothDie : mine ? -1 : 1;
  }
  [[nodiscard]] static double score(const Scorer& scorer, const World& world, Side side, int ahead) noexcept {
    return scorer.evaluate(world, side, ahead);
  }
};

/// A Game.
struct AnyGame {
  using World = Game;
  using State = std::unique_ptr<Game::State>;
  using Command = GameCommand;
  using Pair = CommandPair<Command>;
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

/// Any of them.
template <typename Commands>
[[nodiscard]] auto drawn(Random& random, const Commands& commands) noexcept {
  return commands[random.below(commands.size())];
}

}  // namespace forkmunk::search
