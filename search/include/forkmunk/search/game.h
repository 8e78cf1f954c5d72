// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>
#include <forkmunk/search/budget.h>
#include <forkmunk/search/planners.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

/// Planners for any world of two sides with a few commands each; one side may be passive.
namespace forkmunk::search {

/// 0 to command_count() - 1. An unknown command is taken to be 0.
using GameCommand = std::uint8_t;
inline constexpr std::size_t kGameCommandsMax = 16;

/// A world as a planner plays it. GameOf makes a Game of any ForkableGame.
class Game {
 public:
  struct State {
    virtual ~State() = default;
  };

  Game() = default;
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;
  virtual ~Game() = default;

  /// Returns 2 to kGameCommandsMax.
  [[nodiscard]] virtual std::size_t command_count() const = 0;
  /// A null `state` becomes a new state; otherwise this game must have made it.
  virtual void save(std::unique_ptr<State>& state) const = 0;
  virtual void restore(const State& state) = 0;
  virtual void step(GameCommand first, GameCommand second) = 0;
  [[nodiscard]] virtual bool is_over() const = 0;
  /// Returns 1 if `side` won the game, which is over, -1 if it lost, or a number between. It counts kWin times as much
  /// as a score.
  [[nodiscard]] virtual double outcome(Side side) const = 0;
  /// Returns the present state's score: the higher, the better for `side`. NaN is worse than any number.
  [[nodiscard]] virtual double score(Side side) const = 0;
};

/// A world that planners can play. A restored world has exactly the same future.
template <typename World>
concept ForkableGame = std::default_initializable<typename World::State> &&
    requires(World& world, const World& seen, typename World::State& state, Side side) {
  { World::kCommandCount } -> std::convertible_to<std::size_t>;
  seen.save(state);
  world.restore(state);
  world.step(GameCommand{}, GameCommand{});
  { seen.is_over() } -> std::convertible_to<bool>;
  { seen.outcome(side) } -> std::convertible_to<double>;
  { seen.score(side) } -> std::convertible_to<double>;
};

/// The world must outlive the GameOf.
template <ForkableGame World>
class GameOf final : public Game {
 public:
  explicit GameOf(World& world) : world_(&world) {}

  [[nodiscard]] std::size_t command_count() const override { return World::kCommandCount; }
  void save(std::unique_ptr<State>& state) const override {
    if (state == nullptr) state = std::make_unique<Saved>();
    world_->save(static_cast<Saved&>(*state).value);
  }
  void restore(const State& state) override { world_->restore(static_cast<const Saved&>(state).value); }
  void step(GameCommand first, GameCommand second) override { world_->step(first, second); }
  [[nodiscard]] bool is_over() const override { return world_->is_over(); }
  [[nodiscard]] double outcome(Side side) const override { return world_->outcome(side); }
  [[nodiscard]] double score(Side side) const override { return world_->score(side); }

 private:
  struct Saved final : State {
    typename World::State value;
  };
  World* world_;
};

using GamePlan = BasicPlan<GameCommand>;
using GameDecision = BasicDecision<GameCommand>;

/// Chooses one side's commands by playing plans in a Game. The same seed, states and budgets in ticks give the same
/// decisions.   Thread: the thread of the game.
class GamePlanner {
 public:
  /// \param name  one of planners(). \param game  must outlive the planner. \throws Error for an unknown name, an
  /// option out of range, or a number of commands out of range.
  GamePlanner(Game& game, Side me, std::string_view name, const SearchOptions& options = {});
  ~GamePlanner();
  GamePlanner(GamePlanner&&) noexcept;
  GamePlanner& operator=(GamePlanner&&) noexcept;

  /// Searches from the game's present state, beginning with the last plan. Restores that state, also after an exception
  /// of the game, which decide() passes on.
  /// \param enemy_last  the last known command of the other side.
  /// \param ticks  the ticks since the last call; any number at the first call. After more than kPlanTicksMax ticks the
  /// last plan is forgotten. \throws Error for an unknown command, for negative ticks, and if the planner was moved
  /// from.
  [[nodiscard]] GameDecision decide(GameCommand enemy_last, Budget& budget, int ticks = 1);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace forkmunk::search
