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

/// Options of a WorldBatch.
struct BatchOptions {
  Physics physics = Physics::flat;
  /// Threads that step, including the calling one; 0: one for each core. Results do not depend on it.
  std::size_t threads = 1;
  /// The next step() of a world whose match is over resets it to the match's start instead of a tick. A match whose
  /// world became non-finite (World::is_finite()) before a death is never over.
  bool reset_when_over = false;
};

/// Results of the plans of a rollout.
struct Rollout {
  std::size_t plan_count = 0;
  std::size_t tick_count = 0;      ///< Per plan.
  std::vector<std::uint8_t> dead;  ///< plan_count x 2: whether the player died by the plan's end.
  std::vector<std::int32_t>
      death_ticks;                   ///< plan_count x 2: ticks of the plan until that death, 1 for the first; 0: none.
  std::vector<double> final_states;  ///< plan_count x kFullObservationSize; see observation.h.
  std::vector<double> states;        ///< plan_count x tick_count x kFullObservationSize if requested; else empty.
};

/// N worlds that are stepped together, on a pool of threads.
///
/// Each is a World: for the same commands it has the same states, bit for bit, as a single World, whatever the other
/// worlds and the number of threads are. The constructor allocates everything: after that only forks of the batch,
/// fork_to_world(), a snapshot's first save, begin_match() and the first rollout() of world 0's new match allocate.
/// Chipmunk worlds are replaced instead of restored when they are reset or made copies: that allocates, and their
/// earlier snapshots no longer fit.
///
/// Once it was moved from, a WorldBatch has no worlds and no threads, and what needs them throws Error.
///
/// Thread rule: a WorldBatch belongs to one thread at a time; it has threads of its own.
class WorldBatch {
 public:
  /// `count` worlds at the beginning of a match of `setup`. \throws InvalidSetup; Error for a count of 0 or above
  /// 16,777,216, and for more than 65,536 threads.
  WorldBatch(const MatchSetup& setup, std::size_t count, BatchOptions options = {});
  /// One world for each setup.
  explicit WorldBatch(std::span<const MatchSetup> setups, BatchOptions options = {});
  ~WorldBatch();
  WorldBatch(WorldBatch&&) noexcept;
  WorldBatch& operator=(WorldBatch&&) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return worlds_.size(); }
  [[nodiscard]] std::size_t thread_count() const noexcept;
  /// World `index`. \throws Error if there is none.
  [[nodiscard]] const World& world(std::size_t index) const;

  /// One tick of every world, commands[i] for world i. \throws Error for another number of commands.
  void step(std::span<const Commands> commands);

  /// Saves and restores world `index`; see World. A flat world's snapshot fits every world of the same setup. restore()
  /// throws Error for any other; try_restore() returns false.
  void save(std::size_t index, Snapshot& snapshot) const;
  void restore(std::size_t index, const Snapshot& snapshot);
  [[nodiscard]] bool try_restore(std::size_t index, const Snapshot& snapshot);
  /// Restores `snapshot` in all worlds with a mask other than 0 (size() masks). \throws Error, with all worlds
  /// unchanged, if it does not fit one of them.
  void restore(std::span<const std::uint8_t> mask, const Snapshot& snapshot);

  /// Resets a world, or all worlds with a mask other than 0, to the beginning of the match.
  void reset(std::size_t index);
  void reset(std::span<const std::uint8_t> mask);
  void reset();

  /// Begins a match of `setup` in world `index`, which reset() and reset_when_over begin again from here on. The first
  /// match of a setup takes memory, and time; 256 setups that no world has any more are kept. \throws InvalidSetup,
  /// with the world unchanged.
  void begin_match(std::size_t index, const MatchSetup& setup);

  /// Makes world `to` a copy of world `from`. \throws Error if their setups differ.
  void fork(std::size_t from, std::size_t to);
  /// Makes all worlds with a mask other than 0 copies of world `from`. \throws Error, with all worlds unchanged.
  void fork(std::size_t from, std::span<const std::uint8_t> mask);
  /// An independent copy of the whole batch, with its own threads.
  [[nodiscard]] WorldBatch fork() const;
  /// An independent World with the state of world `index`.
  [[nodiscard]] World fork_to_world(std::size_t index) const { return world(index).fork(); }

  /// Bots' observations, size() x kObservationSize (observation.h). Updated by step(), restore(), reset() and fork();
  /// the memory belongs to the batch and has one address for its life.
  [[nodiscard]] std::span<const double> observations() const noexcept { return seen_; }
  /// With velocities, size() x kFullObservationSize: from the first call on updated like observations(), in memory of
  /// the batch at one address.
  std::span<const double> compute_full_observations();

  /// size() x 2: whether each player is dead. size(): whether the match is over. Updated like observations().
  [[nodiscard]] std::span<const std::uint8_t> dead() const noexcept { return dead_; }
  [[nodiscard]] std::span<const std::uint8_t> over() const noexcept { return over_; }

  /// Plays plans from one state: plans[k * tick_count + t] are plan k's commands at tick t. The states of the batch's
  /// worlds do not change. Stepping continues after the end of a match. \param result  its vectors are reused.
  /// \param every_state  whether `states` is filled. \throws Error if `snapshot` is not of world 0's match or not of
  /// the flat engine, or the number of plans is not a multiple of `tick_count`. \param stop  ends the rollout early,
  /// with `result` incomplete, once it returns true: called at every tick, on any of the threads; must not throw; may
  /// be empty.
  void rollout(const Snapshot& snapshot, std::span<const Commands> plans, std::size_t tick_count, Rollout& result,
               bool every_state = false, const std::function<bool()>& stop = {});

 private:
  explicit WorldBatch(BatchOptions options);  // no worlds
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
  std::vector<std::uint32_t> order_;     // of stepping: worlds of a kind are consecutive
  std::vector<World> scratch_;           // a group for each thread, for rollouts
  std::uint32_t scratch_kind_ = 0;       // of setups
  std::vector<World> first_;             // by setup, at the first tick: worlds are its forks
  std::vector<Snapshot> starts_;         // by setup
  std::vector<std::uint32_t> start_of_;  // by world: index into starts_
  std::vector<double> seen_, observed_;
  bool observes_fully_ = false;  // compute_full_observations() was called
  std::vector<std::uint8_t> dead_, over_;
  Snapshot moved_;  // fork()'s buffer
};

}  // namespace forkmunk::engine
