// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <forkmunk/formats/message.h>
#include <forkmunk/io/message_lines.h>
#include <forkmunk/space/recorder.h>

#include <map>
#include <vector>

namespace forkmunk::tests {
namespace {

/// {} in the arguments stands for the file.
struct Reader {
  std::string subcommand;
  std::string arguments;
};

struct Case {
  std::string subcommand;
  std::string input;
  std::string line;  // $F is the program, $S the scratch folder
  std::string named;
};

const std::string kArena = "arena builtin:hold builtin:hold --games 2";
const std::string kBench = "bench --map IslandMap --car Bus --arithmetic strict --engine flat --repetitions 1";

std::vector<Case> unreadable_inputs() {
  const std::vector<Reader> readers{{"verify", "{}"},
                                    {"bench", "--games {}"},
                                    {"bot", "--weights {}"},
                                    {"play", "--first builtin:hold --second builtin:hold --matches-from {}"},
                                    {"arena", "builtin:hold builtin:hold --games 2 --resume {}"},
                                    {"stats", "{}"},
                                    {"view", "{} -o $S/page.html"}};
  const std::vector<std::pair<std::string, std::string>> inputs{{"missing file", "$S/missing"},
                                                                {"directory", "$S/folder"},
                                                                {"empty file", "$S/empty"},
                                                                {"garbage", "$S/garbage"},
                                                                {"truncated gzip", "$S/truncated.gz"}};
  std::vector<Case> cases;
  for (const Reader& reader : readers) {
    const bool makes_it = reader.subcommand == "arena";
    for (const auto& [input, path] : inputs) {
      // A missing log is created, an empty one is valid, and its last line may be incomplete.
      if (makes_it && input == "missing file") continue;
      if (reader.subcommand == "arena" && (input == "empty file" || input == "truncated gzip")) continue;
      std::string arguments = reader.arguments;
      arguments.replace(arguments.find("{}"), 2, path);
      cases.push_back({reader.subcommand, input, "$F " + reader.subcommand + ' ' + arguments, path.substr(3)});
    }
  }
  return cases;
}

std::vector<Case> unwritable_outputs() {
  return {{"verify", "unwritable output", "$F verify $S/good.gz --write-commands $S/empty/x", "--write-commands"},
          {"verify", "full output", "cd $S; trap '' XFSZ; ulimit -f 1; $F verify good.gz --write-commands folder",
           "folder/good.gz.commands.json"},
          {"play", "unwritable output", "$F play " + kHolds + " --record $S/nowhere/x.gz", "nowhere/x.gz"},
          {"play", "full output", "$F play " + kHolds + " --record $S/full", "/full"},
          {"arena", "unwritable output", "$F " + kArena + " --plot $S/nowhere/x.html", "nowhere/x.html"},
          {"arena", "full output", "$F " + kArena + " --plot $S/full.html", "full.html"},
          {"view", "unwritable output", "$F view $S/good.gz -o $S/nowhere/x.html", "nowhere/x.html"},
          {"view", "full output", "$F view $S/good.gz -o $S/full", "/full"}};
}

/// A part of the request would be ignored.
std::vector<Case> contradictions() {
  return {
      {"bench", "an engine for scenes", "$F bench --scenes --engine flat", "--engine"},
      {"bench", "a map for batches", "$F bench --batch --map PillMap", "--map"},
      {"bench", "a car for games", "$F bench --games $S/good.gz --car Bus", "--car"},
      {"play", "one file for two outputs", "$F play " + kHolds + " --record $S/both --view $S/../$(basename $S)/both",
       "--view"},
      {"play", "one new file for two outputs", "cd $S; $F play " + kHolds + " --record new --view ./new", "--view"},
      {"play", "a match without a car", "$F play --first builtin:hold --second builtin:hold --matches PillMap",
       "MAP,CAR"},
      {"arena", "no ticks", "$F arena builtin:best:ticks=0 builtin:hold --games 2", "ticks"},
      {"arena", "a part of a tick", "$F arena builtin:best:ticks=2.5 builtin:hold --games 2", "ticks"},
      {"arena", "ticks and a time", "$F arena builtin:best:ticks=9,time-ms=1 builtin:hold --games 2", "time-ms"},
      {"arena", "ticks twice", "$F arena builtin:best:ticks=9,ticks=8 builtin:hold --games 2", "ticks twice"},
      {"bot", "a file that is too large", "head -c 2000000 /dev/zero >$S/large; $F bot --weights $S/large",
       "larger than"},
      {"diff", "JSON and a page on stdout", "$F diff $S/run.fmrec $S/twin.fmrec --json -o -", "-o -"},
      {"diff", "stdin twice", "$F diff - - <$S/run.fmrec", "stdin"},
      {"diff", "a page over a recording", "$F diff $S/run.fmrec $S/twin.fmrec -o $S/twin.fmrec", "twin.fmrec"},
      {"scene", "a page over its recording", "$F scene $S/run.fmrec -o $S/run.fmrec", "run.fmrec"},
      {"view", "a page over its recording", "$F view $S/good.gz -o $S/good.gz", "good.gz"},
      {"view", "the recording of a scene", "$F view $S/run.fmrec -o $S/page.html", "forkmunk scene"},
      {"scene", "the recording of a game", "$F scene $S/good.gz -o $S/page.html", "forkmunk view"},
      {"diff", "the recordings of games", "$F diff $S/good.gz $S/good.gz", "forkmunk view"},
      {"scene", "two recordings", "cat $S/run.fmrec $S/twin.fmrec >$S/two.fmrec; $F scene $S/two.fmrec",
       "after its end"},
      {"diff", "two recordings", "cat $S/run.fmrec $S/twin.fmrec >$S/two.fmrec; $F diff $S/two.fmrec $S/run.fmrec",
       "after its end"},
      {"play", "a recording over that of its matches",
       "$F play --first builtin:hold --second builtin:hold --matches-from $S/good.gz --record $S/good.gz", "--record"},
      {"view", "a page over the recording on stdin", "$F view - -o $S/good.gz <$S/good.gz", "good.gz"},
      {"arena", "a page over its log", "cd $S; $F " + kArena + " --resume log.jsonl --plot ./log.jsonl", "--plot"},
      {"arena", "a log on stdout", "$F " + kArena + " --resume /dev/stdout >>$S/log.jsonl", "--resume /dev/stdout"},
      {"arena", "a report into its log", "$F " + kArena + " --resume $S/log.jsonl >>$S/log.jsonl", "--resume"},
      {"", "an unknown command", "$F fly", "unknown command fly"},
      {"", "no command", "$F", "subcommand"}};
}

std::map<std::string, std::string> good_lines() {
  return {{"verify", "$F verify $S/good.gz"}, {"doctor", "$F doctor"},
          {"bench", "$F " + kBench},          {"bot", "$F bot --ticks 10 <$S/messages"},
          {"play", "$F play " + kHolds},      {"arena", "$F " + kArena},
          {"stats", "$F stats $S/good.gz"},   {"view", "$F view $S/good.gz -o $S/page.html"}};
}

std::vector<Case> empty_values() {
  return {{"verify", "no file name", "$F verify ''", "files"},
          {"verify", "no tolerance", "$F verify $S/good.gz --tolerance ''", "--tolerance"},
          {"verify", "no folder", "$F verify $S/good.gz --write-commands ''", "--write-commands"},
          {"bot", "no weights", "$F bot --weights '' <$S/messages", "--weights"},
          {"play", "no recording", "$F play " + kHolds + " --record ''", "--record"},
          {"play", "no page", "$F play " + kHolds + " --view=", "--view"},
          {"play", "no recording of matches", "$F play --first builtin:hold --second builtin:hold --matches-from ''",
           "--matches-from"},
          {"play", "no bot", "$F play --first '' --second builtin:hold", "--first"},
          {"arena", "no log", "$F " + kArena + " --resume ''", "--resume"},
          {"arena", "no shard", "$F " + kArena + " --resume $S/log.jsonl --shard ''", "--shard"},
          {"arena", "no plot", "$F " + kArena + " --plot ''", "--plot"},
          {"view", "no page", "$F view $S/good.gz -o ''", "--output"},
          {"view", "no recording", "$F view '' -o $S/page.html", "file"}};
}

std::vector<Case> all_cases() {
  std::vector<Case> cases = unreadable_inputs();
  for (const Case& each : unwritable_outputs()) cases.push_back(each);
  for (const Case& each : contradictions()) cases.push_back(each);
  for (const Case& each : empty_values()) cases.push_back(each);
  for (const auto& [subcommand, line] : good_lines()) {
    cases.push_back({subcommand, "full stdout", line + " >/dev/full", "stdout"});
    cases.push_back({subcommand, "closed stdout", line + " >&-", "stdout"});
    cases.push_back({subcommand, "unknown option", line + " --frobnicate", "--frobnicate"});
  }
  for (const auto& [subcommand, arguments] :
       std::vector<std::pair<std::string, std::string>>{{"verify", "--random"},
                                                        {"bench", "--repetitions"},
                                                        {"bot", "--ticks"},
                                                        {"play", kHolds + " --seed"},
                                                        {"arena", "builtin:hold builtin:hold --games"}}) {
    const std::string option = arguments.substr(arguments.rfind(' ') + 1);
    cases.push_back({subcommand, "bad number", "$F " + subcommand + ' ' + arguments + " many", option});
  }
  std::ranges::stable_sort(cases, {}, &Case::subcommand);
  return cases;
}

void store_scene(const std::string& name) {
  space::Space scene;
  space::Recorder recorder(scene);
  scene.step(0.1);
  std::ofstream file(scratch() / name, std::ios::binary);
  recorder.recording().write(file);
}

void store_inputs() {
  store_scene("run.fmrec");
  store_scene("twin.fmrec");
  const auto game = recorded("strict_build/game04.visio.gz");
  const std::string whole = read_text(game);
  std::filesystem::create_directories(scratch() / "folder");
  std::filesystem::copy_file(game, scratch() / "good.gz");
  std::filesystem::create_symlink(device_like("/dev/full"), scratch() / "full.html");
  std::ofstream(scratch() / "empty");
  std::ofstream(scratch() / "garbage", std::ios::binary) << "\x01\xFFgarbage\n\n\"" << std::string(1000, '{') << '\n';
  std::ofstream(scratch() / "truncated.gz", std::ios::binary) << whole.substr(0, whole.size() / 2);
  const formats::Recording recording = io::read_recording(game);
  const formats::RecordedMatch& match = recording.matches.front();
  std::ofstream(scratch() / "messages") << io::to_line(formats::message_for(engine::Player::first, match)) << '\n'
                                        << io::to_line(formats::message_for(engine::Player::first, match.ticks[0]))
                                        << '\n';
}

TEST(BadInput, EverySubcommandReportsItInOneLine) {
  store_inputs();
  for (const Case& each : all_cases()) {
#ifndef FORKMUNK_HAS_VIEWER
    if (each.subcommand == "view") continue;
#endif
    const Outcome outcome = run_shell(each.line);
    const std::string what = each.subcommand + ", " + each.input + ": " + outcome.err;
    EXPECT_EQ(outcome.exit_code, 2) << what;
    EXPECT_TRUE(outcome.err.starts_with("forkmunk: ")) << what;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << what;
    EXPECT_LT(outcome.err.size(), 400u) << what;
    EXPECT_NE(outcome.err.find(each.named), std::string::npos) << what;
  }
}

#ifdef FORKMUNK_HAS_VIEWER
TEST(Diff, WritesItsPageToStdoutAndTheReportToStderr) {
  store_scene("run.fmrec");
  const Outcome outcome = run_shell("$F diff $S/run.fmrec $S/run.fmrec -o -");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.out.starts_with("<!doctype html>")) << outcome.out.substr(0, 100);
  EXPECT_EQ(outcome.err, "equal\n");
}
#endif

}  // namespace
}  // namespace forkmunk::tests
