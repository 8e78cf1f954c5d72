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

struct Answer {
  engine::Command command = engine::Command::stop;
  std::string debug;                                         ///< At most formats::kDebugCharactersMax characters.
  std::shared_ptr<const formats::SearchTrace> search_trace;  ///< Null unless PlayerOptions::search_trace.
};

struct Effort {
  std::int64_t answers = 0;
  std::int64_t answers_without_plan = 0;  ///< Answers for which no plan was played to its end.
  /// The time from the arrival of a tick to its answer; for the first tick, from new_match.
  std::chrono::nanoseconds total{0};
  std::chrono::nanoseconds search{0};  ///< Part of `total`.
  std::int64_t pondered_ticks = 0;
};

/// Tests replace these clocks, so that decisions about time do not depend on how busy the machine is. The functions
/// must not throw.
struct Clocks {
  search::Budget::Now now = &search::Budget::Clock::now;
  std::function<std::chrono::nanoseconds()> thread_time = &thread_processor_time;
  /// Returns how long the process was ready to run and did not; 0 where the system does not count this time.
  std::function<std::chrono::nanoseconds()> run_delay = &process_run_delay;

  [[nodiscard]] static std::chrono::nanoseconds thread_processor_time() noexcept;
  [[nodiscard]] static std::chrono::nanoseconds process_run_delay() noexcept;
};

/// Plays by messages: a tracker reconstructs the referee's world, and a planner searches from it. After a move from a
/// player, functions that need the planner throw Error.
class PlannerPlayer {
 public:
  /// \throws Error for invalid options.
  explicit PlannerPlayer(const PlayerOptions& options, Clocks clocks = {});
  ~PlannerPlayer();
  PlannerPlayer(PlannerPlayer&&) noexcept;
  PlannerPlayer& operator=(PlannerPlayer&&) noexcept;

  [[nodiscard]] replay::RefereeKind referee() const noexcept { return tracker_.kind(); }

  [[nodiscard]] const Effort& effort() const noexcept { return effort_; }
  [[nodiscard]] const Clocks& clocks() const noexcept { return clocks_; }

  /// \param since  the arrival of the message, from which time counts against the game's limit.
  void receive(const formats::NewMatchMessage& message, search::Budget::Clock::time_point since);
  [[nodiscard]] Answer answer(const formats::TickMessage& message, search::Budget::Clock::time_point since);
  /// Prepares for the next tick, which then takes less time. Optional, after an answer is sent.
  void prepare();
  /// Searches the next tick's plan ahead, from the state that the game will have if the opponent repeats its last
  /// command. Optional, after prepare(). Ends when `stop` returns true, or after 20 answers' time or 60 ms, whichever
  /// is longer.
  ///
  /// The next answer begins with the plans found, and with PlayerOptions::time may be the plan found (decision 15 in
  /// docs/decisions). ponder() has no effect with PlayerOptions::ticks or several threads.
  ///
  /// \param stop  is called every few ticks of the search and must not throw. The time between the last call that
  /// returned false and the end counts as delayed().
  /// \param is_busy  whether other programs need the processor. Then ponder() does nothing without PlayerOptions::time,
  /// or if the game's time would not last at the pace of the last answers.
  void ponder(const std::function<bool()>& stop, bool is_busy = false);
  /// Records a time in which the bot was ready to run and did not. The time counts against the game's limit, but does
  /// not shorten an answer with PlayerOptions::time.
  void delayed(std::chrono::nanoseconds time);

 private:
  void require_planner() const;
  [[nodiscard]] bool plans_in_tracked_world();
  [[nodiscard]] engine::World& planning_world();
  [[nodiscard]] std::chrono::nanoseconds allowance() const;
  [[nodiscard]] search::Budget budget(search::Budget::Clock::time_point since, bool is_surprised) const;
  [[nodiscard]] planning::Decision decide(engine::World& world, search::Budget::Clock::time_point since);

  struct Pondered {
    planning::Decision decision;
    engine::Command enemy_last = engine::Command::stop;  // expected in the next message
    int tick = 0;
    std::chrono::nanoseconds time{0};  // processor time
  };

  PlayerOptions options_;
  Clocks clocks_;
  replay::RefereeTracker tracker_;
  engine::World fast_world_;  // for planning, if the tracked arithmetic is not the flat engine's
  std::unique_ptr<TimeBank> bank_;
  std::unique_ptr<planning::Planner> planner_;
  /// The expected commands at the last answer's tick, until prepare(); then the state after them.
  std::optional<engine::Commands> expected_commands_;
  engine::Snapshot expected_;
  bool may_ponder_ = false;
  std::optional<Pondered> pondered_;
  std::chrono::nanoseconds pondering_time_{0};
  Effort effort_;
  std::chrono::nanoseconds excluded_{0};                    // while other programs ran, in the last answer
  std::unique_ptr<SearchTraceReader> search_trace_reader_;  // null unless requested
  // The arrival of a new_match whose first tick has not come.
  std::optional<search::Budget::Clock::time_point> fresh_since_;
};

}  // namespace forkmunk::player
