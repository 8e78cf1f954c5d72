#pragma once

#include <forkmunk/formats/recording.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace forkmunk::replay {

/// A match's recorded ticks by tick of the match: some may be missing; of doubled ones the first counts.
class Timeline {
 public:
  /// \param first_tick_num  the tick_num with which the match begins; what is below it is left out.
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
  /// The state recorded at a tick of the match; null if the recording lacks it.
  [[nodiscard]] const formats::RecordedTick* at(std::size_t tick) const noexcept {
    return tick < ticks_.size() ? ticks_[tick] : nullptr;
  }
  /// Whether there is a state within `count` ticks from `tick` on.
  [[nodiscard]] bool any_within(std::size_t tick, std::size_t count) const noexcept {
    for (std::size_t i = tick; i < std::min(tick + count, ticks_.size()); ++i) {
      if (ticks_[i] != nullptr) return true;
    }
    return false;
  }

 private:
  std::vector<const formats::RecordedTick*> ticks_;
};

}  // namespace forkmunk::replay
