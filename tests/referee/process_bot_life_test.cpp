// SPDX-License-Identifier: MIT
#include "process_bots.h"

#include <forkmunk/base/error.h>
#include <forkmunk/referee/bot_factory.h>
#include <forkmunk/referee/play.h>

#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>

namespace forkmunk::referee {
namespace {

rlim_t limit_with_free_descriptors(int count) {
  int limit = 0;
  for (int free = 0;; ++limit) {
    if (fcntl(limit, F_GETFD) == -1 && free++ == count) return static_cast<rlim_t>(limit);
  }
}

/// The process is not our child.
bool dies(const std::string& pid) {
  for (int i = 0; i < 4000; ++i) {
    std::ifstream file("/proc/" + pid + "/stat");
    std::string state;
    if (!(file >> state >> state >> state) || state == "Z") return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

using ProcessBotLife = ProcessBots;

TEST_F(ProcessBotLife, EndEvenIfTheyIgnoreSigterm) {
  const auto start = Clock::now();
  EXPECT_EQ(kinds(play(bot("ignore_sigterm"), 2)), Kinds(2, Kind::command));
  EXPECT_GE(seconds_since(start), 1);  // the bot had time to end
  const std::string stubborn_shell = "trap '' TERM; " + bot("honest").substr(5) + "; sleep 100";
  EXPECT_EQ(kinds(play(stubborn_shell, 2)), Kinds(2, Kind::command));
}

TEST_F(ProcessBotLife, MayTakeTheirTimeToExit) {
  const auto path = std::filesystem::temp_directory_path() / ("forkmunk_exit_" + std::to_string(getpid()));
  EXPECT_EQ(kinds(play(bot("slow_exit " + path.string()), 2)), Kinds(2, Kind::command));
  EXPECT_TRUE(std::filesystem::remove(path));
}

TEST_F(ProcessBotLife, TakeTheirGrandchildrenWithThem) {
  const std::vector<Answer> answers = play(bot("grandchild"), 2, first_answer_limits());
  ASSERT_EQ(kinds(answers), (Kinds{Kind::command, Kind::gone}));
  EXPECT_TRUE(contains(answers[1].verdict, "gave no answer")) << answers[1].verdict;
  EXPECT_TRUE(dies(answers[0].debug));
  const std::vector<Answer> ended = play(bot("grandchild"), 1);
  ASSERT_EQ(kinds(ended), Kinds{Kind::command});
  EXPECT_TRUE(dies(ended[0].debug));
}

TEST_F(ProcessBotLife, InheritNothing) {
  const int leaking = open("/dev/null", O_RDONLY);  // lacks O_CLOEXEC
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

TEST_F(ProcessBotLife, WorkWithoutStandardDescriptors) {
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

TEST_F(ProcessBotLife, LeaveNothingIfTheyCannotBeStarted) {
#ifdef FORKMUNK_SANITIZED
  GTEST_SKIP() << "the sanitizers need the descriptors that this test takes";
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
      limit.rlim_cur = before;  // sanitizers need descriptors
      setrlimit(RLIMIT_NOFILE, &limit);
      problem = error.what();
    }
    EXPECT_TRUE(contains(problem, "honest: pipe2: ")) << free << ": " << problem;
  }
}

TEST_F(ProcessBotLife, LeaveNothingAfter200Games) {
  const std::array<std::string, 10> modes{"exit 1",     "honest",      "crash", "close_stdout", "flood_stdout",
                                          "print '{}'", "close_stdin", "early", "print left",   "long_line 100000"};
  GamePlan plan;
  plan.matches = {tests::scene_of("IslandMap", "Buggy").setup};
  for (std::size_t game = 0; game < 200; ++game) {
    const auto steady = make_bot("builtin:random", game, {});
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
