#include <forkmunk/player/run_delay.h>

#include <array>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace forkmunk::player {

RunDelay::RunDelay() : descriptor_(open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC)) {}

RunDelay::~RunDelay() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::chrono::nanoseconds RunDelay::total() const {
  std::array<char, 100> text{};
  if (descriptor_ < 0 || pread(descriptor_, text.data(), text.size() - 1, 0) <= 0) return {};
  long long running = 0;
  long long waiting = 0;
  if (std::sscanf(text.data(), "%lld %lld", &running, &waiting) != 2) return {};
  return std::chrono::nanoseconds(waiting);
}

}  // namespace forkmunk::player
