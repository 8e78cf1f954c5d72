// SPDX-License-Identifier: MIT
#include "process_bots.h"

#include <forkmunk/io/message_lines.h>

#include <fstream>
#include <thread>

#include <unistd.h>

namespace forkmunk::referee {
namespace {

TEST_F(ProcessBots, AnswerEveryTick) {
  const std::vector<Answer> answers = play(bot("honest"), 7);
  ASSERT_EQ(kinds(answers), Kinds(7, Kind::command));
  constexpr Command kExpected[] = {Command::left, Command::right, Command::stop, Command::left};
  for (std::size_t tick = 0; tick < 4; ++tick) EXPECT_EQ(answers[tick].command, kExpected[tick]);
  EXPECT_EQ(answers[6].debug, "1 7");
  for (const Answer& answer : answers) EXPECT_GT(answer.charged.value_or(Seconds(0)).count(), 0);
}

TEST_F(ProcessBots, ReceiveTheMessagesOfTheRules) {
  const auto path = std::filesystem::temp_directory_path() / ("forkmunk_messages_" + std::to_string(getpid()));
  (void)play("tee " + path.string() + " | " + bot("honest").substr(5), 2);
  std::ifstream file(path);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  const auto match = std::get<formats::NewMatchMessage>(io::parse_message(line));
  EXPECT_EQ(match, (formats::NewMatchMessage{4, 5, tests::scene_of("PillMap", "Buggy").setup}));
  engine::World world;
  world.begin_match(match.setup);
  for (int tick = 0; tick < 2; ++tick) {
    ASSERT_TRUE(std::getline(file, line));
    const auto message = std::get<formats::TickMessage>(io::parse_message(line));
    EXPECT_EQ(message.my_car.body.position, world.car(Player::second).body.position);
    EXPECT_EQ(message.my_car.front_wheel.angle, world.car(Player::second).front_wheel.angle);
    EXPECT_EQ(message.my_car.side, -1);
    EXPECT_EQ(message.enemy_car.rear_wheel.position, world.car(Player::first).rear_wheel.position);
    EXPECT_EQ(message.deadline_position, world.deadline_y());
    world.step({});
  }
  EXPECT_FALSE(std::getline(file, line));
  std::filesystem::remove(path);
}

TEST_F(ProcessBots, ReceiveMoreThanAPipeHolds) {
  engine::MatchSetup setup = tests::scene_of("PillMap", "Buggy").setup;
  setup.map.segments.resize(engine::kSegmentCountMax, {{0.1234567890123, 0.1234567890123}, {0.3, 0.1234567890123}, 1});
  engine::World world;
  world.begin_match(setup);
  ProcessBot honest(bot("honest"), patient_limits());
  for (int match = 0; match < 4; ++match) honest.begin_match(world, Player::first, {5, 5});
  honest.send_tick(world);
  EXPECT_EQ(honest.answer(world).debug, "4 1");
}

TEST_F(ProcessBots, CrashesAreClosedPipes) {
  expect_lost(bot("exit 3"), Kind::gone, 1, "closed its output (exit code 3)");
  expect_lost(bot("crash"), Kind::gone, 3, "closed its output (signal 9)");
  expect_lost(bot("crash_with_words"), Kind::gone, 1,
              "closed its output (exit code 1); stderr: Trace: |   ?line 7: \xd0\xb4\xd0\xb0 | ZeroDivisionError");
  expect_lost(bot("words_of_bytes"), Kind::gone, 1, "stderr: ?? bad");
}

TEST_F(ProcessBots, CommandsThatDoNotExistAreClosedPipes) {
  expect_lost("/no/such/bot --fast", Kind::gone, 1, "closed its output (exit code 127); stderr: ");
  expect_lost("/no/such/bot --fast", Kind::gone, 1, "/no/such/bot");
}

TEST_F(ProcessBots, DeadLongBeforeTheirFirstTickAreClosedPipesToo) {
  ProcessBot dead(bot("exit 3"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const Answer answer = round_.ask(dead);
  EXPECT_EQ(answer.kind, Kind::gone);
  EXPECT_EQ(answer.verdict, "closed its output (exit code 3)");
}

TEST_F(ProcessBots, MayFloodStderrAndAnswer) {
  EXPECT_EQ(kinds(play(bot("flood_stderr"), 3)), Kinds(3, Kind::command));
}

TEST_F(ProcessBots, FloodsOfStdoutAreLongLinesOrGarbledOnes) {
  expect_lost(bot("flood_stdout"), Kind::gone, 1, "answered a line of more than 65536 bytes");
  EXPECT_EQ(kinds(play(bot("flood_lines"), 1000)), Kinds(1000, Kind::garbled));
}

TEST_F(ProcessBots, LinesAreMeasuredWithoutTheirEnds) {
  EXPECT_EQ(kinds(play(bot("long_line 65536"), 2)), (Kinds{Kind::garbled, Kind::command}));
  expect_lost(bot("long_line 65537"), Kind::gone, 1, "answered a line of more than 65536 bytes");
  expect_lost(bot("long_line 10000000"), Kind::gone, 1, "answered a line of more than 65536 bytes");
}

TEST_F(ProcessBots, LinesWrittenEarlyWaitForTheirTicks) {
  const std::vector<Answer> answers = play(bot("early"), 7);
  ASSERT_EQ(kinds(answers), Kinds(7, Kind::command));
  EXPECT_EQ(answers[0].command, Command::left);
  EXPECT_EQ(answers[4].command, Command::right);
  EXPECT_EQ(answers[4].debug, "early");
  EXPECT_EQ(answers[5].command, Command::stop);
  EXPECT_EQ(answers[5].debug, "0 6");
  expect_lost(bot("early_and_gone"), Kind::gone, 4, "closed its output (exit code 0)");
}

TEST_F(ProcessBots, LinesWrittenEarlyWaitForTheirTicksNextToASlowBot) {
  for (const std::size_t seat : {0, 1}) {
    ProcessBot early(bot("early"), patient_limits());
    ProcessBot slow(bot("slow 20"), patient_limits());
    std::array<ProcessBot*, 2> bots{&slow, &slow};
    bots[seat] = &early;
    const std::vector<Answer> answers = round_.play(bots, 7)[seat];
    ASSERT_EQ(kinds(answers), Kinds(7, Kind::command));
    for (std::size_t tick = 0; tick < 5; ++tick) EXPECT_EQ(answers[tick].debug, "early");
    EXPECT_EQ(answers[5].debug, "0 6");
    EXPECT_EQ(answers[6].debug, "0 7");
  }
}

TEST_F(ProcessBots, GarbageIsGarbled) {
  EXPECT_EQ(kinds(play(bot("print 'left please'"), 3)), Kinds(3, Kind::garbled));
  EXPECT_EQ(kinds(play(bot("print ''"), 3)), Kinds(3, Kind::garbled));
  EXPECT_EQ(kinds(play(bot("print '{\"command\":\"jump\"}'"), 3)), Kinds(3, Kind::garbled));
  EXPECT_EQ(kinds(play("cat", 3)), Kinds(3, Kind::garbled));  // echoes our messages
}

TEST_F(ProcessBots, AnswersThatTheRunnerFailsOnAreGone) {
  expect_lost(bot("print '{}'"), Kind::gone, 1, "answered an empty object");
  expect_lost(bot("print '[1]'"), Kind::gone, 1, "answered a list, not an object");
  expect_lost(bot("print '{\"command\":\"left\",\"debug\":1}'"), Kind::gone, 1, "its debug is a number, not text");
}

TEST_F(ProcessBots, HalfLines) {
  expect_lost(bot("half_line"), Kind::gone, 1, "gave no answer within 2 s, only \"{\"comm\" without a line end",
              first_answer_limits());
  EXPECT_EQ(kinds(play(bot("by_halves"), 3)), Kinds(3, Kind::command));
  const std::vector<Answer> answers = play(bot("last_line"), 3);
  ASSERT_EQ(kinds(answers), (Kinds{Kind::command, Kind::gone}));
  EXPECT_EQ(answers[0].debug, "last");
}

TEST_F(ProcessBots, ClosedPipes) {
  // The input may close before or after the first answer is read.
  const std::vector<Answer> answers = play(bot("close_stdin"), 3);
  ASSERT_EQ(kinds(answers), (Kinds{Kind::command, Kind::unwritable}));
  EXPECT_EQ(answers[1].verdict, "closed its input");
  expect_lost(bot("close_stdout"), Kind::gone, 1, "closed its output");
  expect_lost(bot("close_both"), Kind::gone, 2, "closed its output");
  expect_lost(bot("close_all"), Kind::gone, 1, "closed its output");
}

TEST_F(ProcessBots, NeedNotReadTheirMessages) {
  EXPECT_EQ(kinds(play(bot("answer_unread"), 1000)), Kinds(1000, Kind::command));
  BotLimits limits = patient_limits();
  limits.unread_bytes_max = 1000;
  EXPECT_EQ(kinds(play(bot("honest"), 10, limits)), Kinds(10, Kind::command));
  const std::vector<Answer> answers = play(bot("answer_unread"), 1000, limits);
  EXPECT_EQ(answers.back().kind, Kind::unwritable);
  EXPECT_EQ(answers.back().verdict, "did not read its input");
}

}  // namespace
}  // namespace forkmunk::referee
