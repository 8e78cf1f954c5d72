// SPDX-License-Identifier: MIT
#include "apps/cli/command.h"
#include "cli/program.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>
#include <vector>

namespace forkmunk::tests {
namespace {

using Clock = std::chrono::steady_clock;

bool runs(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:")) return line.find('Z') == std::string::npos && line.find('X') == std::string::npos;
  }
  return false;
}

std::vector<pid_t> pids_in(const std::filesystem::path& file) {
  std::vector<pid_t> pids;
  std::istringstream text(read_text(file));
  for (pid_t pid = 0; text >> pid;) pids.push_back(pid);
  return pids;
}

template <typename Condition>
bool comes_true(Condition condition, std::chrono::seconds within) {
  const auto until = Clock::now() + within;
  while (!condition()) {
    if (Clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// \param streams  the prefix of the files of stdout and stderr, or empty.
pid_t start(const std::vector<std::string>& arguments, const std::string& streams = {}) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (!streams.empty()) {
    if (std::freopen((streams + ".out").c_str(), "w", stdout) == nullptr) _exit(126);
    if (std::freopen((streams + ".err").c_str(), "w", stderr) == nullptr) _exit(126);
  }
  std::vector<char*> argv{const_cast<char*>(FORKMUNK_PROGRAM)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  execv(FORKMUNK_PROGRAM, argv.data());
  _exit(127);
}

// A shell and two descendants spin and ignore SIGTERM.
TEST(Processes, NothingOutlivesAProgramThatIsKilled) {
  for (const int signal : {SIGKILL, SIGTERM, SIGINT, SIGHUP}) {
    const auto file = scratch() / ("pids_" + std::to_string(signal));
    const std::string spin = "while :; do :; done";
    const std::string bot = "trap '' TERM INT HUP; f=" + file.string() +
                            "; echo $$ >>$f; (echo $(sh -c 'echo $PPID') >>$f; " + spin + ") & sh -c '(" + spin +
                            ") & echo $! >>" + file.string() + "; " + spin + "' & echo $! >>$f; " + spin;
    const pid_t program =
        start({"arena", bot, "builtin:hold", "--games", "2", "--concurrency", "2", "--answer-seconds", "100"});
    EXPECT_TRUE(comes_true([&] { return pids_in(file).size() == 8; }, std::chrono::seconds(300))) << read_text(file);
    const std::vector<pid_t> pids = pids_in(file);
    for (const pid_t pid : pids) EXPECT_TRUE(runs(pid)) << pid;
    kill(program, signal);
    waitpid(program, nullptr, 0);
    EXPECT_TRUE(comes_true([&] { return std::none_of(pids.begin(), pids.end(), runs); }, std::chrono::seconds(300)))
        << "signal " << signal;
    for (const pid_t pid : pids) kill(pid, SIGKILL);
  }
}

// The bot sleeps in its third game.
TEST(Processes, AnArenaThatIsEndedReportsItsGames) {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    const std::string prefix = (scratch() / ("ended_" + std::to_string(signal))).string();
    const std::string log = prefix + ".jsonl";
    const std::string bot = "echo >>" + prefix + "; if [ $(wc -l <" + prefix + ") -ge 3 ]; then sleep 1000; fi; exec " +
                            FORKMUNK_PROGRAM + " bot --planner straight --ticks 5";
    const pid_t program = start({"arena", bot, "builtin:hold", "--games", "8", "--concurrency", "1", "--resume", log,
                                 "--answer-seconds", "1000", "--json"},
                                prefix);
    EXPECT_TRUE(comes_true([&] { return std::ranges::count(read_text(log), '\n') == 2; }, std::chrono::seconds(300)));
    kill(program, signal);
    int status = 0;
    waitpid(program, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
    const auto report = nlohmann::json::parse(read_text(prefix + ".out"), nullptr, false);
    ASSERT_TRUE(report.is_object()) << read_text(prefix + ".err");
    EXPECT_EQ(report["games"], 2);
    EXPECT_EQ(report["pairs"], 1);
    EXPECT_EQ(report["bots"][0]["disconnections"], 0);
    EXPECT_NE(read_text(prefix + ".err").find("after 2 of 8 games"), std::string::npos);
  }
}

TEST(Progress, IsALineAtATimeWhereStderrIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    cli::Progress progress("game", std::chrono::seconds(0));
    progress.update(1, 4);
    progress.update(1, 4, "a\nb");
    cli::Progress seldom("file");
    seldom.update(1, 4);
    progress.end();
    progress.update(2, 4);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "forkmunk: game 1/4 (25 %)\nforkmunk: game 1/4 (25 %) a?b\n");
}

}  // namespace
}  // namespace forkmunk::tests
