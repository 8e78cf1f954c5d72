// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <forkmunk/formats/message.h>
#include <forkmunk/io/message_lines.h>

#include <cctype>
#include <map>
#include <sstream>
#include <vector>

namespace forkmunk::tests {
namespace {

using nlohmann::ordered_json;

const std::string kBot = std::string(FORKMUNK_PROGRAM) + " bot";

std::string messages(int ticks) {
  const formats::Recording recording = io::read_recording(recorded("strict_build/game04.visio.gz").string());
  const formats::RecordedMatch& match = recording.matches.front();
  std::string text = io::to_line(formats::message_for(engine::Player::first, match)) + '\n';
  for (int i = 0; i < ticks; ++i) {
    text += io::to_line(formats::message_for(engine::Player::first, match.ticks[static_cast<std::size_t>(i)])) + '\n';
  }
  return text;
}

Outcome run_bot(const std::string& input, const std::string& options) {
  const auto path = scratch() / "messages";
  std::ofstream(path, std::ios::binary) << input;
  const auto out = scratch() / "answers";
  const std::string line =
      kBot + ' ' + options + " <" + path.string() + " >" + out.string() + " 2>" + (scratch() / "complaints").string();
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read_text(out),
          read_text(scratch() / "complaints")};
}

std::vector<ordered_json> answers(const Outcome& outcome) {
  std::vector<ordered_json> result;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) result.push_back(ordered_json::parse(line));
  return result;
}

TEST(BotCommand, AnswersEveryTickWithACommandAndADebugText) {
  const Outcome outcome = run_bot(messages(40), "--ticks 300");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  int answer_count = 0, without_plan = -1, share = 0;
  double mean = 0;
  const char* const expected =
      "forkmunk bot: strict\nforkmunk bot: %d answers, %d without a plan, mean %lf ms, search %d %%\n";
  ASSERT_EQ(std::sscanf(outcome.err.c_str(), expected, &answer_count, &without_plan, &mean, &share), 4) << outcome.err;
  EXPECT_EQ(answer_count, 40);
  EXPECT_EQ(without_plan, 0);
  EXPECT_GT(mean, 0);
  EXPECT_TRUE(share > 0 && share <= 100) << share;
  const auto found = answers(outcome);
  ASSERT_EQ(found.size(), 40u) << "one line a tick, none for new_match";
  for (const ordered_json& answer : found) {
    EXPECT_TRUE(answer["command"] == "left" || answer["command"] == "stop" || answer["command"] == "right");
    const std::string debug = answer["debug"];
    EXPECT_LE(debug.size(), 200u);
    double score = 0;
    int ticks = 0;
    char first = 0;
    ASSERT_EQ(std::sscanf(debug.c_str(), "%lf %dt %c", &score, &ticks, &first), 3) << debug;
    EXPECT_GT(ticks, 260) << "the unused budget is less than a plan";
    EXPECT_LE(ticks, 308);
    EXPECT_EQ(std::toupper(answer["command"].get<std::string>()[0]), first) << debug;
    EXPECT_TRUE(debug.ends_with(" referee")) << debug;
  }
  EXPECT_TRUE(found[1]["debug"].get<std::string>().ends_with("; exact; unknown referee")) << found[1];
  // The recorded game had other answers.
  EXPECT_TRUE(found.back()["debug"].get<std::string>().ends_with(" problems; strict referee")) << found.back();
}

TEST(BotCommand, AnInvalidLineIsReportedAndSkipped) {
  std::string input = messages(3);
  input += "rubbish\n";
  input += R"({"type":"tick","params":{"my_car":[]}})"
           "\n";
  const auto found = answers(run_bot(input, "--ticks 100"));
  ASSERT_EQ(found.size(), 4u) << "an invalid tick is answered, rubbish is not";
  EXPECT_EQ(found.back()["command"], "stop");
  EXPECT_NE(found.back()["debug"].get<std::string>().find("my_car"), std::string::npos) << found.back();
  EXPECT_NE(run_bot(input, "--ticks 100").err.find("forkmunk bot: "), std::string::npos);
}

