#include "tools/program.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

/// arena and tune under mpirun, four ranks on this machine, against one process.
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

// A report without what the clock decides.
ordered_json without_times(const std::string& text) {
  ordered_json report = ordered_json::parse(text, nullptr, false);
  for (ordered_json& bot : report["bots"]) bot.erase("time_ms");
  return report;
}

// A log's games by number, without what the clock decides.
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
  const std::string arena = "arena builtin:level builtin:chase --games 400 --sprt 0 100 --alpha 0.01 --json ";
  const Outcome alone = run(arena);
  EXPECT_LT(without_times(alone.out)["games"], 400);
  EXPECT_EQ(without_times(run_ranks(arena).out), without_times(alone.out));
}

TEST_F(Mpi, FourRanksTuneAsOneProcessDoes) {
  const std::string tune = "--games 24 --batch 6 --seed 9 --bot stretched:ticks=20 --json";
  const Outcome alone = run_shell("$F tune $S/alone.json " + tune);
  const Outcome ranks = run_ranks("tune $S/ranks.json " + tune);
  EXPECT_EQ(ranks.exit_code, 0) << ranks.err;
  EXPECT_EQ(ranks.out, alone.out);
  EXPECT_EQ(read_text(scratch() / "ranks.json"), read_text(scratch() / "alone.json"));
  EXPECT_FALSE(alone.out.empty());
}

TEST_F(Mpi, BadUseIsToldOnce) {
  for (const std::string arguments :
       {"arena builtin:hold builtin:chase --games 3", "arena builtin:hold builtin:chase --games x",
        "arena builtin:hold builtin:nobody --games 2",
        "arena builtin:hold builtin:chase --games 2 --resume /nowhere/log",
        "arena builtin:hold builtin:chase --games 2 --alpha 0.1",
        "tune /nowhere/x.json --games 2 --bot stretched:ticks=20", "tune $S/x.json --games 2 --bot stretched"}) {
    const Outcome outcome = run_ranks(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << outcome.err;
    EXPECT_EQ(count(outcome.err, "forkmunk: "), 1u) << arguments << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
  EXPECT_EQ(count(run_ranks("arena --help").out, "Play many games"), 1u);
}

// The process of another rank than 0, of those that were started with `mark` among their arguments.
pid_t find_follower(const std::string& mark) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (read_text(entry.path() / "cmdline").find(mark) == std::string::npos) continue;
    if (read_text(entry.path() / "environ").find(std::string("\0OMPI_COMM_WORLD_RANK=2\0", 24)) != std::string::npos) {
      return std::stoi(name);
    }
  }
  return 0;
}

std::size_t line_count(const std::string& path) {
  const std::string text = read_text(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Runs it, kills rank 2 once `ready`, and waits for the end of the job. \return what it printed.
template <typename Ready>
Outcome kill_a_rank(const std::string& arguments, const std::string& mark, const Ready& ready) {
  Outcome outcome;
  std::thread job([&] { outcome = run_ranks(arguments); });
  pid_t follower = 0;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while ((!ready() || (follower = find_follower(mark)) == 0) && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_NE(follower, 0);
  if (follower != 0) kill(follower, SIGKILL);
  job.join();
  return outcome;
}

TEST_F(Mpi, ARankIsKilledAndTheSameCommandPlaysWhatIsMissing) {
  const std::string log = (scratch() / "killed.jsonl").string();
  const std::string arena = "arena builtin:chase builtin:genetic:ticks=20 --games 80 --seed 5 --json ";
  const Outcome killed = kill_a_rank(arena + "--resume " + log, log,
                                     [&] { return std::filesystem::exists(log) && line_count(log) >= 10; });
  EXPECT_NE(killed.exit_code, 0);
  EXPECT_NE(killed.err.find("the same command plays what is missing"), std::string::npos) << killed.err;
  const std::size_t kept = line_count(log);
  EXPECT_GE(kept, 10u);
  EXPECT_LT(kept, 80u);
  const std::string before = read_text(log);
  const Outcome resumed = run_ranks(arena + "--resume " + log);
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(read_text(log).substr(0, before.rfind('\n') + 1), before.substr(0, before.rfind('\n') + 1));
  const std::string undisturbed = (scratch() / "undisturbed.jsonl").string();
  EXPECT_EQ(without_times(resumed.out), without_times(run(arena + "--resume " + undisturbed).out));
  EXPECT_EQ(games_of(log), games_of(undisturbed));
}

TEST_F(Mpi, ARankOfATuningIsKilledAndItGoesOnWhereItEnded) {
  const std::string file = (scratch() / "killed.json").string();
  const std::string tune = " --games 96 --seed 4 --bot stretched:ticks=20 --json";
  const Outcome killed = kill_a_rank("tune " + file + tune, file, [&] { return std::filesystem::exists(file); });
  EXPECT_NE(killed.exit_code, 0);
  const int kept = ordered_json::parse(read_text(file))["games"];
  EXPECT_GE(kept, 16);
  EXPECT_LT(kept, 96);
  const Outcome resumed = run_ranks("tune " + file + tune);
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.out, run_shell("$F tune $S/undisturbed.json" + tune).out);
}

}  // namespace
}  // namespace forkmunk::tests
