#pragma once

#include <forkmunk/player/planner_player.h>

#include <algorithm>
#include <chrono>
#include <functional>

namespace forkmunk::player {

/// Excludes from a search's budget the time in which other programs ran on its processor.
///
/// Idea: a search checks its budget every few ticks. If a check comes late, the thread's processor time shows how long
/// it did not run. So an undisturbed search reads the steady clock only.   Thread: that of the search.
class DelayWatch {
 public:
  using Clock = search::Budget::Clock;

  /// Begins now. \param most  maximum time to exclude. The budget and the clocks must outlive the search.
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

  /// Time excluded so far.
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
