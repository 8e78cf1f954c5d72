// SPDX-License-Identifier: MIT
#include "cli/program.h"

namespace forkmunk::tests {
namespace {

using nlohmann::ordered_json;

const std::string kReplaced = "\xEF\xBF\xBD";  // U+FFFD

TEST(Names, FilesMayHaveAnyBytes) {
  const auto file = scratch() / "ga\xFFme.visio.gz";
  std::filesystem::copy_file(recorded("strict_build/game04.visio.gz"), file);
  const std::string quote = "'";
  const std::string path = quote + file.string() + quote;
  const ordered_json report = ordered_json::parse(run("verify --json " + path).out);
  EXPECT_EQ(report["files"][0]["file"], (scratch() / ("ga" + kReplaced + "me.visio.gz")).string());
  EXPECT_EQ(report["files"][0]["mismatching_ticks"], 0);
  const auto folder = scratch() / "named";
  ASSERT_EQ(run("verify --write-commands " + folder.string() + ' ' + path).exit_code, 0);
  EXPECT_EQ(ordered_json::parse(read_text(folder / "ga\xFFme.commands.json"))["commands"].size(), 1112u);
  EXPECT_EQ(run("stats --json " + path).exit_code, 0);
  const Outcome missing = run("verify --json " + path + "x");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("ga" + kReplaced + "me"), std::string::npos) << missing.err;
  EXPECT_NE(ordered_json::parse(missing.out)["files"][0]["error"].get<std::string>().find(kReplaced),
            std::string::npos);
}

TEST(Names, BotsMayHaveAnyBytes) {
  const std::string bot = "'exit 1 # \xFF\xC3'";
  const std::string record = (scratch() / "named.visio.gz").string();
  const Outcome played =
      run("play --first " + bot + " --second builtin:hold --matches PillMap,Bus --json --record " + record);
  ASSERT_EQ(played.exit_code, 0) << played.err;
  EXPECT_EQ(io::read_recording(record).player_ids[0], "exit 1 # " + kReplaced + kReplaced);
  const ordered_json stats = ordered_json::parse(run("stats --json " + record).out);
  EXPECT_EQ(stats["matches"], 1);

  const std::string arena =
      "arena " + bot + " builtin:hold --games 2 --json --resume " + (scratch() / "named.jsonl").string();
  const ordered_json first = ordered_json::parse(run(arena).out);
  EXPECT_EQ(first["bots"][0]["bot"], "exit 1 # " + kReplaced + kReplaced);
  const Outcome resumed = run(arena);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(ordered_json::parse(resumed.out), first) << "the log is accepted";
}

TEST(Names, ALongOrManyLinedOneMakesOneShortLine) {
  for (const std::string& name : {std::string(3000, 'x'), std::string("a\nb\033[2J")}) {
    const Outcome outcome = run("verify '" + name + "'");
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.err.find('\033'), std::string::npos);
    EXPECT_LT(outcome.err.size(), 400u);
  }
}

}  // namespace
}  // namespace forkmunk::tests
