#include "target.h"

#include <forkmunk/io/recording_reader.h>
#include <forkmunk/io/recording_writer.h>
#include <forkmunk/replay/inference.h>
#include <forkmunk/replay/outcomes.h>
#include <forkmunk/replay/replay.h>
#include <forkmunk/replay/tolerance.h>

#include <cmath>

/// A recording, and all that `forkmunk verify`, `stats` and `view` do with one.
namespace forkmunk {
namespace {

constexpr std::size_t kReplayedTicksMax = 120;
constexpr std::size_t kInferredTicksMax = 40;

// What follows a recording to its end steps through its gaps too; those of a small file may be long.
bool is_short(const formats::Recording& recording) {
  std::size_t ticks = 0;
  for (const formats::RecordedMatch& match : recording.matches) {
    if (match.ticks.empty()) continue;
    ticks += static_cast<std::size_t>(match.ticks.back().tick_num - match.ticks.front().tick_num) + 1;
  }
  return ticks <= kInferredTicksMax && recording.matches.size() <= 4;
}

void replay_in_both_engines(const formats::Recording& recording) {
  const auto flat = replay::replay(recording, engine::Physics::flat(), kReplayedTicksMax);
  const auto chipmunk = replay::replay(recording, engine::Physics::chipmunk(), kReplayedTicksMax);
  const bool exploded = !(flat.max_error < 1e9 && chipmunk.max_error < 1e9);  // until engines agree on such worlds
  tests::require(
      exploded || (flat.tick_count == chipmunk.tick_count && flat.mismatching_ticks == chipmunk.mismatching_ticks &&
                   flat.max_error == chipmunk.max_error),
      "the engines replay a recording differently");
}

void run(std::string_view bytes) {
  formats::Recording recording;
  try {
    recording = io::parse_recording(bytes, "input");
  } catch (const Error&) {
    return;
  }
  tests::require(io::parse_recording(io::to_json_text(recording), "written") == recording,
                 "a recording that was written reads back differently");
  if (recording.has_commands) {
    (void)replay::detect_arithmetic(recording);
    replay_in_both_engines(recording);
  }
  (void)replay::infer_arithmetic(recording);
  const replay::Inference inference = replay::infer_commands(recording, engine::Physics::flat(), kInferredTicksMax);
  (void)inference.wrong_commands(recording);
  (void)replay::with_commands(recording, inference);
  if (!is_short(recording)) return;
  (void)replay::replay_tolerantly(recording, engine::Physics::flat());
  (void)replay::match_outcomes(recording);
}

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  forkmunk::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
