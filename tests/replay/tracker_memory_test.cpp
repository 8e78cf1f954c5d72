// SPDX-License-Identifier: MIT
#include "support/hostile.h"

#include <forkmunk/io/gzip.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/replay/tracker.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

namespace forkmunk::replay {
namespace {

#ifdef FORKMUNK_SANITIZED
constexpr bool kMemoryIsOurs = false;
#else
constexpr bool kMemoryIsOurs = true;
#endif
constexpr std::size_t kBytesMax = std::size_t{20} << 20;

std::istringstream hostile_lines(const std::string& name) {
  std::ifstream file(tests::hostile(name), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return std::istringstream(io::gunzip(bytes, std::size_t{8} << 20));
}

std::size_t resident_bytes() {
  std::size_t total = 0;
  std::size_t resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu %zu", &total, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * 4096;
}

// Every message moves the cars far away.
TEST(Tracker, DoesNotGrowWithItsResynchronisations) {
  for (const engine::Physics physics : engine::available_physics()) {
    Tracker tracker(physics);
    std::istringstream lines = hostile_lines("messages/tracker_jumps.jsonl.gz");
    std::size_t first_bytes = 0;
    std::size_t most_bytes = 0;
    const std::size_t before = resident_bytes();
    for (std::string line; std::getline(lines, line);) {
      std::visit([&](const auto& message) { tracker.receive(message); }, io::parse_message(line));
      most_bytes = std::max(most_bytes, tracker.world().live_bytes());
      if (first_bytes == 0) first_bytes = most_bytes;
      tracker.answered(engine::Command::right);
    }
    EXPECT_GT(tracker.resync_count(), 100u);
    EXPECT_LT(most_bytes, 8 * first_bytes) << "bytes of a snapshot";
    if (kMemoryIsOurs) {
      EXPECT_LT(resident_bytes() - std::min(before, resident_bytes()), kBytesMax);
    }
  }
}

}  // namespace
}  // namespace forkmunk::replay
