#include "process_bots.h"

#include <thread>

namespace forkmunk::referee {
namespace {

TEST_F(ProcessBots, HangingOnesAreGoneInTime) {
  for (const std::string mode : {"hang", "deaf", "stopped", "flood_stderr_for_ever"}) {
    const auto start = Clock::now();
    expect_lost(bot(mode), Kind::gone, 1, "gave no answer within 0.3 s", short_limits());
    EXPECT_GE(seconds_since(start), kShortSeconds);
    EXPECT_GE(times_.waited, kShortSeconds);
    EXPECT_LT(times_.waited, kShortSeconds + 1);
    EXPECT_EQ(times_.count, 0);
  }
}

TEST_F(ProcessBots, GoneOnesStayGone) {
  ProcessBot hanging(bot("hang"), short_limits());
  const Answer first = round_.ask(hanging);
  const auto start = Clock::now();
  const Answer second = round_.ask(hanging);
  EXPECT_LT(seconds_since(start), kShortSeconds);
  EXPECT_EQ(first.kind, Kind::gone);
  EXPECT_EQ(second.kind, Kind::gone);
  EXPECT_EQ(second.verdict, first.verdict);
}

TEST_F(ProcessBots, StartingUpIsTimeOnlyWhileTheyAreWaitedFor) {
  ProcessBot slow(bot("slow_start 600"), patient_limits());
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  ASSERT_EQ(round_.ask(slow).kind, Kind::command);
  EXPECT_GT(slow.answer_times().waited, 0.02);
  expect_lost(bot("slow_start 1000"), Kind::gone, 1, "gave no answer within 0.3 s", short_limits());
}

TEST_F(ProcessBots, TooMuchTimeInAllIsGoneAndTheAnswerDropped) {
  BotLimits limits = patient_limits();
  limits.total_seconds = 0;
  expect_lost(bot("honest"), Kind::gone, 1, " in all, more than 0 s", limits);
  limits.total_seconds = 1;
  const std::vector<Answer> answers = play(bot("slow 200"), 6, limits);
  EXPECT_EQ(answers.back().kind, Kind::gone);
  EXPECT_TRUE(contains(answers.back().verdict, " in all, more than 1 s")) << answers.back().verdict;
  EXPECT_GT(times_.waited, 1);
  EXPECT_EQ(times_.count, answers.size());
  EXPECT_GE(times_.max, 0.2);
}

}  // namespace
}  // namespace forkmunk::referee
