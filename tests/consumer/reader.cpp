// SPDX-License-Identifier: MIT
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/replay/replay.h>

#include <cstdio>

int main(int, char** argv) {
  const auto recording = forkmunk::io::read_recording(argv[1]);
  const auto report = forkmunk::replay::replay(recording, forkmunk::engine::Physics::flat);
  std::printf("%zu of %zu ticks differ\n", report.mismatching_ticks, report.tick_count);
  return report.mismatching_ticks == 0 ? 0 : 1;
}
