#include <forkmunk/formats/recording.h>

#include <algorithm>

namespace forkmunk::formats {

static_assert(sizeof(RecordedTick) <= 184, "a game has thousands of ticks: keep each one small");

bool RecordedMatch::has_alive_flags() const noexcept {
  return std::ranges::any_of(
      ticks, [](const RecordedTick& tick) { return tick.cars[0].alive.has_value() || tick.cars[1].alive.has_value(); });
}

std::size_t Recording::tick_count() const noexcept {
  std::size_t count = 0;
  for (const RecordedMatch& match : matches) count += match.ticks.size();
  return count;
}

}  // namespace forkmunk::formats
