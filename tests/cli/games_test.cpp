// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <forkmunk/base/arithmetic.h>

#include <algorithm>
#include <csignal>
#include <set>

namespace forkmunk::tests {
namespace {

using nlohmann::ordered_json;

// Does not answer new_match.
const std::string kShellBot =
    R"('while read -r line; do case "$line" in *tick*) echo "{\"command\":\"left\",\"debug\":\"hello\"}";; esac; done')";

const std::string kEagerBot = R"('while read -r line; do echo "{\"command\":\"left\",\"debug\":\"hello\"}"; done')";

std::size_t line_count(const std::string& path) {
  const std::string text = read_text(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

ordered_json without_times(const std::string& text) {
  ordered_json report = ordered_json::parse(text);
  for (ordered_json& bot : report["bots"]) bot.erase("time_ms");
  return report;
}

TEST(Play, ReportsTheGame) {
  const Outcome outcome = run("play --first builtin:chase --second builtin:level --seed 3 --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json game = ordered_json::parse(outcome.out);
  EXPECT_EQ(game["lives"].size(), 2u);
  EXPECT_GT(game["ticks"], 500);
  std::int64_t ticks = 0;
  std::array<int, 2> lost{};
  for (const ordered_json& match : game["matches"]) {
    ticks += match["ticks"].get<std::int64_t>();
    ASSERT_EQ(match["losers"].size(), match["causes"].size());
    for (const ordered_json& loser : match["losers"]) ++lost[loser.get<std::size_t>() - 1];
    for (const ordered_json& cause : match["causes"]) {
      EXPECT_TRUE((std::set<std::string>{"map", "box", "deadline", "enemy"}.contains(cause))) << cause;
    }
  }
  EXPECT_EQ(game["ticks"], ticks);
  EXPECT_EQ(game["lives"][0], 5 - lost[0]);
  EXPECT_EQ(game["lives"][1], 5 - lost[1]);
  EXPECT_EQ(game["winner"], lost[0] > lost[1] ? 2 : 1);
  EXPECT_GT(game["time_ms"][0]["mean"], 0);
  const std::string text = run("play " + kHolds).out;
  EXPECT_NE(text.find("draw: builtin:hold 0 : 0 builtin:hold, 1 matches, 988 ticks\n"), std::string::npos) << text;
  EXPECT_NE(text.find("988 ticks  player 1 lost (deadline) player 2 lost (deadline)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  player 2: 898 answers, mean "), std::string::npos) << text;
}

TEST(Play, RecordsTheSameBytesForTheSameSeed) {
  const auto record = [](const std::string& name, int seed) {
    const std::string path = (scratch() / name).string();
    const Outcome outcome = run("play --first builtin:random --second builtin:runs --matches PillMap,Bus " +
                                std::string("IslandMap,Buggy --seed ") + std::to_string(seed) + " --record " + path);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return read_text(path);
  };
  EXPECT_EQ(record("a.visio.gz", 1), record("b.visio.gz", 1));
  EXPECT_NE(record("c.visio.gz", 2), record("a.visio.gz", 1));
  EXPECT_EQ(run("verify --clones --tracker " + (scratch() / "a.visio.gz").string()).exit_code, 0);
  EXPECT_EQ(run("verify --ignore-commands " + (scratch() / "a.visio.gz").string()).exit_code, 0);
}

TEST(Play, UsesTheMapsAndCarsOfARecording) {
  const std::string source = recorded("strict_build/game09.visio.gz").string();
  const std::string path = (scratch() / "again.visio.gz").string();
  const Outcome outcome =
      run("play --first builtin:chase --second builtin:flee --matches-from " + source + " --record " + path);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto setup = [](const std::string& file) { return io::read_recording(file).matches[0].setup; };
  EXPECT_EQ(setup(path), setup(source));
  EXPECT_NE(outcome.out.find("other("), std::string::npos) << outcome.out;
}

TEST(Play, RunsACommandLineAndTracesItsDebugText) {
  const std::string path = (scratch() / "traced.visio.gz").string();
  const Outcome outcome = run("play --first " + kShellBot + " --second builtin:hold --matches PillMap,Buggy --record " +
                              path + " --trace --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json game = ordered_json::parse(outcome.out);
  EXPECT_EQ(game["bots"][0]["disconnected"], false) << game["bots"][0]["verdict"];
  EXPECT_GT(game["bots"][0]["answers"], 50);
  const formats::Recording recording = io::read_recording(path);
  EXPECT_EQ(recording.matches[0].ticks[10].commands[0], engine::Command::left);
  EXPECT_EQ(load_file(path)["trace"][10][0], "hello");
  EXPECT_EQ(run("verify " + path).exit_code, 0);
}

TEST(Play, ACommandThatDoesNotExistLosesByTheRules) {
  const Outcome outcome = run("play --first /nowhere/bot --second builtin:chase --matches PillMap,Buggy --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json game = ordered_json::parse(outcome.out);
  EXPECT_EQ(game["bots"][0]["disconnected"], true);
  EXPECT_NE(game["bots"][0]["verdict"].get<std::string>().find("not found"), std::string::npos) << game["bots"][0];
  EXPECT_NE(outcome.err.find("/nowhere/bot failed at its first answer"), std::string::npos) << outcome.err;
}

TEST(Games, BadUseIsOneLineAndExit2) {
  for (const std::string arguments :
       {"play --first builtin:hold", "play --first builtin:none --second builtin:hold",
        "play --first builtin:hold --second builtin:hold --matches Moon,Buggy",
        "play --first builtin:hold --second builtin:hold --matches PillMap",
        "play --first builtin:hold --second builtin:hold --trace",
        "play --first builtin:hold --second builtin:hold --answer-seconds 0", "arena builtin:hold --games 2",
        "arena builtin:hold builtin:chase --games 3", "arena builtin:hold builtin:none --games 2",
        "arena builtin:hold builtin:chase --games 2 --sprt 5 5",
        "arena builtin:hold builtin:chase --games 2 --sprt 0 5000",
        "arena builtin:hold builtin:chase --games 2 --resume /nowhere/log", "stats", "stats /nowhere.gz"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_TRUE(outcome.out.empty()) << arguments << outcome.out;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << arguments << ": " << outcome.err;
  }
}

TEST(Arena, ResultsDoNotDependOnConcurrency) {
  const std::string arguments = "arena builtin:runs builtin:random builtin:level --games 8 --seed 5 --rating --json ";
  const ordered_json alone = without_times(run(arguments + "--concurrency 1").out);
  EXPECT_EQ(without_times(run(arguments + "--concurrency 4").out), alone);
  EXPECT_EQ(alone["games"], 16) << "the first bot's, against both others";
  EXPECT_EQ(alone["pairs"], 8);
  EXPECT_EQ(alone["wins"].get<int>() + alone["draws"].get<int>() + alone["losses"].get<int>(), 16);
  EXPECT_EQ(alone["pairings"].size(), 3u);
  const double score = alone["score"];
  EXPECT_DOUBLE_EQ(score, (alone["wins"].get<double>() + alone["draws"].get<double>() / 2) / 16);
  EXPECT_LE(alone["score_ci95"][0], score);
  EXPECT_GE(alone["score_ci95"][1], score);
  EXPECT_GT(alone["by_map_car"].size(), 10u);
  for (const ordered_json& row : alone["by_map_car"]) {
    EXPECT_EQ(row["wins"].get<int>() + row["draws"].get<int>() + row["losses"].get<int>(), row["matches"]) << row;
  }
}

TEST(Arena, PrintsItsReport) {
  const std::string text = run("arena builtin:hold builtin:chase --games 4 --seed 5 --rating --sprt 0 100").out;
  for (const char* line :
       {"builtin:hold against builtin:chase: 4 games, +4 =0 -0, score 100.0 % (34.2 to 100.0), "
        "Elo +inf (-113 to +inf)\n",
        "SPRT of Elo 0 against 100: log-likelihood ratio 0.49 (bounds -2.94, 2.94): undecided\n",
        " +191 (-63 to +445)  builtin:hold\n", "-191 (-445 to +63)  builtin:chase\n",
        "PillHillMap,SquareWheelsBuggy            2     0     0      2      1010\n", "  builtin:chase: 3580, mean "}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(Play, ABotThatWritesTooManyLinesIsNamed) {
  const std::string rest = " --second builtin:hold --matches PillMap,Bus PillMap,Buggy IslandMap,Bus --json";
  const Outcome honest = run("play --first " + kShellBot + rest);
  EXPECT_EQ(ordered_json::parse(honest.out)["bots"][0]["surplus_lines"], 0);
  EXPECT_EQ(honest.err, "");
  const Outcome eager = run("play --first " + kEagerBot + rest);
  const ordered_json game = ordered_json::parse(eager.out);
  EXPECT_GT(game["matches"].size(), 1u);
  EXPECT_EQ(game["bots"][0]["surplus_lines"], game["matches"].size()) << "one for each new_match";
  EXPECT_NE(eager.err.find("more than there were ticks"), std::string::npos) << eager.err;
}

TEST(Play, AScriptedBotHasNoOptions) {
  const Outcome outcome = run("play --first builtin:hold:ticks=5 --second builtin:hold");
  EXPECT_NE(outcome.err.find("hold has no options"), std::string::npos) << outcome.err;
}

TEST(Play, TheFirstGarbledAnswerIsShown) {
  const Outcome silent =
      run("play --first 'while read -r line; do echo; done' --second builtin:hold --matches PillMap,Bus");
  EXPECT_NE(silent.err.find("the first one is: an empty line"), std::string::npos) << silent.err;
  const std::string bot = R"('while read -r line; do echo "{\"command\":\"LEFT\"}"; done')";
  const Outcome outcome = run("play --first " + bot + " --second builtin:hold --matches PillMap,Bus --json");
  EXPECT_NE(outcome.err.find(R"(the first one is: {"command":"LEFT"})"), std::string::npos) << outcome.err;
  const ordered_json bots = ordered_json::parse(outcome.out)["bots"];
  EXPECT_EQ(bots[0]["first_garbled"], R"({"command":"LEFT"})");
  EXPECT_EQ(bots[1]["first_garbled"], "");
}

TEST(Arena, ABotThatWritesTooManyLinesIsNamed) {
  const std::string log = (scratch() / "surplus.jsonl").string();
  const std::string command = "arena " + kEagerBot + " builtin:hold --games 2 --json --resume " + log;
  for (const char* const way : {"played", "read from the log"}) {
    const Outcome eager = run(command);
    const ordered_json bots = ordered_json::parse(eager.out)["bots"];
    EXPECT_GT(bots[0]["surplus_lines"], 0) << way;
    EXPECT_EQ(bots[1]["surplus_lines"], 0) << way;
    EXPECT_NE(eager.err.find("more than there were ticks"), std::string::npos) << way << eager.err;
  }
  EXPECT_EQ(line_count(log), 2u);
}

TEST(Arena, SprtStopsEarlyAndAlwaysAtTheSameGame) {
  const std::string arguments = "arena builtin:level builtin:chase --games 400 --sprt 0 100 --json ";
  const ordered_json alone = without_times(run(arguments + "--concurrency 1").out);
  EXPECT_EQ(alone["sprt"]["decision"], "accept_h1");
  EXPECT_LT(alone["games"], 400);
  EXPECT_EQ(without_times(run(arguments + "--concurrency 3").out), alone);
}

// The system kills the arena within a line, at the same place on any machine, when its log exceeds a limit.
TEST(Arena, KilledThreeTimesAndResumedGivesTheSameResults) {
  const std::string log = (scratch() / "arena.jsonl").string();
  const std::string line =
      "arena builtin:chase builtin:level --games 40 --seed 7 --concurrency 2 --json --resume " + log;
  std::size_t before = 0;
  for (const int blocks : {16, 28, 40}) {  // 512 or 1,024 bytes; a line has about 1,100
    const std::string limit = "ulimit -c 0; trap - XFSZ; ulimit -f " + std::to_string(blocks) + "; ";
    EXPECT_EQ(run_shell(limit + "$F " + line + "; exit $?").exit_code, 128 + SIGXFSZ);
    const std::size_t left = line_count(log);
    EXPECT_GT(left, before);
    EXPECT_LT(left, 40u);
    before = left;
  }
  std::ofstream(log, std::ios::app) << R"({"game":39,"fir)";
  const Outcome resumed = run(line);
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  const Outcome uninterrupted = run("arena builtin:chase builtin:level --games 40 --seed 7 --json");
  EXPECT_EQ(without_times(resumed.out), without_times(uninterrupted.out));

  std::set<int> games;
  std::ifstream file(log);
  for (std::string game; std::getline(file, game);) games.insert(ordered_json::parse(game)["game"].get<int>());
  EXPECT_EQ(games.size(), 40u);
  EXPECT_EQ(line_count(log), 40u);

  const Outcome other = run("arena builtin:flee builtin:level --games 40 --seed 7 --resume " + log);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find(log), std::string::npos) << other.err;
  EXPECT_EQ(line_count(log), 40u) << "the log is unchanged";
}

TEST(Arena, ALogOfOtherTimeLimitsIsRefused) {
  const std::string log = (scratch() / "limits.jsonl").string();
  const std::string arena = "arena builtin:hold builtin:chase --games 2 --resume " + log;
  ASSERT_EQ(run(arena + " --answer-seconds 2").exit_code, 0);
  EXPECT_EQ(run(arena + " --answer-seconds 2").exit_code, 0);
  const Outcome other = run(arena);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("answer_seconds: found 2.0, expected 5.0"), std::string::npos) << other.err;
}

TEST(Arena, AFileThatIsNoLogIsNotEmptied) {
  const std::string file = (scratch() / "weights.json").string();
  std::ofstream(file) << R"({"learned":{}})";
  const Outcome outcome = run("arena builtin:hold builtin:chase --games 2 --resume " + file);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("weights.json: its last line is not of a game"), std::string::npos) << outcome.err;
  EXPECT_EQ(read_text(file), R"({"learned":{}})");
}

TEST(Arena, ASeedOfABuiltinBotMayBe0) {
  const auto ticks = [](const std::string& seed) {
    const Outcome outcome = run(
        "play --first builtin:stretched:ticks=50,seed=0 --second builtin:hold --matches PillMap,Buggy --json --seed " +
        seed);
    return ordered_json::parse(outcome.out)["ticks"];
  };
  EXPECT_EQ(ticks("1"), ticks("2"));
}

TEST(Arena, ALogOfThreeBotsGoesOnWithMoreGames) {
  const std::string arena = "arena builtin:chase builtin:level builtin:hold --seed 3 --json --games ";
  const std::string log = (scratch() / "more.jsonl").string();
  const Outcome few = run(arena + "2 --resume " + log);
  EXPECT_EQ(few.exit_code, 0) << few.err;
  EXPECT_EQ(without_times(run(arena + "4 --resume " + log).out), without_times(run(arena + "4").out));
  EXPECT_EQ(line_count(log), 12u);
  EXPECT_EQ(without_times(run(arena + "2 --resume " + log).out), without_times(few.out));
}

// One shard was killed.
TEST(Arena, ConcatenatedShardsAreTheWhole) {
  const std::string arena = "arena builtin:chase builtin:level builtin:hold --games 8 --seed 3 --json ";
  std::string whole;
  for (int shard = 1; shard <= 3; ++shard) {
    const std::string log = (scratch() / ("shard" + std::to_string(shard) + ".jsonl")).string();
    const Outcome part = run(arena + "--shard " + std::to_string(shard) + "/3 --resume " + log);
    EXPECT_EQ(part.exit_code, 0) << part.err;
    EXPECT_EQ(line_count(log), 8u) << "4 of 12 pairs";
    std::ifstream file(log);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (shard == 2) text.resize(text.rfind('\n', text.size() - 2) + 1);
    whole += text;
  }
  const std::string cut = (scratch() / "cut.jsonl").string();
  std::ofstream(cut) << whole.substr(0, 20) << whole;
  const Outcome refused = run(arena + "--resume " + cut);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("line 1: "), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("cut off"), std::string::npos) << refused.err;
  const std::string log = (scratch() / "whole.jsonl").string();
  std::ofstream(log) << whole;
  const Outcome together = run(arena + "--resume " + log);
  EXPECT_EQ(without_times(together.out), without_times(run(arena).out));
  EXPECT_EQ(line_count(log), 24u);
  for (const char* bad :
       {"--shard 4/3 --resume x.jsonl", "--shard 1 --resume x.jsonl", "--shard 1/2", "--shard 0/2 --resume x"}) {
    const Outcome outcome = run(arena + bad);
    EXPECT_EQ(outcome.exit_code, 2) << bad;
    EXPECT_NE(outcome.err.find("--shard: "), std::string::npos) << outcome.err;
  }
}

TEST(Stats, TabulatesRecordings) {
  const std::string files =
      recorded("strict_build/game04.visio.gz").string() + ' ' + recorded("strict_build/game06.visio.gz").string();
  const Outcome outcome = run("stats --json " + files);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json report = ordered_json::parse(outcome.out);
  EXPECT_EQ(report["matches"], 10);
  std::size_t matches = 0;
  for (const ordered_json& row : report["by_map_car"]) {
    matches += row["matches"].get<std::size_t>();
    for (const auto& [cause, count] : row["causes"].items()) EXPECT_NE(cause, "none");
  }
  EXPECT_EQ(matches, 10u);
  EXPECT_EQ(report["by_winner"], ordered_json::parse(R"([
    {"player": "level", "matches": 5, "lost_by_first": 0, "lost_by_second": 5, "lost_by_both": 0, "unfinished": 0,
     "causes": {"map": 5}, "ticks": {"median": 158, "min": 152, "max": 189}},
    {"player": "valdemar", "matches": 5, "lost_by_first": 0, "lost_by_second": 5, "lost_by_both": 0, "unfinished": 0,
     "causes": {"box": 1, "enemy": 1, "map": 3}, "ticks": {"median": 202, "min": 155, "max": 325}}])"));
  const std::string text = run("stats " + recorded("strict_build/game10.visio.gz").string()).out;
  EXPECT_NE(text.find(" 8      5      3     0     0 |        5        3        0        0        0 |    234    153"),
            std::string::npos)
      << text;
  EXPECT_EQ(run("stats " + files + " /nowhere.gz").exit_code, 2);
}

}  // namespace
}  // namespace forkmunk::tests
