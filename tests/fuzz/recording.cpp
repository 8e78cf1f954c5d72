// SPDX-License-Identifier: MIT
#include "target.h"

#include <forkmunk/engine/game.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/io/recording_writer.h>
#include <forkmunk/replay/inference.h>
#include <forkmunk/replay/replay.h>
#include <forkmunk/replay/tolerance.h>

#include <algorithm>

/// Processed as by `forkmunk verify`, `stats` and `view`.
namespace forkmunk {
namespace {

constexpr std::size_t kReplayedTicksMax = 120;
constexpr std::size_t kInferredTicksMax = 40;
constexpr std::int64_t kFollowedTicksMax = 60;

// Limits replays, because a fallen car never dies, and a small file may have long gaps.
std::int64_t last_tick_num(const formats::Recording& recording) {
  std::int64_t last = 0;
  for (const formats::RecordedMatch& match : recording.matches) {
    for (const formats::RecordedTick& tick : match.ticks) last = std::max(last, tick.tick_num);
  }
  return last;
}

void replay_in_both_engines(const formats::Recording& recording) {
  const auto flat = replay::replay(recording, engine::Physics::flat, kReplayedTicksMax);
  const auto chipmunk = replay::replay(recording, engine::Physics::chipmunk, kReplayedTicksMax);
  const bool exploded = !(flat.max_error < 1e9 && chipmunk.max_error < 1e9);  // errors may be NaN
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
  const std::int64_t last = last_tick_num(recording);
  if (recording.has_commands && last <= engine::kGameTicksMax) {
    (void)replay::detect_arithmetic(recording);
    replay_in_both_engines(recording);
  }
  (void)replay::infer_arithmetic(recording);
  const replay::Inference inference = replay::infer_commands(recording, engine::Physics::flat, kInferredTicksMax);
  (void)inference.wrong_commands(recording);
  (void)replay::with_commands(recording, inference);
  if (last > kFollowedTicksMax || recording.matches.size() > 4) return;
  (void)replay::replay_tolerantly(recording, engine::Physics::flat);
  (void)replay::match_outcomes(recording);
}

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  forkmunk::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
