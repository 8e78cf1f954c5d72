#pragma once

#include <forkmunk/engine/command.h>

#include <algorithm>
#include <array>
#include <string>

namespace forkmunk::search {

/// Maximum length of a plan, in ticks.
inline constexpr int kPlanTicksMax = 128;

/// The command of a plan without commands.
template <typename Command>
inline constexpr Command kNoCommand{};
template <>
inline constexpr engine::Command kNoCommand<engine::Command> = engine::Command::stop;

/// One side's commands for the next ticks, one a tick.
template <typename Command>
class BasicPlan {
 public:
  BasicPlan() = default;
  /// `command`, held for `ticks` ticks. \pre 0 <= ticks <= kPlanTicksMax
  BasicPlan(int ticks, Command command) : ticks_(ticks) { commands_.fill(command); }

  [[nodiscard]] int ticks() const noexcept { return ticks_; }
  /// The command of that tick from now; beyond the end, the last one (kNoCommand, if the plan is empty).
  [[nodiscard]] Command at(int tick) const noexcept {
    if (ticks_ == 0) return kNoCommand<Command>;
    return commands_[static_cast<std::size_t>(std::min(tick, ticks_ - 1))];
  }

  void set(int tick, Command command) noexcept { commands_[static_cast<std::size_t>(tick)] = command; }
  /// The ticks from `from` up to, not including, `to` (cut at the plan's end).
  void fill(int from, int to, Command command) noexcept {
    for (int tick = from; tick < std::min(to, ticks_); ++tick) set(tick, command);
  }
  /// Advances by a tick: removes the first command and appends `last`.
  void shift(Command last) noexcept {
    if (ticks_ == 0) return;
    for (int tick = 1; tick < ticks_; ++tick) set(tick - 1, at(tick));
    set(ticks_ - 1, last);
  }

  friend bool operator==(const BasicPlan& a, const BasicPlan& b) noexcept {
    if (a.ticks_ != b.ticks_) return false;
    return std::equal(a.commands_.begin(), a.commands_.begin() + a.ticks_, b.commands_.begin());
  }

 private:
  std::array<Command, kPlanTicksMax> commands_{};
  int ticks_ = 0;
};

/// Of the contest's world.
using Plan = BasicPlan<engine::Command>;

/// Run lengths with L, S, R for the commands, e.g. "R5 L12 S3".
[[nodiscard]] std::string to_string(const Plan& plan);

}  // namespace forkmunk::search
