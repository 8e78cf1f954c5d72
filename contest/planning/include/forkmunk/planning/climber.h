// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/random.h>
#include <forkmunk/engine/world.h>
#include <forkmunk/planning/planner.h>
#include <forkmunk/search/budget.h>
#include <forkmunk/search/planner_state.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace forkmunk::planning {

/// Finds the way of a car to the pose in which the deadline reaches its button last.
///
/// Idea: hill climbing over plans of up to 300 ticks, while the other car stands still. After its plan a car brakes
/// and comes to rest. The height of its button then says when the deadline reaches it, so that a playout ends long
/// before the car drowns. A plan that kills a car before is worse than all others.
///
/// To outlive the other car, the difference of the heights counts. A kill counts little, unless it is near.
///
/// The same seed, matches, states and numbers of ticks give the same commands.   Thread: one at a time.
class Climber {
 public:
  enum class Goal : std::uint8_t {
    last,     ///< The car drowns as late as possible.
    outlive,  ///< The other car dies first.
  };
  explicit Climber(std::uint64_t seed, Goal goal = Goal::last);
  ~Climber();
  Climber(Climber&&) noexcept;
  Climber& operator=(Climber&&) noexcept;

  /// Discards the last match. \param world  at the new match's first tick.
  void begin_match(const engine::World& world, engine::Player me);
  /// Discards the plan. The next plan begins at a tick of the match; until then the car brakes.
  void restart(int launch_tick) noexcept;
  /// Improves the plan by playing plans from the state of `world`, which has its state again afterwards. Allocates
  /// nothing.
  /// \param budget  With the goal `last`, the last plan is played to its end: at most 550 ticks more.
  /// \pre begin_match() was called for this match.
  void improve(engine::World& world, search::Budget& budget);
  /// Returns the plan's command at the tick of the last improve().
  [[nodiscard]] engine::Command command() const noexcept;
  /// Returns the tick of the match in which the deadline kills the car, if it follows the plan and then brakes. It is
  /// below 0 if the plan kills a car before.
  [[nodiscard]] double drowns_at() const noexcept { return drowns_at_; }
  /// Returns the tick of the match in which the deadline kills the other car, if that car stays where it is.
  [[nodiscard]] double other_drowns_at() const noexcept { return other_drowns_at_; }
  /// Returns the worth of the plan. With the goal `outlive`, the other car dies first if the worth is above 0.
  [[nodiscard]] double worth() const noexcept { return worth_; }
  /// Returns whether the car only brakes from the last improve() on.
  [[nodiscard]] bool is_idle() const noexcept { return tick_ >= launch_ && plan_.empty(); }
  /// Returns the commands of the next ticks.
  [[nodiscard]] Plan next(int ticks) const;
  /// Writes or reads the state on which later plans depend.
  void carry(search::PlannerState& state);

 private:
  struct Shape;
  struct Outcome {
    double worth = 0;
    double drowns_at = 0;
  };
  using Commands = std::vector<engine::Command>;

  void append_random(Commands& plan, std::size_t ticks_max);
  void mutate(Commands& plan);
  [[nodiscard]] std::optional<Outcome> play(engine::World& world, const Commands& plan, search::Budget& budget);
  [[nodiscard]] Outcome outcome(const engine::World& world, double low, double other_low, int ticks) const;
  [[nodiscard]] engine::Command command_at(int tick) const noexcept;

  Random random_;
  Goal goal_;
  engine::Player me_ = engine::Player::first;
  std::unique_ptr<Shape> shape_;  // null: no match has begun
  engine::Snapshot state_;
  engine::Snapshot root_;  // the state at which the plan begins
  Commands plan_, child_;
  double worth_ = 0;
  double drowns_at_ = 0;
  double other_drowns_at_ = 0;
  bool other_moves_ = false;  // so that other_drowns_at_ is from before
  int tick_ = 0;              // the tick of the match at the last improve()
  int launch_ = 0;            // the plan begins at tick_ or at this tick, whichever is later
};

}  // namespace forkmunk::planning
