// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/formats/recording.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace forkmunk::replay {

/// The recorded ticks of a match by tick of the match. Some may be missing; the first of duplicates counts.
class Timeline {
 public:
  /// \param first_tick_num  the tick_num of the match's first tick; ticks below it are ignored.
  Timeline(const formats::RecordedMatch& match, std::int64_t first_tick_num) {
    for (const formats::RecordedTick& tick : match.ticks) {
      const std::int64_t index = tick.tick_num - first_tick_num;
      if (index < 0) continue;
      const auto position = static_cast<std::size_t>(index);
      if (position >= ticks_.size()) ticks_.resize(position + 1);
      if (ticks_[position] == nullptr) ticks_[position] = &tick;
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return ticks_.size(); }
  /// Returns the recorded state at a tick of the match; null if missing.
  [[nodiscard]] const formats::RecordedTick* at(std::size_t tick) const noexcept {
    return tick < ticks_.size() ? ticks_[tick] : nullptr;
  }
  /// Returns whether there is a recorded state within `count` ticks from `tick` on.
  [[nodiscard]] bool any_within(std::size_t tick, std::size_t count) const noexcept {
    for (std::size_t i = tick; i < std::min(tick + count, ticks_.size()); ++i) {
      if (ticks_[i] != nullptr) return true;
    }
    return false;
  }

 private:
  std::vector<const formats::RecordedTick*> ticks_;
};

/// Returns the tick_num of the first tick after match m. If the log lacks ticks between two matches, those before
/// `end`, at which the replay ended the match, belong to the match; all of them if its end is unknown. Returns `end` if
/// there is no next match.
[[nodiscard]] inline std::optional<std::int64_t> first_tick_num_after(const formats::Recording& recording,
                                                                      std::size_t m, std::optional<std::int64_t> end) {
  if (m + 1 == recording.matches.size()) return end;
  const auto& ticks = recording.matches[m].ticks;
  const auto& later = recording.matches[m + 1].ticks;
  if (ticks.empty() || later.empty() || later.front().tick_num <= ticks.back().tick_num) return end;
  const std::int64_t first = later.front().tick_num;
  return std::clamp(end.value_or(first), ticks.back().tick_num + 1, first);
}

}  // namespace forkmunk::replay
