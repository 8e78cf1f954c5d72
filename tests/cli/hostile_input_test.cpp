// SPDX-License-Identifier: MIT
#include "cli/program.h"
#include "support/hostile.h"

#include <algorithm>

namespace forkmunk::tests {
namespace {

using nlohmann::ordered_json;

std::string store_text(const std::string& name, const std::string& text) {
  const auto path = scratch() / name;
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

std::string unpacked(const std::string& name) {
  std::string text;
  gzFile file = gzopen(hostile(name).c_str(), "rb");
  char buffer[1 << 16];
  for (int read = 0; (read = gzread(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(read));
  gzclose(file);
  return store_text(hostile(name).stem().string(), text);
}

void expect_refused(const std::string& arguments, const std::string& name) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.exit_code, 2) << arguments << '\n' << outcome.err;
  EXPECT_NE(outcome.err.find(name), std::string::npos) << arguments << '\n' << outcome.err.substr(0, 1000);
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << arguments << '\n' << outcome.err;
  EXPECT_LT(outcome.err.size(), 600u) << arguments;
}

TEST(Hostile, AnEmptyRecordingIsRefused) {
  for (const char* name : {"recording/empty_game.json", "recording/endgame_only.json", "recording/no_ticks.json"}) {
    const std::string file = hostile(name).string();
    const std::string good = recorded("strict_build/game04.visio.gz").string();
    for (const char* options :
         {"", "--ignore-commands ", "--clones --tracker ", "--engine both ", "--tolerance auto "}) {
      const Outcome outcome = run("verify --json " + std::string(options) + file + ' ' + file);
      EXPECT_EQ(outcome.exit_code, 2) << options << outcome.err;
      const ordered_json report = ordered_json::parse(outcome.out);
      EXPECT_NE(report["files"][0]["error"].get<std::string>().find(file), std::string::npos);
      EXPECT_EQ(report["ticks"], 0);
    }
    const ordered_json both = ordered_json::parse(run("verify --json " + file + ' ' + good).out);
    EXPECT_EQ(both["files"][1]["mismatching_ticks"], 0) << "the good file is still reported";
    expect_refused("bench --games " + file, file);
    expect_refused("play --first builtin:hold --second builtin:hold --matches-from " + file, file);
    const Outcome stats = run("stats --json " + file);
    EXPECT_EQ(stats.exit_code, 2);
    EXPECT_NE(stats.err.find(file), std::string::npos) << stats.err;
#ifdef FORKMUNK_HAS_VIEWER
    expect_refused("view " + file + " -o " + (scratch() / "empty.html").string(), file);
#endif
  }
  ordered_json recording = load("strict_build/game04.visio.gz");
  ordered_json& events = recording["visio_info"];
  events = ordered_json::array({ordered_json(events[0])});  // compilers differ on {x}
  expect_refused("bench --games " + store(recording, "silent.json"), "silent.json");
}

TEST(Hostile, InvalidNumbersAreRefused) {
  const std::string bots = "builtin:hold builtin:flee ";
  const std::string play = "play --first builtin:hold --second builtin:flee ";
  expect_refused("arena " + bots + "--games -2", "--games");
  expect_refused("arena " + bots + "--games 1e11", "--games");
  expect_refused("arena " + bots + "--games 100000000000", "--games");
  expect_refused("arena " + bots + "builtin:chase --games 1000000", "--games");
  expect_refused("arena " + bots + "--games 3", "--games");
  expect_refused("arena " + bots + "--games 2 --seed 18446744073709551616", "--seed");
  expect_refused("arena " + bots + "--games 2 --sprt nan 5", "--sprt");
  expect_refused(play + "--seed -1", "--seed");
  for (const char* seconds : {"1e10", "nan", "inf", "0", "-1"}) {
    expect_refused(play + "--answer-seconds " + seconds, "--answer-seconds");
    expect_refused("arena " + bots + "--games 2 --total-seconds " + seconds, "--total-seconds");
  }
  for (const char* ticks : {"18446744073709551617", "-5", "0", "1e30"}) {
    expect_refused(std::string("verify --random ") + ticks, "--random");
  }
  for (const char* option : {"time-ms=nan", "time-ms=-1", "time-ms=0", "discount=nan", "discount=-1", "share=-1"}) {
    expect_refused("play --first builtin:straight:" + std::string(option) + " --second builtin:hold", option);
  }
  expect_refused("bot --time-ms nan", "--time-ms");
}

TEST(Hostile, WeightsAreQuotedBriefly) {
  expect_refused("bot --weights " + unpacked("weights/weights_deep.json.gz"), "weights_deep.json");
  const std::string long_list(40'000, '7');
  const auto refuse = [](const std::string& text, const std::string& name) {
    expect_refused("bot --weights " + store_text("weights.json", text), "weights.json: " + name);
  };
  refuse(R"({"combined":{"speed":")" + long_list + "\"}}", "combined.speed: ");
  refuse(R"({"combined":")" + long_list + "\"}", "combined: ");
  refuse('"' + long_list + '"', "");
  refuse(R"({"combined":{")" + long_list + R"(":{}}})", "combined.777");
  refuse('"' + long_list, "");
  refuse(R"({"combined":{"speed":{"Buggy":1,"Tram":2}}})", "combined.speed: ");
  refuse(R"({"combined":{"speed":{"Buggy":1)", "");
}

TEST(Hostile, AGameThatDivergesIsAborted) {
  const std::string record = (scratch() / "nan.visio.gz").string();
  const Outcome text = run("play --first builtin:runs --second builtin:runs --matches-from " +
                           hostile("recording/nan_setup.json").string() + " --record " + record);
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(text.out.starts_with("draw")) << text.out;
  EXPECT_NE(text.out.find("at tick"), std::string::npos) << "the verdict: " << text.out;
  for (const char* options : {"", "--engine both ", "--clones "}) {
    const Outcome verify = run("verify --json " + std::string(options) + record);
    EXPECT_EQ(verify.exit_code, 0) << options << verify.out << verify.err;
  }
  const Outcome json =
      run("play --json --engine chipmunk --first builtin:stretched --second 'forkmunk_no_such' "
          "--matches-from " +
          hostile("recording/nan_setup.json").string());
  const ordered_json result = ordered_json::parse(json.out);
  EXPECT_EQ(result["winner"], 0);
  EXPECT_NE(result["verdict"].get<std::string>().find("at tick"), std::string::npos);
}

// Few ticks complete no plan.
TEST(Hostile, ATraceOfPlannersWithoutTimeIsJson) {
  for (const std::string planner : {"straight", "stretched", "coarse", "genetic", "grid", "coevolve"}) {
    const std::string record = (scratch() / "trace.visio.gz").string();
    const Outcome outcome = run("play --first builtin:" + planner + ":ticks=50 --second builtin:" + planner +
                                ":ticks=10 --matches PillMap,Bus --trace --record " + record);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const ordered_json recording = load_file(record);
    std::size_t none = 0;
    const auto& ticks = recording["thoughts"]["ticks"];
    for (std::size_t tick = 0; tick < ticks.size(); ++tick) {
      for (std::size_t side = 0; side < 2; ++side) {
        if (ticks[tick][side].is_null()) continue;
        const bool planned = ticks[tick][side][0].is_number();
        const std::string debug = recording["trace"][tick][side];
        EXPECT_EQ(debug.starts_with("no plan "), !planned) << debug;
        EXPECT_EQ(debug.find("inf"), std::string::npos) << debug;
        none += planned ? 0 : 1;
      }
    }
    EXPECT_GT(none, 0u) << planner;
  }
}

}  // namespace
}  // namespace forkmunk::tests
