// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

/// arena under mpirun with four ranks against one process.
namespace forkmunk::tests {
namespace {

using nlohmann::ordered_json;

const std::string kLauncher =
    std::string(FORKMUNK_MPIEXEC) + " --allow-run-as-root --oversubscribe --bind-to none -n 4 ";

class Mpi : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(FORKMUNK_MPIEXEC).empty()) GTEST_SKIP() << "this build has no MPI";
    if (run_shell(kLauncher + "true").exit_code != 0) GTEST_SKIP() << "found no working " << FORKMUNK_MPIEXEC;
  }
};

Outcome run_ranks(const std::string& arguments) { return run_shell(kLauncher + "$F " + arguments); }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

ordered_json without_times(const std::string& text) {
  ordered_json report = ordered_json::parse(text, nullptr, false);
  for (ordered_json& bot : report["bots"]) bot.erase("time_ms");
  return report;
}

std::string games_of(const std::string& path) {
  std::map<std::size_t, std::string> games;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    ordered_json game = ordered_json::parse(line);
    game.erase("times");
    EXPECT_TRUE(games.emplace(game["game"].get<std::size_t>(), game.dump()).second) << "twice: " << line;
  }
  std::string text;
  for (const auto& [index, game] : games) text += game + '\n';
  return text;
}

const std::string kArena = "arena builtin:chase builtin:level builtin:runs --games 20 --seed 3 --rating --json ";

TEST_F(Mpi, FourRanksPlayAnArenaAsOneProcessDoes) {
  const Outcome alone = run(kArena + "--resume " + (scratch() / "alone.jsonl").string());
  const Outcome ranks = run_ranks(kArena + "--concurrency 2 --resume $S/ranks.jsonl");
  EXPECT_EQ(ranks.exit_code, 0) << ranks.err;
  EXPECT_EQ(ranks.err, "") << "only rank 0 prints";
  EXPECT_EQ(without_times(ranks.out), without_times(alone.out));
  EXPECT_EQ(games_of((scratch() / "ranks.jsonl").string()), games_of((scratch() / "alone.jsonl").string()));
}

TEST_F(Mpi, AnSprtEndsAtTheSameGame) {
  const std::string arena = "arena builtin:level builtin:chase --games 400 --sprt 0 100 --json ";
  const Outcome alone = run(arena);
  EXPECT_LT(without_times(alone.out)["games"], 400);
  EXPECT_EQ(without_times(run_ranks(arena).out), without_times(alone.out));
}

TEST_F(Mpi, BadUseIsReportedOnce) {
  for (const std::string arguments :
       {"arena builtin:hold builtin:chase --games 3", "arena builtin:hold builtin:chase --games x",
        "arena builtin:hold builtin:none --games 2", "arena builtin:hold builtin:chase --games 2 --resume /nowhere/log",
        "arena builtin:hold builtin:chase --games 2 --sprt 5 5"}) {
    const Outcome outcome = run_ranks(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << outcome.err;
    EXPECT_EQ(count(outcome.err, "forkmunk: "), 1u) << arguments << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
  EXPECT_EQ(count(run_ranks("arena --help").out, "Exit codes:"), 1u);
}

// Arguments of the processes contain `mark`. \return 0 if the rank has not started.
pid_t find_rank(int rank, const std::string& mark) {
  const std::string variable = '\0' + ("OMPI_COMM_WORLD_RANK=" + std::to_string(rank)) + '\0';
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (read_text(entry.path() / "cmdline").find(mark) == std::string::npos) continue;
    if (read_text(entry.path() / "environ").find(variable) != std::string::npos) return std::stoi(name);
  }
  return 0;
}

std::size_t line_count(const std::string& path) {
  const std::string text = read_text(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Runs a line that starts ranks, and signals one of them once `ready`. Other processes may wait for the file
// `may_go_on`, which is created after the signal. \return the job's output.
template <typename Ready>
Outcome end_a_rank(int rank, int signal, const std::string& line, const std::string& mark, const Ready& ready,
                   const std::filesystem::path& may_go_on = scratch() / "not_awaited") {
  Outcome outcome;
  std::thread job([&] { outcome = run_shell(line); });
  // Searching /proc takes a while, so it comes before ready().
  pid_t process = 0;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(300);
  while (((process == 0 && (process = find_rank(rank, mark)) == 0) || !ready()) &&
         std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_NE(process, 0);
  if (process != 0) kill(process, signal);
  std::ofstream{may_go_on};
  job.join();
  return outcome;
}

// After ten games the bot waits, so that the arena outlives the rank.
struct WaitingArena {
  std::string log;
  std::filesystem::path may_go_on = log + ".may_go_on";
  std::string arguments;

  explicit WaitingArena(const std::string& name) : log((scratch() / name).string()) {
    const std::filesystem::path bot = scratch() / ("bot_of_" + name);
    std::ofstream(bot) << "#!/bin/sh\nwhile [ ! -e " << may_go_on.string() << " ] && [ -e " << log
                       << " ] && [ $(wc -l <" << log << ") -ge 10 ]; do sleep 0.1; done\nexec " << FORKMUNK_PROGRAM
                       << " bot --planner straight --ticks 5\n";
    std::filesystem::permissions(bot, std::filesystem::perms::owner_all);
    arguments = "arena builtin:chase " + bot.string() + " --games 24 --seed 5 --answer-seconds 60 --json ";
  }
  [[nodiscard]] bool waits() const { return std::filesystem::exists(log) && line_count(log) >= 10; }
};

TEST_F(Mpi, ARankIsKilledAndTheSameCommandPlaysWhatIsMissing) {
  const WaitingArena arena("killed.jsonl");
  const std::string command = arena.arguments + "--resume " + arena.log;
  const Outcome killed = end_a_rank(
      2, SIGKILL, kLauncher + "$F " + command, arena.log, [&] { return arena.waits(); }, arena.may_go_on);
  EXPECT_NE(killed.exit_code, 0);
  const std::size_t kept = line_count(arena.log);
  EXPECT_GE(kept, 10u);
  EXPECT_LT(kept, 24u);
  const std::string before = read_text(arena.log);
  const Outcome resumed = run_ranks(command);
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(read_text(arena.log).substr(0, before.rfind('\n') + 1), before.substr(0, before.rfind('\n') + 1));
  const std::string undisturbed = (scratch() / "undisturbed.jsonl").string();
  EXPECT_EQ(without_times(resumed.out), without_times(run(arena.arguments + "--resume " + undisturbed).out));
  EXPECT_EQ(games_of(arena.log), games_of(undisturbed));
}

// The launcher may kill rank 0 before it reacts, so rank 0 gets SIGTERM directly.
TEST_F(Mpi, TheFirstRankReportsWhatToDoWhenItIsEnded) {
  const WaitingArena arena("ended.jsonl");
  const Outcome ended = end_a_rank(
      0, SIGTERM, kLauncher + "sh -c \"exec $F " + arena.arguments + "--resume " + arena.log + " 2>>$S/report\"",
      arena.log, [&] { return arena.waits(); }, arena.may_go_on);
  EXPECT_NE(ended.exit_code, 0);
  EXPECT_EQ(count(read_text(scratch() / "report"), "--resume"), 1u);
}

}  // namespace
}  // namespace forkmunk::tests
