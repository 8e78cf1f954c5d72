#include <forkmunk/io/recording_reader.h>
#include <forkmunk/replay/replay.h>
#include <forkmunk/statistics/elo.h>

#include <cstdio>

int main(int, char** argv) {
  const auto recording = forkmunk::io::read_recording(argv[1]);
  const auto report = forkmunk::replay::replay(recording, forkmunk::engine::Physics::flat);
  std::printf("%zu of %zu ticks differ; Elo at 75 %%: %.0f\n", report.mismatching_ticks, report.tick_count,
              forkmunk::statistics::elo_from_score(0.75));
  return report.mismatching_ticks == 0 ? 0 : 1;
}
