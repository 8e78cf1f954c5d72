#include <forkmunk/formats/recording.h>

namespace forkmunk::formats {

static_assert(sizeof(RecordedTick) == 184, "a game has thousands of ticks: keep them small");

std::size_t Recording::tick_count() const noexcept {
  std::size_t count = 0;
  for (const RecordedMatch& match : matches) count += match.ticks.size();
  return count;
}

}  // namespace forkmunk::formats
