// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/random.h>
#include <forkmunk/engine/world.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace forkmunk::planning {

/// Finds the way of a car to the pose in which the deadline reaches its button last.
///
/// Method: hill climbing over plans of up to 300 ticks, while the other car stands still. After its plan a car brakes
/// and comes to rest. The height of its button then says when the deadline reaches it, so that a playout ends long
/// before. A plan that kills the car earlier is worse than all others.
///
/// The same seed, matches, states and numbers of ticks give the same commands.   Thread: one at a time.
class Climber {
 public:
  explicit Climber(std::uint64_t seed);
  ~Climber();

  /// \param world  at the new match's first tick.
  void begin_match(const engine::World& world, engine::Player me);
  /// Improves the plan by playing plans from the state of `world`, which is restored afterwards.
  /// \param ticks  Simulated ticks; it may take 360 more.
  /// \pre begin_match() was called for this match; the ticks of the match do not decrease from call to call.
  void improve(engine::World& world, std::int64_t ticks);
  [[nodiscard]] engine::Command command() const noexcept;
  /// Returns the tick of the match in which the deadline kills the car after its plan; below 0 if the plan kills it
  /// earlier.
  [[nodiscard]] double drowns_at() const noexcept { return drowns_at_; }

 private:
  using Commands = std::vector<engine::Command>;

  [[nodiscard]] Commands random_plan();
  void mutate(Commands& plan);
  [[nodiscard]] double play(engine::World& world, const Commands& plan);

  Random random_;
  engine::Player me_ = engine::Player::first;
  std::unique_ptr<struct CarShape> shape_;  // null: no match has begun
  engine::Snapshot state_;
  Commands plan_;
  double score_ = 0;
  double drowns_at_ = 0;
  int tick_ = 0;  // the first tick of plan_
  std::int64_t played_ = 0;
};

}  // namespace forkmunk::planning
