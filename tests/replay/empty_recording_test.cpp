// SPDX-License-Identifier: MIT
#include "support/scenes.h"

#include <forkmunk/base/error.h>
#include <forkmunk/replay/inference.h>
#include <forkmunk/replay/tolerance.h>
#include <forkmunk/replay/verification.h>

#include <gtest/gtest.h>

namespace forkmunk::replay {
namespace {

// No events, only an end, and a match without a tick.
std::vector<formats::Recording> empty_recordings() {
  formats::Recording nothing;
  nothing.has_commands = true;
  nothing.commands_by_tick_num.push_back({engine::Command::stop, engine::Command::stop});
  formats::Recording ended = nothing;
  ended.final_lives = engine::Lives{3, 4};
  formats::Recording begun = nothing;
  begun.matches.push_back({tests::scene_of("PillMap", "Buggy").setup, {5, 5}, {}});
  return {nothing, ended, begun};
}

TEST(EmptyRecording, VerificationReportsIt) {
  for (const formats::Recording& recording : empty_recordings()) {
    EXPECT_THROW((void)verify(recording, {}), Error);
  }
}

TEST(EmptyRecording, AllFunctionsHandleIt) {
  for (const formats::Recording& recording : empty_recordings()) {
    const engine::Physics physics = engine::Physics::flat;
    const ReplayReport report = replay(recording, physics);
    EXPECT_EQ(report.tick_count, 0u);
    EXPECT_FALSE(report.first_mismatch);
    (void)detect_arithmetic(recording);
    (void)infer_arithmetic(recording);
    const Inference inference = infer_commands(recording, physics);
    EXPECT_EQ(inference.matches.size(), recording.matches.size());
    EXPECT_TRUE(inference.wrong_commands(recording).empty());
    EXPECT_EQ(with_commands(recording, inference).tick_count(), 0u);
    EXPECT_EQ(replay_tolerantly(recording, physics).matches.size(), recording.matches.size());
    EXPECT_EQ(match_outcomes(recording).size(), recording.matches.size());
    EXPECT_EQ(check_tracker(recording, physics).message_count, 0u);
    EXPECT_EQ(check_clones(recording, physics).clone_count, 0u);
    EXPECT_EQ(check_engines(recording).tick_count, 0u);
  }
}

}  // namespace
}  // namespace forkmunk::replay
