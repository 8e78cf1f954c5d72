#include "support/scenes.h"

#include <forkmunk/io/message_lines.h>
#include <forkmunk/base/error.h>
#include <forkmunk/formats/message.h>
#include <forkmunk/referee/play.h>
#include <forkmunk/referee/process_bot.h>
#include <forkmunk/referee/scripted_bots.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace forkmunk::referee {
namespace {

using engine::Command;
using engine::Player;
using Clock = std::chrono::steady_clock;
using Kind = Answer::Kind;
using Kinds = std::vector<Kind>;

constexpr double kShortSeconds = 0.3;  // enough for a bot that means to answer in time, on a busy machine

std::string bot(const std::string& mode_and_argument) {
  return "exec " FORKMUNK_MISBEHAVING_BOT " " + mode_and_argument;
}

BotLimits short_limits() {
  BotLimits limits;
  limits.answer_seconds = kShortSeconds;
  return limits;
}

/// Time for a bot that has to answer: the sanitizers make it start slowly.
BotLimits patient_limits() {
  BotLimits limits;
  limits.answer_seconds = 20;
  return limits;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator folder("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(folder, {}));
}

/// The limit on descriptor numbers that leaves `count` to be opened.
rlim_t limit_with_free_descriptors(int count) {
  int limit = 0;
  for (int free = 0;; ++limit) {
    if (fcntl(limit, F_GETFD) == -1 && free++ == count) return static_cast<rlim_t>(limit);
  }
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Of a process that is not our child: gone, or a zombie that its parent has not got round to.
bool dies(const std::string& pid) {
  for (int i = 0; i < 200; ++i) {
    std::ifstream file("/proc/" + pid + "/stat");
    std::string state;
    if (!(file >> state >> state >> state) || state == "Z") return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/// A referee's round of `ticks` ticks between bots, the world standing still after each match's start.
class Round {
 public:
  Round() { world_.begin_match(tests::all_scenes()[0].setup); }

  /// Every player's answers; one who is gone is not asked again.
  std::array<std::vector<Answer>, 2> play(std::array<Bot*, 2> bots, int ticks) {
    std::array<std::vector<Answer>, 2> answers;
    const auto for_connected = [&](auto&& act) {
      for (const Player player : engine::kPlayers) {
        const auto& said = answers[index_of(player)];
        if (said.empty() || said.back().kind == Kind::command || said.back().kind == Kind::garbled) act(player);
      }
    };
    for_connected([&](Player player) { bots[index_of(player)]->begin_match(world_, player, {5, 4}); });
    for (int tick = 0; tick < ticks; ++tick) {
      for_connected([&](Player player) { bots[index_of(player)]->tell(world_); });
      for_connected(
          [&](Player player) { answers[index_of(player)].push_back(bots[index_of(player)]->answer(world_)); });
      world_.step({});
    }
    return answers;
  }

  /// One tick of one bot.
  Answer ask(Bot& bot) {
    bot.begin_match(world_, Player::first, {5, 5});
    bot.tell(world_);
    return bot.answer(world_);
  }

 private:
  engine::World world_;
};

/// Nothing may be left of any bot after a test.
class ProcessBots : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
    EXPECT_EQ(open_descriptors(), descriptors_before_);
  }

  /// Plays `command_line` against an honest bot, who must not notice, and ends the game.
  std::vector<Answer> play(const std::string& command_line, int ticks, const BotLimits& limits = patient_limits()) {
    ProcessBot honest(bot("honest"), patient_limits());
    ProcessBot other(command_line, limits);
    const auto answers = round_.play({&honest, &other}, ticks);
    EXPECT_EQ(answers[0].size(), static_cast<std::size_t>(ticks));
    for (std::size_t tick = 0; tick < answers[0].size(); ++tick) {
      EXPECT_EQ(answers[0][tick].kind, Kind::command);
      EXPECT_EQ(answers[0][tick].debug, "1 " + std::to_string(tick + 1));
    }
    times_ = other.answer_times();
    const auto start = Clock::now();
    honest.end_game();
    other.end_game();
    EXPECT_LT(seconds_since(start), 2);
    return answers[1];
  }

  static Kinds kinds(const std::vector<Answer>& answers) {
    Kinds result;
    for (const Answer& answer : answers) result.push_back(answer.kind);
    return result;
  }

  /// The bot must be judged `kind` at the last of `ticks`, having answered all before.
  void expect_lost(const std::string& command_line, Kind kind, int ticks, std::string_view verdict,
                   const BotLimits& limits = patient_limits()) {
    const std::vector<Answer> answers = play(command_line, 6, limits);
    ASSERT_EQ(answers.size(), static_cast<std::size_t>(ticks)) << command_line;
    EXPECT_EQ(answers.back().kind, kind) << command_line;
    EXPECT_TRUE(contains(answers.back().verdict, verdict)) << command_line << ": " << answers.back().verdict;
  }

  Round round_;
  AnswerTimes times_;

 private:
  std::size_t descriptors_before_ = open_descriptors();
};

TEST_F(ProcessBots, AnswerEveryTick) {
  const std::vector<Answer> answers = play(bot("honest"), 7);
  ASSERT_EQ(kinds(answers), Kinds(7, Kind::command));
  constexpr Command kExpected[] = {Command::left, Command::right, Command::stop, Command::left};
  for (std::size_t tick = 0; tick < 4; ++tick) EXPECT_EQ(answers[tick].command, kExpected[tick]);
  EXPECT_EQ(answers[6].debug, "1 7");
  EXPECT_EQ(times_.count, 7);
  EXPECT_GT(times_.mean, 0);
  EXPECT_LE(times_.mean, times_.p99);
  EXPECT_EQ(times_.p99, times_.max);
  EXPECT_NEAR(times_.waited, times_.mean * 7, 1e-9);
}

TEST_F(ProcessBots, AreToldWhatTheRulesSay) {
  const auto path = std::filesystem::temp_directory_path() / ("forkmunk_told_" + std::to_string(getpid()));
  (void)play("tee " + path.string() + " | " + bot("honest").substr(5), 2);
  std::ifstream file(path);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  const auto match = std::get<formats::NewMatchMessage>(io::parse_message(line));
  EXPECT_EQ(match, (formats::NewMatchMessage{4, 5, tests::all_scenes()[0].setup}));  // it is the second player
  engine::World world;
  world.begin_match(match.setup);
  for (int tick = 0; tick < 2; ++tick) {
    ASSERT_TRUE(std::getline(file, line));
    const auto message = std::get<formats::TickMessage>(io::parse_message(line));
    EXPECT_EQ(message.my_car.position, world.car(Player::second).position);
    EXPECT_EQ(message.my_car.front_wheel.angle, world.car(Player::second).front_wheel.angle);
    EXPECT_EQ(message.my_car.side, -1);
    EXPECT_EQ(message.enemy_car.rear_wheel.position, world.car(Player::first).rear_wheel.position);
    EXPECT_EQ(message.deadline_position, world.deadline_y());
    world.step({});
  }
  EXPECT_FALSE(std::getline(file, line));
  std::filesystem::remove(path);
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

TEST_F(ProcessBots, DeadLongBeforeTheyAreToldAreClosedPipesToo) {
  ProcessBot dead(bot("exit 3"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const Answer answer = round_.ask(dead);
  EXPECT_EQ(answer.kind, Kind::gone);
  EXPECT_EQ(answer.verdict, "closed its output (exit code 3)");
}

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

TEST_F(ProcessBots, GarbageIsGarbled) {
  EXPECT_EQ(kinds(play(bot("say 'left please'"), 3)), Kinds(3, Kind::garbled));
  EXPECT_EQ(kinds(play(bot("say ''"), 3)), Kinds(3, Kind::garbled));
  EXPECT_EQ(kinds(play(bot("say '{\"command\":\"jump\"}'"), 3)), Kinds(3, Kind::garbled));
  EXPECT_EQ(kinds(play("cat", 3)), Kinds(3, Kind::garbled));  // our own messages, new_match first
}

TEST_F(ProcessBots, AnswersThatTheRunnerChokesOnAreGone) {
  expect_lost(bot("say '{}'"), Kind::gone, 1, "answered an empty object");
  expect_lost(bot("say '[1]'"), Kind::gone, 1, "answered a list, not an object");
  expect_lost(bot("say '{\"command\":\"left\",\"debug\":1}'"), Kind::gone, 1, "its debug is a number, not text");
}

TEST_F(ProcessBots, HalfLines) {
  expect_lost(bot("half_line"), Kind::gone, 1, "gave no answer within 0.3 s, only \"{\"comm\" without a line end",
              short_limits());
  EXPECT_EQ(kinds(play(bot("by_halves"), 3)), Kinds(3, Kind::command));
  const std::vector<Answer> answers = play(bot("last_line"), 3);
  ASSERT_EQ(kinds(answers), (Kinds{Kind::command, Kind::gone}));
  EXPECT_EQ(answers[0].debug, "last");
}

TEST_F(ProcessBots, ClosedPipes) {
  // It may close its input before or after the first answer is read, but the second tick cannot be written.
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

TEST_F(ProcessBots, EndEvenIfTheyIgnoreSigterm) {
  const auto start = Clock::now();
  EXPECT_EQ(kinds(play(bot("ignore_sigterm"), 2)), Kinds(2, Kind::command));
  EXPECT_GE(seconds_since(start), 1);  // it had its time
  const std::string stubborn_shell = "trap '' TERM; " + bot("honest").substr(5) + "; sleep 100";
  EXPECT_EQ(kinds(play(stubborn_shell, 2)), Kinds(2, Kind::command));
}

TEST_F(ProcessBots, MayTakeTheirTimeToExit) {
  const auto path = std::filesystem::temp_directory_path() / ("forkmunk_exit_" + std::to_string(getpid()));
  EXPECT_EQ(kinds(play(bot("slow_exit " + path.string()), 2)), Kinds(2, Kind::command));
  EXPECT_TRUE(std::filesystem::remove(path));
}

TEST_F(ProcessBots, TakeTheirGrandchildrenWithThem) {
  const std::vector<Answer> answers = play(bot("grandchild"), 2, short_limits());
  ASSERT_EQ(kinds(answers), (Kinds{Kind::command, Kind::gone}));
  EXPECT_TRUE(contains(answers[1].verdict, "gave no answer")) << answers[1].verdict;
  EXPECT_TRUE(dies(answers[0].debug));
  const std::vector<Answer> ended = play(bot("grandchild"), 1);
  ASSERT_EQ(kinds(ended), Kinds{Kind::command});
  EXPECT_TRUE(dies(ended[0].debug));
}

TEST_F(ProcessBots, InheritNothing) {
  const int leaking = open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  EXPECT_EQ(play(bot("descriptors"), 1).front().debug, "3");
  close(leaking);

  sigset_t blocked;
  sigset_t before;
  sigfillset(&blocked);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  const auto handler_before = std::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(play(bot("signals"), 1).front().debug, "usual");
  std::signal(SIGPIPE, handler_before);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_F(ProcessBots, WorkWithoutStandardDescriptors) {
  const int stdin_before = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  const int stdout_before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  const std::vector<Answer> answers = play(bot("honest"), 2);
  dup2(stdin_before, STDIN_FILENO);
  dup2(stdout_before, STDOUT_FILENO);
  close(stdin_before);
  close(stdout_before);
  EXPECT_EQ(kinds(answers), Kinds(2, Kind::command));
}

TEST_F(ProcessBots, LeaveNothingIfTheyCannotBeStarted) {
#ifdef FORKMUNK_SANITIZED
  GTEST_SKIP() << "the sanitizers' own checks need the descriptors that are taken away here";
#endif
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t before = limit.rlim_cur;
  for (const int free : {0, 1, 2, 3, 4, 5}) {
    limit.rlim_cur = limit_with_free_descriptors(free);
    setrlimit(RLIMIT_NOFILE, &limit);
    std::string problem = "none";
    try {
      ProcessBot refused(bot("honest"));
    } catch (const Error& error) {
      limit.rlim_cur = before;  // before anything else needs a descriptor: the sanitizers do
      setrlimit(RLIMIT_NOFILE, &limit);
      problem = error.what();
    }
    EXPECT_TRUE(contains(problem, "honest: cannot be started: pipe2: Too many open files")) << free << ": " << problem;
  }
}

TEST_F(ProcessBots, LeaveNothingAfterManyShortGames) {
  BotLimits limits = patient_limits();
  for (int game = 0; game < 200; ++game) {
    static const std::string kModes[] = {"exit 1",   "honest",      "crash", "close_stdout", "flood_stdout",
                                         "say '{}'", "close_stdin", "early", "say left",     "long_line 100000"};
    ProcessBot first(bot("honest"), limits);
    ProcessBot second(bot(kModes[game % std::size(kModes)]), limits);
    const auto answers = round_.play({&first, &second}, 4);
    ASSERT_EQ(kinds(answers[0]), Kinds(4, Kind::command)) << game;
    if (game % 3 == 0) first.end_game();  // else the destructor does
  }
}

// Whole games against bots that misbehave in every way, half way through or at once: the other side plays them out.
TEST_F(ProcessBots, LeaveNothingAfter200Games) {
  const std::array<std::string, 10> modes{"exit 1",   "honest",      "crash", "close_stdout", "flood_stdout",
                                          "say '{}'", "close_stdin", "early", "say left",     "long_line 100000"};
  GamePlan plan;
  plan.matches = {tests::all_scenes()[12].setup};
  for (std::size_t game = 0; game < 200; ++game) {
    const auto steady = make_scripted_bot("random", game);
    ProcessBot other(bot(modes[game % modes.size()]), patient_limits());
    plan.seed = game;
    const bool first = game % 2 == 0;
    const GameResult result = first ? play_game(plan, *steady, other) : play_game(plan, other, *steady);
    ASSERT_EQ(result.matches.size(), 1u);
    EXPECT_TRUE(result.matches[0].died[0] || result.matches[0].died[1]) << game;
    EXPECT_FALSE(result.players[first ? 0 : 1].disconnected) << game;
    const bool crashed = modes[game % modes.size()] == "crash";
    EXPECT_TRUE(!crashed || result.players[first ? 1 : 0].disconnected) << game;
  }
}

}  // namespace
}  // namespace forkmunk::referee
