// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace forkmunk::search {

inline constexpr int kPlanTicksMax = 128;

/// Worlds may specialise this for their own type.
template <typename Command>
struct CommandTraits {
  static constexpr Command kNone{};  ///< The command of an empty plan.
  static constexpr std::size_t kCount =
      std::numeric_limits<unsigned char>::max() + 1;                ///< Commands are 0 to kCount - 1.
  static constexpr std::string_view kLetters = "0123456789abcdef";  ///< to_string()'s letters.
};

template <typename Command>
class BasicPlan {
 public:
  BasicPlan() = default;
  /// Holds `command` for `ticks` ticks. \pre 0 <= ticks <= kPlanTicksMax
  BasicPlan(int ticks, Command command) : ticks_(ticks) { commands_.fill(command); }

  [[nodiscard]] int ticks() const noexcept { return ticks_; }
  /// Returns the command `tick` ticks from now: beyond the end the last one; CommandTraits::kNone if the plan is empty.
  [[nodiscard]] Command at(int tick) const noexcept {
    if (ticks_ == 0) return CommandTraits<Command>::kNone;
    return commands_[static_cast<std::size_t>(std::min(tick, ticks_ - 1))];
  }

  void set(int tick, Command command) noexcept { commands_[static_cast<std::size_t>(tick)] = command; }
  /// Sets the ticks from `from` to `to` - 1, up to the plan's end.
  void fill(int from, int to, Command command) noexcept {
    for (int tick = from; tick < std::min(to, ticks_); ++tick) set(tick, command);
  }
  /// Removes the first command and appends `last`.
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

/// Returns run lengths, e.g. "R5 L12 S3" in the contest's world.
template <typename Command>
[[nodiscard]] std::string to_string(const BasicPlan<Command>& plan) {
  constexpr std::string_view kLetters = CommandTraits<Command>::kLetters;
  std::string text;
  for (int from = 0; from < plan.ticks();) {
    int to = from + 1;
    while (to < plan.ticks() && plan.at(to) == plan.at(from)) ++to;
    if (!text.empty()) text += ' ';
    const auto command = static_cast<std::size_t>(plan.at(from));
    text += command < kLetters.size() ? kLetters[command] : '?';
    text += std::to_string(to - from);
    from = to;
  }
  return text;
}

}  // namespace forkmunk::search
