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

/// How a WorldBatch works.
struct BatchOptions {
  Physics physics = Physics::flat;
  /// Threads that step, the calling one among them; 0: as many as the machine has cores. Results are the same for any
  /// number.
  std::size_t threads = 1;
  /// A world whose match is over begins it anew in the next step(), which it spends on that.
  bool reset_when_over = false;
};

/// What came of the plans of a rollout.
struct Rollout {
  std::size_t plan_count = 0;
  std::size_t tick_count = 0;      ///< Per plan.
  std::vector<std::uint8_t> dead;  ///< plan_count x 2: whether the player died by the plan's end.
  std::vector<std::int32_t>
      death_ticks;                   ///< plan_count x 2: ticks of the plan until that death, 1 for the first; 0: none.
  std::vector<double> final_states;  ///< plan_count x kFullObservationSize; see observation.h.
  std::vector<double> states;        ///< plan_count x tick_count x kFullObservationSize, if asked for; else empty.
};

/// N worlds that are stepped together, on a pool of threads.
///
/// Each is a World: it goes the same way, bit for bit, as a World of its own with the same commands, whatever the
/// others do and however many threads there are. Everything is taken from the system when the batch is made: after that
/// only forks of the batch, fork_to_world() and a snapshot's first save take memory.
///
/// Thread rule: a WorldBatch belongs to one thread at a time; it has threads of its own.
class WorldBatch {
 public:
  /// `count` worlds at the beginning of a match of `setup`. \throws InvalidSetup; Error for no world at all, and for
  /// more than 65,536 threads.
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

  /// Saves world `index` into `snapshot`; restores one. See World. A flat world's snapshot is good for every world of
  /// the same setup. restore() throws Error for any other; try_restore() returns whether the world took it.
  void save(std::size_t index, Snapshot& snapshot) const;
  void restore(std::size_t index, const Snapshot& snapshot);
  [[nodiscard]] bool try_restore(std::size_t index, const Snapshot& snapshot);
  /// Restores `snapshot` in all worlds whose mask is not 0 (size(): one for each world). \throws Error at the
  /// first one that it is not for; those before it are restored.
  void restore(std::span<const std::uint8_t> mask, const Snapshot& snapshot);

  /// The beginning of the match again, as it was when the batch was made.
  void reset(std::size_t index);
  void reset(std::span<const std::uint8_t> mask);
  void reset();

  /// Begins a match of `setup` in world `index`, which reset() and reset_when_over begin again from here on. The first
  /// match of a setup takes memory. \throws InvalidSetup, with the world unchanged.
  void begin_match(std::size_t index, const MatchSetup& setup);

  /// Makes world `to` the twin of world `from`. \throws Error if their setups differ.
  void fork(std::size_t from, std::size_t to);
  /// Makes all worlds whose mask is not 0 twins of world `from`.
  void fork(std::size_t from, std::span<const std::uint8_t> mask);
  /// An independent twin of the whole batch, with threads of its own.
  [[nodiscard]] WorldBatch fork() const;
  /// A World of its own.
  [[nodiscard]] World fork_to_world(std::size_t index) const { return world(index).fork(); }

  /// What bots see, size() x kObservationSize (observation.h). Up to date after step(), restore(), reset() and fork();
  /// the memory is the batch's, at one address for its life.
  [[nodiscard]] std::span<const double> observations() const noexcept { return seen_; }
  /// With velocities, size() x kFullObservationSize: from the first call on as up to date as observations(), in memory
  /// like theirs.
  std::span<const double> compute_full_observations();

  /// size() x 2: whether each player is dead. size(): whether the match is over. As up to date as observations().
  [[nodiscard]] std::span<const std::uint8_t> dead() const noexcept { return dead_; }
  [[nodiscard]] std::span<const std::uint8_t> over() const noexcept { return over_; }

  /// Plays plans from one state, each in a world of the batch: plans[k * tick_count + t] are plan k's commands at tick
  /// t. The worlds' own states stay as they are. Steps after the end of a match are steps too. \param result  its
  /// vectors are reused. \param every_state  whether `states` is filled. \throws Error if `snapshot` is not for a world
  /// of the first setup, or the plans are no multiple of `tick_count`.
  /// \param stop  ends it early, `result` incomplete, once it returns true: called at every tick, on any of the
  /// threads; must not throw; may be empty.
  void rollout(const Snapshot& snapshot, std::span<const Commands> plans, std::size_t tick_count, Rollout& result,
               bool every_state = false, const std::function<bool()>& stop = {});

 private:
  explicit WorldBatch(BatchOptions options);  // without worlds
  void check(std::size_t index) const;
  void check(std::span<const std::uint8_t> mask) const;
  void begin(std::span<const MatchSetup> setups, std::size_t count);
  std::uint32_t add_kind(const MatchSetup& setup);
  void sort_worlds();
  void restart(std::size_t index);
  void refresh(std::size_t index);

  BatchOptions options_;
  std::unique_ptr<ThreadPool> pool_;
  std::vector<World> worlds_;
  std::vector<std::uint32_t> order_;     // of stepping: worlds of a kind one after the other
  std::vector<World> scratch_;           // for each thread a group: where rollouts are played
  std::vector<World> first_;             // of each setup, at its match's first tick: worlds are its forks
  std::vector<Snapshot> starts_;         // of each setup
  std::vector<std::uint32_t> start_of_;  // of each world
  std::vector<double> seen_, observed_;
  bool observes_fully_ = false;  // whether observed_ was asked for
  std::vector<std::uint8_t> dead_, over_;
  Snapshot moved_;  // on its way from world to world
};

}  // namespace forkmunk::engine
