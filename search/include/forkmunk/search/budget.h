// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>

namespace forkmunk::search {

/// The limit of a search for one decision: simulated ticks, for reproducible tests and comparisons, or time, for play.
class Budget {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;

  /// \pre ticks >= 0
  [[nodiscard]] static Budget of_ticks(std::int64_t ticks) { return Budget(ticks, {}); }
  /// Returns a budget of time that begins now. \param now  replaces the steady clock, e.g. in tests. It must outlive
  /// the budget, and with several threads any of them may call it.
  [[nodiscard]] static Budget of_time(std::chrono::nanoseconds time, const Now* now = nullptr) {
    return Budget(-1, time, now);
  }

  /// Makes the search end early: once `stop` returns true, the budget counts as used up. Every check of the budget
  /// calls `stop`, every few ticks and on any of the planner's threads. After its first true, `stop` must return true
  /// every time. `stop` must not throw and must outlive the search.
  void stop_when(const std::function<bool()>& stop) noexcept { stop_ = &stop; }

  /// Does not count `time`, e.g. because another program ran.
  void exclude(std::chrono::nanoseconds time) noexcept { begin_ += time; }

  void count(std::int64_t ticks) noexcept { used_ += ticks; }
  [[nodiscard]] std::int64_t ticks_used() const noexcept { return used_; }

  /// Returns 0 to 1, or a little more. Cost: a budget of time reads the clock.
  [[nodiscard]] double used() const noexcept {
    if (stop_ != nullptr && (*stop_)()) return 1.0;
    if (limit_ >= 0) return limit_ == 0 ? 1.0 : static_cast<double>(used_) / static_cast<double>(limit_);
    const std::chrono::nanoseconds gone = std::max<std::chrono::nanoseconds>(now() - begin_, {});
    return time_.count() <= 0 ? 1.0 : static_cast<double>(gone.count()) / static_cast<double>(time_.count());
  }
  /// A budget of time assumes `ticks_per_second`.
  [[nodiscard]] double expected_ticks(double ticks_per_second) const noexcept {
    return limit_ >= 0 ? static_cast<double>(limit_) : std::chrono::duration<double>(time_).count() * ticks_per_second;
  }
  /// Returns the time since the beginning, without excluded time.
  [[nodiscard]] double seconds() const noexcept { return std::chrono::duration<double>(now() - begin_).count(); }
  [[nodiscard]] bool spent(double part = 1.0) const noexcept { return used() >= part; }

  /// Returns whether the search must end even without a plan: `stop` has returned true, or the ticks are used up. Time
  /// that is used up does not count, because one playout takes less time than an answer without a plan is worth.
  [[nodiscard]] bool must_end() const noexcept { return limit_ >= 0 ? spent() : stop_ != nullptr && (*stop_)(); }

  /// Returns the first `part` (0 to 1) with the same start and no ticks counted, for another thread.
  [[nodiscard]] Budget first(double part) const {
    Budget result = *this;
    result.used_ = 0;
    if (part == 1) return result;  // 2^63 - 1 rounds up
    if (limit_ >= 0) {
      result.limit_ = static_cast<std::int64_t>(part * static_cast<double>(limit_));
    } else {
      result.time_ = std::chrono::nanoseconds(static_cast<std::int64_t>(part * static_cast<double>(time_.count())));
    }
    return result;
  }

 private:
  Budget(std::int64_t limit, std::chrono::nanoseconds time, const Now* now = nullptr)
      : limit_(limit), time_(time), now_(now), begin_(this->now()) {}

  [[nodiscard]] Clock::time_point now() const { return now_ == nullptr ? Clock::now() : (*now_)(); }

  std::int64_t limit_;  // in ticks; negative if the budget is time
  std::chrono::nanoseconds time_;
  const Now* now_;  // null for the steady clock
  Clock::time_point begin_;
  std::int64_t used_ = 0;
  const std::function<bool()>* stop_ = nullptr;
};

}  // namespace forkmunk::search
