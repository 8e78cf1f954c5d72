// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <forkmunk/base/arithmetic.h>

#include <functional>

namespace forkmunk::tests {
namespace {

using nlohmann::ordered_json;

TEST(Help, EveryCommandTeaches) {
  const Outcome top = run("--help");
  EXPECT_EQ(top.exit_code, 0);
  for (const std::string command : {"verify", "doctor", "bench", "bot", "play", "arena", "stats", "view", "page"}) {
    EXPECT_NE(top.out.find(command), std::string::npos);
    const Outcome help = run(command + " --help");
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.out.find("\nExit codes: 0 "), std::string::npos) << command;
    EXPECT_NE(help.out.find("\nExamples:\n"), std::string::npos) << command;
    EXPECT_TRUE(help.err.empty());
  }
}

TEST(Help, BadUseIsOneLineAndExit2) {
  for (const std::string arguments :
       {"", "frobnicate", "verify", "verify --arithmetic exact x", "bench --repetitions none", "doctor --nope"}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_TRUE(outcome.out.empty()) << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

std::string carried_files() {
  std::string files;
  for (const std::filesystem::path& path : all_recorded()) {
    const bool referee = path.string().find("referee_build") != std::string::npos;
    if (referee && !is_available(Arithmetic::referee)) continue;
    files += ' ' + path.string();
  }
  return files;
}

// Recordings without commands are exact with inferred ones.
TEST(Verify, CarriedRecordingsAreExact) {
  const Outcome outcome = run("verify --json" + carried_files());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json report = ordered_json::parse(outcome.out);
  ASSERT_GE(report["files"].size(), 5u);
  EXPECT_EQ(report["mismatching_ticks"], 0);
  for (const ordered_json& file : report["files"]) {
    const std::string name = file["file"];
    const bool hidden = name.find("game13") != std::string::npos || name.find("game06") != std::string::npos;
    EXPECT_EQ(file["commands"], hidden ? "inferred" : "recorded") << name;
    EXPECT_EQ(file["mismatching_ticks"], 0) << name << file["first_mismatch"];
    EXPECT_TRUE(file["first_mismatch"].is_null()) << name;
    EXPECT_EQ(file["max_error"], 0) << name;
    EXPECT_EQ(file["ambiguous_ticks"], 0) << name;
    EXPECT_EQ(file["arithmetic"], name.find("strict_build") != std::string::npos ? "strict" : "referee") << name;
  }
}

TEST(Verify, InfersTheCommandsOfEveryCarriedRecording) {
  const Outcome outcome = run("verify --ignore-commands --json" + carried_files());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json report = ordered_json::parse(outcome.out);
  EXPECT_EQ(report["mismatching_ticks"], 0);
  for (const ordered_json& file : report["files"]) {
    EXPECT_EQ(file["commands"], "inferred");
    EXPECT_TRUE(file["wrong_commands"].is_null() || file["wrong_commands"] == 0) << file["file"];
  }
}

TEST(Verify, NamesTheFirstWrongCommand) {
  ordered_json recording = load(kStrictGame);
  const std::string right = recording["commands"][158][1];
  const std::string wrong = right == "left" ? "right" : "left";
  recording["commands"][158][1] = wrong;
  const std::string path = store(recording, "wrong_command.json");
  const Outcome outcome = run("verify --ignore-commands --json " + path);
  EXPECT_EQ(outcome.exit_code, 1);
  const ordered_json file = ordered_json::parse(outcome.out)["files"][0];
  EXPECT_EQ(file["mismatching_ticks"], 0);
  EXPECT_EQ(file["wrong_commands"], 1);
  EXPECT_EQ(file["first_wrong_command"]["tick"], 158);
  EXPECT_EQ(file["first_wrong_command"]["player"], 2);
  EXPECT_EQ(file["first_wrong_command"]["recorded"], wrong);
  EXPECT_EQ(file["first_wrong_command"]["inferred"], right);
  const Outcome text = run("verify --ignore-commands " + path);
  EXPECT_NE(text.out.find("first at tick 158 of"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("player 2 " + wrong + ", inferred " + right), std::string::npos) << text.out;
}

TEST(Verify, WritesTheCommands) {
  const std::string folder = (scratch() / "commands").string();
  const std::string strict = recorded("strict_build/game09.visio.gz").string();
  const std::string twin = recorded("referee_build/game09.visio.gz").string();
  const Outcome outcome = run("verify --ignore-commands --write-commands " + folder + ' ' + strict);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json written = ordered_json::parse(read_text(folder + "/game09.commands.json"));
  EXPECT_EQ(written["commands"], load("strict_build/game09.visio.gz")["commands"]);
  EXPECT_EQ(written["inferred"], true);
  EXPECT_TRUE(written["ambiguous_ticks"].empty());

  EXPECT_EQ(run("verify --arithmetic strict --write-commands " + folder + ' ' + strict + ' ' + twin).exit_code, 1);
  EXPECT_EQ(ordered_json::parse(read_text(folder + "/strict_build-game09.commands.json"))["commands"],
            written["commands"]);
  EXPECT_TRUE(std::filesystem::exists(folder + "/referee_build-game09.commands.json"));
  EXPECT_EQ(run("verify --write-commands /dev/null/x " + strict).exit_code, 2);
}

TEST(Verify, FollowsWithinATolerance) {
  const Outcome outcome = run("verify --tolerance auto --json " + recorded(kStrictGame).string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json file = ordered_json::parse(outcome.out)["files"][0];
  EXPECT_EQ(file["resyncs"], 0);
  EXPECT_EQ(file["wrong_commands"], 0);
  EXPECT_EQ(file["unsure_commands"], 0);
  EXPECT_EQ(file["match_reports"].size(), 5u);
  EXPECT_EQ(file["match_reports"][0]["same_end"], true);
  const std::string text = run("verify --tolerance auto " + recorded(kStrictGame).string()).out;
  EXPECT_NE(text.find("within 0.0001: 1324 of 1324 commands sure (100.0 %), 0 resync"), std::string::npos) << text;
  EXPECT_NE(text.find(" 4 PillHillMap, Buggy "), std::string::npos) << text;
  EXPECT_NE(text.find("  0.0e+00  recorded 235, replayed 235\n1 of 1 files followed"), std::string::npos) << text;
  for (const std::string bad : {"0", "-1", "nan", "inf", "much"}) {
    EXPECT_EQ(run("verify --tolerance " + bad + ' ' + recorded(kStrictGame).string()).exit_code, 2) << bad;
  }
}

TEST(Verify, ResynchronisesEitherCarWithinATolerance) {
  for (const std::string car : {"1", "2"}) {
    ordered_json recording = load(kStrictGame);
    auto& x = recording["visio_info"][find_tick(recording, 300).first]["params"]["cars"][car][0][0];
    x = x.get<double>() + 0.01;
    const Outcome outcome = run("verify --json --tolerance auto " + store(recording));
    EXPECT_EQ(outcome.exit_code, 0);
    const ordered_json file = ordered_json::parse(outcome.out)["files"][0];
    EXPECT_GE(file["resyncs"], 1) << car;
    EXPECT_NEAR(file["max_error"].get<double>(), 0.01, 1e-9) << car;
  }
}

TEST(Verify, ComparesFlagsAndDeadlinesExactlyWithinATolerance) {
  const ordered_json original = load(kStrictGame);
  const auto verify_changed = [&](int tick, const std::function<void(ordered_json&)>& change) {
    ordered_json recording = original;
    change(recording["visio_info"][find_tick(recording, tick).first]["params"]);
    const Outcome outcome = run("verify --json --tolerance auto " + store(recording));
    EXPECT_EQ(outcome.exit_code, 1);
    return ordered_json::parse(outcome.out)["files"][0];
  };
  const ordered_json deadline = verify_changed(300, [](ordered_json& tick) { tick["deadline_position"] = 10.5; });
  EXPECT_EQ(deadline["mismatching_ticks"], 1);
  EXPECT_EQ(deadline["first_mismatch"], ordered_json::parse(R"({"match": 1, "tick": 300, "match_tick": 145,
    "value": "deadline_position", "expected": 10.5, "found": 10})"));
  const ordered_json side = verify_changed(7, [](ordered_json& tick) { tick["cars"]["2"][2] = 1; });
  EXPECT_EQ(side["first_mismatch"]["value"], "cars.2.side");
  const ordered_json revived = verify_changed(105, [](ordered_json& tick) { tick["cars"]["2"][5] = true; });
  EXPECT_EQ(revived["first_mismatch"]["value"], "cars.2.alive");
  EXPECT_EQ(revived["match_reports"][0]["same_end"], true);
}

TEST(Verify, FollowsAGameOfAnotherBuild) {
  const Outcome outcome = run("verify --tolerance auto --arithmetic strict --ignore-commands --json " +
                              recorded("referee_build/game08.visio.gz").string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json file = ordered_json::parse(outcome.out)["files"][0];
  EXPECT_GT(file["max_error"], 0);
  for (const ordered_json& match : file["match_reports"]) EXPECT_EQ(match["same_end"], true) << match;
  EXPECT_GE(file["sure_commands"].get<double>(),
            0.97 * (file["sure_commands"].get<double>() + file["unsure_commands"].get<double>()));
}

TEST(Verify, TheTrackerIsExact) {
  const Outcome outcome = run("verify --tracker --json " + recorded(kStrictGame).string() + ' ' +
                              recorded("strict_build/game06.visio.gz").string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json report = ordered_json::parse(outcome.out);
  for (const ordered_json& file : report["files"]) {
    EXPECT_GT(file["tracker"]["messages"], 500);
    for (const std::string key :
         {"wrong_settled", "wrong_candidates", "wrong_worlds", "wrong_commands", "wrong_starts", "problems"}) {
      EXPECT_EQ(file["tracker"][key], 0) << key;
    }
  }
}

TEST(Verify, ExitsFineWhenAllIsExact) {
  const Outcome outcome = run("verify " + recorded(kStrictGame).string());
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("1 of 1 files exact"), std::string::npos) << outcome.out;
}

TEST(Verify, TheWrongArithmeticDiffers) {
  if (!is_available(Arithmetic::referee)) GTEST_SKIP() << "this build has strict arithmetic only";
  EXPECT_EQ(run("verify --arithmetic referee " + recorded(kStrictGame).string()).exit_code, 1);
}

TEST(Verify, ClonesAreExact) {
  const Outcome outcome = run("verify --clones --json " + recorded(kStrictGame).string());
  EXPECT_EQ(outcome.exit_code, 0);
  const ordered_json clones = ordered_json::parse(outcome.out)["files"][0]["clones"];
  EXPECT_GE(clones["points"], 10);
  EXPECT_GE(clones["compared_ticks"], 3000);
  EXPECT_EQ(clones["mismatching_ticks"], 0);
  const std::string text = run("verify --clones --tracker --engine both " + recorded(kStrictGame).string()).out;
  for (const char* part : {"engines: 1112 ticks in lockstep, strict arithmetic: all live state equal\n",
                           "clones: 14 points, 3526 ticks compared, 0 differ\n", "tracker: 1324 messages to both"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  }
}

TEST(Verify, OneChangedNumberIsNamedExactly) {
  struct Change {
    int tick;
    std::string pointer;  // in the event's params
    std::string value;
  };
  const std::vector<Change> changes{{0, "/cars/1/0/0", "cars.1.x"},
                                    {17, "/cars/1/0/1", "cars.1.y"},
                                    {300, "/cars/2/1", "cars.2.angle"},
                                    {301, "/cars/1/3/0", "cars.1.rear.x"},
                                    {520, "/cars/2/3/2", "cars.2.rear.angle"},
                                    {777, "/cars/2/4/1", "cars.2.front.y"},
                                    {1000, "/deadline_position", "deadline_position"}};
  const ordered_json original = load(kStrictGame);
  for (const Change& change : changes) {
    ordered_json recording = original;
    const auto [event, match] = find_tick(recording, change.tick);
    ordered_json& number = recording["visio_info"][event]["params"][ordered_json::json_pointer(change.pointer)];
    const double before = number;
    number = std::nextafter(before, 1e9);
    const double after = number;
    const Outcome outcome = run("verify --json " + store(recording));
    EXPECT_EQ(outcome.exit_code, 1);
    const ordered_json file = ordered_json::parse(outcome.out)["files"][0];
    EXPECT_EQ(file["mismatching_ticks"], 1);
    const ordered_json& first = file["first_mismatch"];
    EXPECT_EQ(first["match"], match);
    EXPECT_EQ(first["tick"], change.tick);
    EXPECT_EQ(first["value"], change.value);
    EXPECT_EQ(first["expected"], after);
    EXPECT_EQ(first["found"], before);
    EXPECT_DOUBLE_EQ(file["max_error"], after - before);
  }
}

TEST(Verify, AnAliveFlagOrLivesThatDifferAreNamed) {
  ordered_json recording = load(kStrictGame);
  const auto [event, match] = find_tick(recording, 40);
  recording["visio_info"][event]["params"]["cars"]["2"][5] = false;
  ordered_json file = ordered_json::parse(run("verify --json " + store(recording)).out)["files"][0];
  EXPECT_EQ(file["first_mismatch"]["value"], "cars.2.alive");
  EXPECT_EQ(file["first_mismatch"]["tick"], 40);

  recording = load(kStrictGame);
  recording["visio_info"].back()["params"]["1"] = 3;
  file = ordered_json::parse(run("verify --json " + store(recording)).out)["files"][0];
  EXPECT_EQ(file["first_mismatch"]["value"], "end_game.1");
  EXPECT_EQ(file["first_mismatch"]["expected"], 3);
  EXPECT_EQ(file["mismatching_ticks"], 1);
  EXPECT_EQ(file["max_error"], 0);
}

TEST(Verify, ARemovedOrDoubledTickIsFound) {
  const ordered_json original = load(kStrictGame);
  for (const bool with_commands : {true, false}) {
    for (const bool doubled : {true, false}) {
      ordered_json recording = original;
      const auto [event, match] = find_tick(recording, 500);
      auto& events = recording["visio_info"];
      auto& commands = recording["commands"];
      const auto at = static_cast<std::ptrdiff_t>(event);
      if (doubled) {
        const ordered_json copy = events[event];
        events.insert(events.begin() + at, copy);
        const ordered_json pair = commands[500];
        if (with_commands) commands.insert(commands.begin() + 500, pair);
      } else {
        events.erase(events.begin() + at);
        if (with_commands) commands.erase(commands.begin() + 500);
      }
      const Outcome outcome = run("verify --json " + store(recording));
      EXPECT_EQ(outcome.exit_code, 1);
      const ordered_json file = ordered_json::parse(outcome.out)["files"][0];
      EXPECT_EQ(file["first_mismatch"]["match"], match);
      EXPECT_EQ(file["first_mismatch"]["tick"], doubled ? 501 : 500);
      EXPECT_EQ(file["first_mismatch"]["value"], "tick_num");
      if (!with_commands) {
        EXPECT_EQ(file["mismatching_ticks"], 1) << "the other ticks keep their commands";
      }
    }
  }
}

TEST(Verify, EachTickCountsOnce) {
  ordered_json recording = load(kStrictGame);
  for (std::size_t tick = 3; tick < 40; ++tick) recording["commands"][tick] = {"stop", "stop"};
  const ordered_json report = ordered_json::parse(run("verify --json " + store(recording)).out);
  EXPECT_GT(report["mismatching_ticks"], 100);
  EXPECT_LE(report["mismatching_ticks"], 250) << "those of the first match; the next one begins as recorded";
}

TEST(Verify, LabelsThatContradictTheirSetupsAreReported) {
  const ordered_json original = load(kStrictGame);
  ordered_json relabelled = original, another_map = original, another_car = original;
  relabelled["matches"][0] = "IslandMap,Bus";
  another_map["visio_info"][0]["params"]["proto_map"]["external_id"] = 77;
  another_car["visio_info"][0]["params"]["proto_car"]["external_id"] = 77;
  EXPECT_EQ(run("verify " + store(original)).exit_code, 0);
  for (const ordered_json& recording : {relabelled, another_map, another_car}) {
    const Outcome outcome = run("verify --json " + store(recording));
    EXPECT_EQ(outcome.exit_code, 1);
    const ordered_json file = ordered_json::parse(outcome.out)["files"][0];
    EXPECT_EQ(file["mismatching_ticks"], 0);
    EXPECT_FALSE(file["label_problems"].empty());
    EXPECT_NE(file["label_problems"][0].get<std::string>().find("match 0: the "), std::string::npos);
  }
}

TEST(Doctor, ReportsThatThisBuildIsExact) {
  const Outcome text = run("doctor");
  EXPECT_EQ(text.exit_code, 0) << text.out << text.err;
  EXPECT_NE(text.out.find("strict   exact"), std::string::npos) << text.out;
  const ordered_json report = ordered_json::parse(run("doctor --json").out);
  EXPECT_EQ(report["exact"], true);
  EXPECT_EQ(report["arithmetics"][0]["mismatching_ticks"], 0);
  EXPECT_GE(report["arithmetics"][0]["ticks"], 1000);
  EXPECT_EQ(report["arithmetics"][1]["available"], is_available(Arithmetic::referee));
}

TEST(Doctor, ReportsItsPlatform) {
  const std::string without_fma = "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F";
  const ordered_json build = ordered_json::parse(run_in("env -u FORKMUNK_LANES", "doctor --json").out)["build"];
  for (const std::string key : {"compiler", "processor", "c_library", "c_library_sin"}) {
    EXPECT_FALSE(build[key].get<std::string>().empty()) << key;
  }
  EXPECT_TRUE(build["fma"].is_boolean());
  EXPECT_EQ(build["lanes"], build["lanes_available"].back()) << "by default the widest";
  const ordered_json narrow = ordered_json::parse(run_in("FORKMUNK_LANES=baseline", "doctor --json").out)["build"];
  EXPECT_EQ(narrow["lanes"], "baseline");
  EXPECT_NE(run_in("FORKMUNK_LANES=baseline", "doctor").out.find("SIMD     baseline: "), std::string::npos);
  const Outcome misspelt = run_in("FORKMUNK_LANES=avx3", "doctor");
  EXPECT_NE(misspelt.exit_code, 0);
  EXPECT_NE(misspelt.err.find("FORKMUNK_LANES is 'avx3'"), std::string::npos) << misspelt.err;
  if (build["c_library_sin"] != "with FMA") GTEST_SKIP() << "this machine's sin has no other variant to hide";

  const Outcome outcome = run_in(without_fma, "doctor --json");
  const ordered_json report = ordered_json::parse(outcome.out);
  EXPECT_EQ(report["build"]["c_library_sin"], "without FMA");
  EXPECT_EQ(report["arithmetics"][0]["exact"], true) << "strict arithmetic does not depend on it";
  if (!is_available(Arithmetic::referee)) return;
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(report["arithmetics"][1]["exact"], false);
  EXPECT_NE(report["arithmetics"][1]["advice"].get<std::string>().find("fused"), std::string::npos);
  EXPECT_NE(run_in(without_fma, "doctor").out.find("sin variant without FMA"), std::string::npos);
}

TEST(Bench, MeasuresARowOfEachEngine) {
  const Outcome outcome = run("bench --json --map IslandMap --car Buggy --arithmetic strict --repetitions 1");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json report = ordered_json::parse(outcome.out);
  EXPECT_TRUE(report["build"].contains("compiler"));
  ASSERT_EQ(report["rows"].size(), 2u);
  for (const ordered_json& row : report["rows"]) {
    for (const std::string key : {"snapshot_bytes", "save_us", "restore_us", "memcpy_us", "step_us", "stock_step_us",
                                  "fork_us", "rebuild_us", "ticks_per_s", "playouts60_per_s"}) {
      EXPECT_GT(row[key], 0) << key;
    }
  }
  EXPECT_EQ(report["rows"][0]["engine"], "flat");
  EXPECT_LT(report["rows"][0]["snapshot_bytes"], 8'192);
  EXPECT_EQ(report["rows"][1]["engine"], "chipmunk");
  EXPECT_LT(report["rows"][1]["snapshot_bytes"], 30'000) << "the bound for IslandMap";
}

TEST(Bench, MeasuresWholeGames) {
  const Outcome outcome =
      run("bench --json --repetitions 1 --games " + recorded("strict_build/game04.visio.gz").string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json report = ordered_json::parse(outcome.out);
  EXPECT_GT(report["ticks"], 100);
  for (const std::string key : {"stock_step_us", "chipmunk_step_us", "flat_step_us"}) EXPECT_GT(report[key], 0) << key;
  EXPECT_GE(report["flat_bytes"]["max"], report["flat_bytes"]["p99"]);
  EXPECT_LE(report["flat_bytes"]["p99"], 8'192) << "the bound of the flat engine's state";
}

void expect_documented(const ordered_json& part, const std::string& documents, const std::string& command) {
  if (!part.is_structured()) return;
  for (const auto& [key, value] : part.items()) {
    EXPECT_TRUE(part.is_array() || documents.find('`' + key) != std::string::npos) << command << ": " << key;
    if (key != "causes") expect_documented(value, documents, command);
  }
}

TEST(Program, EveryKeyOfItsReportsIsDocumented) {
  const auto root = std::filesystem::path(FORKMUNK_TEST_DATA).parent_path().parent_path();
  std::string documents = read_text(root / "docs/reference/file_formats.md");
  documents.erase(0, documents.find("## Reports"));
  const std::string game = recorded(kStrictGame).string();
  for (const std::string& command :
       {"verify --clones --tracker --engine both " + game, "verify --tolerance auto " + game,
        std::string("verify --random 100"), std::string("doctor"), "stats " + game, "play " + kHolds,
        std::string("arena 'exit 1' builtin:hold --games 2 --rating --sprt 0 20"),
        "bench --repetitions 1 --games " + game,
        std::string("bench --map IslandMap --car Buggy --arithmetic strict --repetitions 1"),
        std::string("bench --scenes --scene pyramid --bodies 10 --repetitions 1")}) {
    expect_documented(ordered_json::parse(run(command + " --json").out), documents, command);
  }
}

TEST(Verify, EitherEngineReplaysExactly) {
  for (const std::string engine : {"flat", "chipmunk"}) {
    const Outcome outcome =
        run("verify --json --engine " + engine + " " + recorded("strict_build/game04.visio.gz").string());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const ordered_json file = ordered_json::parse(outcome.out)["files"][0];
    EXPECT_EQ(file["engine"], engine);
    EXPECT_EQ(file["mismatching_ticks"], 0);
  }
}

// The game diverges in the other arithmetic.
TEST(Verify, TheFlatEngineFollowsGamesOfTheRefereesBuild) {
  const std::string file = recorded("referee_build/game07.visio.gz").string();
  const Outcome exact = run("verify --json --engine flat " + file);
  EXPECT_EQ(exact.exit_code, 1);
  EXPECT_EQ(ordered_json::parse(exact.out)["files"][0]["arithmetic"], "strict");
  const Outcome followed = run("verify --json --engine flat --tolerance auto " + file);
  EXPECT_EQ(followed.exit_code, 0) << followed.out;
  EXPECT_EQ(run("verify --engine flat --arithmetic referee " + file).exit_code, 2);
}

TEST(Verify, BothEnginesAreComparedTickByTick) {
  const std::string file = recorded("strict_build/game09.visio.gz").string();
  const Outcome outcome = run("verify --json --engine both " + file);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json report = ordered_json::parse(outcome.out)["files"][0];
  EXPECT_EQ(report["engine"], "both");
  EXPECT_EQ(report["lockstep"]["ticks"], report["ticks"]);
  EXPECT_TRUE(report["lockstep"]["first_difference"].is_null());
}

TEST(Verify, RandomGamesInLockstep) {
  const Outcome outcome = run("verify --json --random 3000 --seed 9");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json report = ordered_json::parse(outcome.out);
  EXPECT_GE(report["ticks"], 3000);
  EXPECT_EQ(report["first_seed"], 9);
  EXPECT_TRUE(report["first_difference"].is_null());
  for (const char* ignored : {"--engine flat", "--arithmetic referee", "--clones", "--tracker", "--tolerance auto",
                              "--ignore-commands", "--write-commands x"}) {
    EXPECT_EQ(run(std::string("verify --random 100 ") + ignored).exit_code, 2) << ignored;
  }
  EXPECT_EQ(run("verify").exit_code, 2);
}

}  // namespace
}  // namespace forkmunk::tests