TEST(BotCommand, PlaysTheSameGameAsTheBuiltinOfItsName) {
  const std::string rest = " --second builtin:runs --matches PillHillMap,Buggy IslandMap,Bus --seed 4 --json";
  ordered_json process = ordered_json::parse(run("play --first '" + kBot + " --ticks 200 --seed 7'" + rest).out);
  ordered_json builtin = ordered_json::parse(run("play --first builtin:bot:ticks=200,seed=7" + rest).out);
  for (ordered_json* game : {&process, &builtin}) game->erase("time_ms");
  EXPECT_EQ(process, builtin);
}

TEST(BotCommand, TheLibraryExampleAnswersTheSame) {
  const auto path = scratch() / "game";
  std::ofstream(path, std::ios::binary) << messages(30);
  const Outcome example = run_shell(std::string(FORKMUNK_CONTEST_BOT) + " <" + path.string());
  const Outcome program =
      run_shell(kBot + " --planner stretched --evaluator normalised --ticks 1000 <" + path.string());
  EXPECT_EQ(example.exit_code, 0) << example.err;
  EXPECT_EQ(example.out, program.out);
  EXPECT_EQ(std::count(example.out.begin(), example.out.end(), '\n'), 30);
  EXPECT_TRUE(program.err.starts_with("forkmunk bot: " + example.err)) << example.err << program.err;
}

TEST(BotCommand, IsNotLateAfterItWasStoppedForThreeSeconds) {
  const std::string stopped = "'exec 3<&0; " + kBot +
                              " --time-ms 2 <&3 & bot=$!; sleep 0.3; kill -STOP $bot; sleep 3; kill -CONT $bot; "
                              "wait $bot'";
  const Outcome outcome = run("play --first " + stopped +
                              " --second builtin:hold --matches PillMap,Bus PillMap,Bus PillMap,Bus --seed 1 --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json game = ordered_json::parse(outcome.out);
  EXPECT_GT(game["time_ms"][0]["max"], 2500) << "the game was over before the bot was stopped";
  EXPECT_LT(game["time_ms"][0]["max"], 5000);
  EXPECT_EQ(game["bots"][0]["disconnected"], false);
  EXPECT_EQ(game["bots"][0]["answers"], game["bots"][1]["answers"]) << "it stopped playing";
}

TEST(BotCommand, BadOptionsAreRefused) {
  EXPECT_EQ(run("bot --planner oracle").exit_code, 2);
  EXPECT_EQ(run("bot --ticks 10 --time-ms 3").exit_code, 2);
  const Outcome weights = run("bot --weights /nowhere/weights.json");
  EXPECT_EQ(weights.exit_code, 2);
  EXPECT_NE(weights.err.find("/nowhere/weights.json"), std::string::npos) << weights.err;
}

TEST(BuiltinPlanner, BadOptionsAreNamed) {
  const auto message = [](const std::string& bot) {
    const Outcome outcome = run("play --first " + bot + " --second builtin:hold");
    EXPECT_EQ(outcome.exit_code, 2) << bot;
    return outcome.err;
  };
  for (const auto& [option, named] :
       std::map<std::string, std::vector<std::string>>{{"depth=3", {"builtin:grid:depth=3", "\"depth=3\""}},
                                                       {"ticks=many", {"ticks", "many"}},
                                                       {"opponent=dream", {"dream", "still, repeat"}},
                                                       {"horizon=1000", {"horizon", "1000", "4 to 128"}},
                                                       {"with=luck", {"with=luck", "opponent"}}}) {
    const std::string text = message("builtin:grid:" + option);
    for (const std::string& name : named) EXPECT_NE(text.find(name), std::string::npos) << name << " in " << text;
  }
}

TEST(BotCommand, ReadsWeights) {
  ordered_json weights{{"normalised", {{"tilt_mine", {{"Bus", -20}}}}}};
  store(weights, "weights.json");
  const auto path = (scratch() / "weights.json").string();
  EXPECT_EQ(run("play --first builtin:bot:ticks=50,weights=" + path + " --second builtin:hold --matches IslandMap,Bus")
                .exit_code,
            0);
  weights["normalised"]["luck"]["Bus"] = 1;
  store(weights, "weights.json");
  const Outcome unknown = run("bot --weights " + path);
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find(path + ": normalised.luck"), std::string::npos) << unknown.err;
}

}  // namespace
}  // namespace forkmunk::tests
