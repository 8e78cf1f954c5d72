// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/player/planner_player.h>
#include <forkmunk/search/budget.h>

#include <algorithm>
#include <chrono>
#include <functional>

namespace forkmunk::player {

// The contest gives a bot 120 s a game. The referee's clock runs from its message until it has read the answer:
//
//   referee  writes message .. wakes the bot .................................. reads answer
//   bot                        | delay | message read | search (delays) | write |             | ponder (free) |
//
// Each answer gets a share(), which spreads the bank over the likely number of answers of the rest of the game, and
// keeps kAnswerTimeReserved for every answer of the longest rest.
//
// With a mean time (PlayerOptions::time, "steady") every answer gets the mean while its share allows it. A longer
// answer leaves a debt, which shortens the next answers. A shorter answer leaves savings (a negative debt), which
// answers in unexpected states spend (extra()).
//
// Delays, in which another program ran, reduce the bank (delay()), but are no debt, because they must not shorten
// answers under a mean time. They are measured before a message is read (by the kernel's statistics), within a search
// (DelayWatch) and at the end of pondering. On a busy machine the bot ponders only if the bank covers_rest().

/// Allocates the time of a game to its answers, so that it never runs out before the game is over.
///
/// A match lasts at most about 1,200 ticks, usually half of that. The expected number of matches is that of two equal
/// players, because few games last until both have one life.
class TimeBank {
 public:
  using Duration = std::chrono::nanoseconds;

  explicit TimeBank(Duration total) : left_(total) {}
  /// \param steady  the mean per answer. 4 % are held back, so that the mean is below `steady` by any clock.
  TimeBank(Duration total, Duration steady) : left_(total), steady_(steady - steady / 25) {}

  /// Returns the time for the next answer. \param lives, enemy_lives  the lives left, including this match.
  /// \param tick  the tick of this match.
  [[nodiscard]] Duration allowance(int lives, int enemy_lives, int tick) const noexcept;
  /// Returns the time that an answer in an unexpected state may use besides its allowance: half of the savings.
  [[nodiscard]] Duration extra(int lives, int enemy_lives, int tick) const noexcept;
  /// Returns true, with `steady`, until the savings are large enough.
  [[nodiscard]] bool saves() const noexcept;
  /// Returns the maximum delay within the next answer, which never empties the bank.
  [[nodiscard]] Duration delay_max(int lives, int enemy_lives, int tick) const noexcept;
  /// Returns whether answers at the pace of the last ones, with their delays, leave enough for the likely rest of the
  /// game.
  [[nodiscard]] bool covers_rest(int lives, int enemy_lives, int tick) const noexcept;
  /// Records the time from the arrival of the message to the written answer, without delays.
  void spend(Duration time) noexcept;
  void delay(Duration time) noexcept { left_ -= time; }

  [[nodiscard]] Duration left() const noexcept { return left_; }

 private:
  [[nodiscard]] Duration latency() const noexcept;
  [[nodiscard]] Duration share(int lives, int enemy_lives, int tick) const noexcept;

  Duration left_;
  Duration left_before_ = left_;  // after the last answer
  Duration recent_{0};            // the weighted mean of the last answers, with delays
  // The usable mean time per answer, or 0.
  Duration steady_{0};
  // The last answers' overrun of steady_. Negative for savings.
  Duration debt_{0};
};

/// Excludes from a search's budget the time in which other programs ran on its processor.
///
/// If one of the search's frequent checks of its budget comes late, the thread's processor time shows how long the
/// thread did not run. So an undisturbed search reads only the steady clock.   Thread: the search's.
class DelayWatch {
 public:
  using Clock = search::Budget::Clock;

  /// \param most  the maximum time to exclude. The budget and the clocks must outlive the search.
  DelayWatch(search::Budget& budget, std::chrono::nanoseconds most, const Clocks& clocks)
      : budget_(budget),
        most_(most),
        clocks_(clocks),
        begin_(clocks.now()),
        cpu_begin_(clocks.thread_time()),
        last_(begin_) {
    budget.stop_when(check_);
  }
  DelayWatch(const DelayWatch&) = delete;
  DelayWatch& operator=(const DelayWatch&) = delete;

  [[nodiscard]] std::chrono::nanoseconds excluded() const noexcept { return excluded_; }

 private:
  static constexpr std::chrono::microseconds kLate{150};

  void check() noexcept {
    const Clock::time_point now = clocks_.now();
    const bool late = now - last_ > kLate;
    last_ = now;
    if (!late) return;
    const std::chrono::nanoseconds waited = std::min((now - begin_) - (clocks_.thread_time() - cpu_begin_), most_);
    if (waited <= excluded_) return;
    budget_.exclude(waited - excluded_);
    excluded_ = waited;
  }

  search::Budget& budget_;
  std::chrono::nanoseconds most_;
  const Clocks& clocks_;
  Clock::time_point begin_;
  std::chrono::nanoseconds cpu_begin_;
  Clock::time_point last_;
  std::chrono::nanoseconds excluded_{0};
  std::function<bool()> check_ = [this] {
    check();
    return false;
  };
};

}  // namespace forkmunk::player
