// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/formats/message.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/planning/planner.h>
#include <forkmunk/player/player_options.h>
#include <forkmunk/replay/tracker.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace forkmunk::player {

class SearchTraceReader;
class TimeBank;

/// A bot's answer to a tick.
struct Answer {
  engine::Command command = engine::Command::stop;
  std::string debug;                                         ///< At most formats::kDebugCharactersMax characters.
  std::shared_ptr<const formats::SearchTrace> search_trace;  ///< Null unless PlayerOptions::search_trace.
};

/// Time that answers took.
struct Effort {
  std::int64_t answers = 0;
  std::chrono::nanoseconds total{0};  ///< From the arrival of a tick to its answer; the first one's includes new_match.
  std::chrono::nanoseconds search{0};  ///< The part of it in the planner.
  std::int64_t pondered_ticks = 0;     ///< Simulated by ponder().
};

/// The clocks that a player reads. Tests replace them, so that a player's decisions about time do not depend on how
/// busy the machine is. Functions must not throw.
struct Clocks {
  search::Budget::Now now = &search::Budget::Clock::now;
  /// Processor time of the calling thread.
  std::function<std::chrono::nanoseconds()> thread_time = &thread_processor_time;
  /// The time, since the process started, in which it was ready to run and did not; 0 where the system does not count
  /// it.
  std::function<std::chrono::nanoseconds()> run_delay = &process_run_delay;

  [[nodiscard]] static std::chrono::nanoseconds thread_processor_time() noexcept;
  [[nodiscard]] static std::chrono::nanoseconds process_run_delay() noexcept;
};

/// Plays by messages: a tracker reconstructs the referee's world, a planner searches from it. Once it was moved from,
/// what needs the planner throws Error.
class PlannerPlayer {
 public:
  /// \throws Error for invalid options.
  explicit PlannerPlayer(const PlayerOptions& options, Clocks clocks = {});
  ~PlannerPlayer();
  PlannerPlayer(PlannerPlayer&&) noexcept;
  PlannerPlayer& operator=(PlannerPlayer&&) noexcept;

  /// The detected build of the referee; see replay::RefereeTracker.
  [[nodiscard]] replay::RefereeKind referee() const noexcept { return tracker_.kind(); }

  [[nodiscard]] const Effort& effort() const noexcept { return effort_; }
  [[nodiscard]] const Clocks& clocks() const noexcept { return clocks_; }

  /// \param since  arrival time of the message; the time from then on counts against the game's limit.
  void receive(const formats::NewMatchMessage& message, search::Budget::Clock::time_point since);
  [[nodiscard]] Answer answer(const formats::TickMessage& message, search::Budget::Clock::time_point since);
  /// Optional, after an answer is sent: prepares for the next tick, which then takes less time.
  void prepare();
  /// Optional, after prepare(): searches the next tick's plan from the state in which the game will be if the opponent
  /// repeats its last command, until `stop` returns true; at most for 20 answers' time or 60 ms. The next answer begins
  /// with the plans found; under PlayerOptions::time it is what was found, if the game is in that state and the search
  /// was four times as long as an answer's, and the time saved goes to answers in unexpected states. No effect under
  /// PlayerOptions::ticks, whose answers are reproducible, or with several threads. \param stop  called every few ticks
  /// of the search; must not throw. \param is_busy  other programs need the processor, so that messages wait for
  /// this one: then it does nothing without PlayerOptions::time, or if the game's time would not last at the pace of
  /// the last answers. The time between the last call of `stop` that returned false and the end counts as delayed().
  void ponder(const std::function<bool()>& stop, bool is_busy = false);
  /// Records that the bot was ready to run for that long and did not: it counts against the game's limit, but does not
  /// shorten an answer under PlayerOptions::time.
  void delayed(std::chrono::nanoseconds time);

 private:
  void require_planner() const;
  [[nodiscard]] bool plans_in_tracked_world();
  [[nodiscard]] engine::World& planning_world();
  [[nodiscard]] std::chrono::nanoseconds allowance() const;
  [[nodiscard]] search::Budget budget(search::Budget::Clock::time_point since, bool is_surprised) const;
  [[nodiscard]] planning::Decision decide(engine::World& world, search::Budget::Clock::time_point since);

  /// What ponder() found for the next tick.
  struct Pondered {
    planning::Decision decision;
    engine::Command enemy_last = engine::Command::stop;  // as the next message will show it
    int tick = 0;
    std::chrono::nanoseconds time{0};  // of the processor
  };

  PlayerOptions options_;
  Clocks clocks_;
  replay::RefereeTracker tracker_;
  engine::World fast_world_;  // for planning, if the tracked arithmetic is not the flat engine's
  std::unique_ptr<TimeBank> bank_;
  std::unique_ptr<planning::Planner> planner_;
  /// Both sides' commands of the last answer's tick as expected, until prepare(); then the state after them.
  std::optional<engine::Commands> expected_commands_;
  engine::Snapshot expected_;
  bool may_ponder_ = false;
  std::optional<Pondered> pondered_;
  std::chrono::nanoseconds pondering_time_{0};  // of the last ponder()
  Effort effort_;
  std::chrono::nanoseconds excluded_{0};                    // time of the last answer in which other programs ran
  std::unique_ptr<SearchTraceReader> search_trace_reader_;  // null: not requested
  std::optional<search::Budget::Clock::time_point>
      fresh_since_;  // arrival of a new_match whose first tick has not come
};

}  // namespace forkmunk::player
