// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/engine/observation.h>
#include <forkmunk/engine/world.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace forkmunk {
class ThreadPool;
}

namespace forkmunk::engine {

struct BatchOptions {
  Physics physics = Physics::flat;
  /// The threads that step, including the calling one; 0 for one per core. Results do not depend on the number.
  std::size_t threads = 1;
  /// If true, the next step() of a world whose match is over resets the world. A match whose world became
  /// non-finite (World::is_finite()) before a death is never over.
  bool reset_when_over = false;
};

struct Rollout {
  std::size_t plan_count = 0;
  std::size_t tick_count = 0;      ///< The ticks of each plan.
  std::vector<std::uint8_t> dead;  ///< plan_count x 2: whether the player died up to the plan's end.
  /// plan_count x 2: the tick of the death, from 1; 0 without a death.
  std::vector<std::int32_t> death_ticks;
  std::vector<double> final_states;  ///< plan_count x kFullObservationSize, see observation.h.
  std::vector<double> states;        ///< plan_count x tick_count x kFullObservationSize if requested, else empty.
};

/// N worlds that are stepped together, on a pool of threads, each with the bits of a single World.
///
/// Only the constructor, forks of the batch, fork_to_world(), a snapshot's first save, begin_match() and the first
/// rollout() of a new match of world 0 allocate. Chipmunk worlds are replaced when they are reset or made copies: this
/// allocates, and their earlier snapshots no longer fit.
///
/// A moved-from WorldBatch has no worlds, and functions that need them throw Error.   Thread: one at a time.
class WorldBatch {
 public:
  /// Begins a match of `setup` in `count` worlds. \throws InvalidSetup; Error for a count of 0 or above 16,777,216, and
  /// for more than 65,536 threads.
  WorldBatch(const MatchSetup& setup, std::size_t count, BatchOptions options = {});
  explicit WorldBatch(std::span<const MatchSetup> setups, BatchOptions options = {});
  ~WorldBatch();
  WorldBatch(WorldBatch&&) noexcept;
  WorldBatch& operator=(WorldBatch&&) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return worlds_.size(); }
  [[nodiscard]] std::size_t thread_count() const noexcept;
  /// \throws Error if there is no such world.
  [[nodiscard]] const World& world(std::size_t index) const;

  /// Steps world i with commands[i]. \throws Error for another number of commands.
  void step(std::span<const Commands> commands);

  /// Work as in World. The snapshot of a flat world fits every world of the same setup.
  void save(std::size_t index, Snapshot& snapshot) const;
  void restore(std::size_t index, const Snapshot& snapshot);
  [[nodiscard]] bool try_restore(std::size_t index, const Snapshot& snapshot);
  /// Restores `snapshot` in all worlds with a mask other than 0 (size() masks). \throws Error, with all worlds
  /// unchanged, if `snapshot` does not fit one of them.
  void restore(std::span<const std::uint8_t> mask, const Snapshot& snapshot);

  /// Reset a world, or all worlds with a mask other than 0, to the beginning of the match.
  void reset(std::size_t index);
  void reset(std::span<const std::uint8_t> mask);
  void reset();

  /// Begins a match of `setup` in world `index`, to which reset() and reset_when_over return from now on. A setup's
  /// first match costs memory and time; 256 unused setups are kept. \throws InvalidSetup, with the world unchanged.
  void begin_match(std::size_t index, const MatchSetup& setup);

  /// \throws Error if the setups differ.
  void fork(std::size_t from, std::size_t to);
  /// Copies world `from` to all worlds with a mask other than 0. \throws Error, with all worlds unchanged.
  void fork(std::size_t from, std::span<const std::uint8_t> mask);
  /// Returns an independent copy of the batch, with its own threads.
  [[nodiscard]] WorldBatch fork() const;
  [[nodiscard]] World fork_to_world(std::size_t index) const { return world(index).fork(); }

  /// Returns the bots' observations, size() x kObservationSize (observation.h), always up to date. The memory belongs
  /// to the batch and keeps its address.
  [[nodiscard]] std::span<const double> observations() const noexcept { return seen_; }
  /// Returns observations with velocities, size() x kFullObservationSize, from the first call on kept like
  /// observations().
  std::span<const double> compute_full_observations();

  /// Return whether each player is dead, size() x 2, and whether each match is over, size(); kept like observations().
  [[nodiscard]] std::span<const std::uint8_t> dead() const noexcept { return dead_; }
  [[nodiscard]] std::span<const std::uint8_t> over() const noexcept { return over_; }

  /// Plays plans from one state: plans[k * tick_count + t] are plan k's commands at tick t. The batch's worlds do not
  /// change. Stepping continues after the end of a match.
  /// \param result  the results, whose vectors are reused.
  /// \param every_state  whether `states` is filled.
  /// \param stop  unless empty, is called at every tick, on any of the threads, and must not throw. Once it returns
  /// true, the rollout ends with `result` incomplete.
  /// \throws Error if `snapshot` is not of world 0's match or not of the flat engine, or if `tick_count` does not
  /// divide the number of plans.
  void rollout(const Snapshot& snapshot, std::span<const Commands> plans, std::size_t tick_count, Rollout& result,
               bool every_state = false, const std::function<bool()>& stop = {});

 private:
  explicit WorldBatch(BatchOptions options);
  void require_worlds(const char* function) const;
  void check(std::size_t index) const;
  void check(std::span<const std::uint8_t> mask) const;
  void begin(std::span<const MatchSetup> setups, std::size_t count);
  std::uint32_t add_kind(const MatchSetup& setup);
  void sort_worlds();
  void check_alike(std::size_t one, std::size_t other, const char* function) const;
  void restart(std::size_t index);
  void refresh(std::size_t index);

  BatchOptions options_;
  std::unique_ptr<ThreadPool> pool_;
  std::vector<World> worlds_;
  std::vector<std::uint32_t> order_;  // of stepping, in which worlds of a setup are consecutive
  std::vector<World> scratch_;        // a group for each thread, for rollouts
  std::uint32_t scratch_kind_ = 0;
  std::vector<World> first_;             // by setup, a world at the first tick, whose forks the worlds are
  std::vector<Snapshot> starts_;         // by setup, the state at the first tick
  std::vector<std::uint32_t> start_of_;  // by world, the index into starts_
  std::vector<double> seen_, observed_;
  bool observes_fully_ = false;
  std::vector<std::uint8_t> dead_, over_;
  Snapshot moved_;
};

}  // namespace forkmunk::engine
