// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <set>
#include <vector>

#include <sys/stat.h>

namespace forkmunk::tests {
namespace {

namespace fs = std::filesystem;

const std::string kGame = recorded(kStrictGame).string();

std::string at(const std::string& name) { return (scratch() / name).string(); }

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

void expect_error(const Outcome& outcome, const std::string& name) {
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find(name), std::string::npos) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST(Output, ADeviceAndAPipeStayWhatTheyAre) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  const Outcome piped = run_shell("cat $S/pipe >$S/piped & $F play " + kHolds + " --record $S/pipe; wait");
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
  EXPECT_EQ(io::read_recording(at("piped")).matches.size(), 1u);
  const fs::path null = device_like("/dev/null");
  EXPECT_EQ(run("play " + kHolds + " --record " + null.string()).exit_code, 0);
  EXPECT_TRUE(fs::is_character_file(null));
  const std::string full = device_like("/dev/full").string();
  expect_error(run("play " + kHolds + " --record " + full), full);
  EXPECT_TRUE(fs::is_character_file(full));
}

TEST(Output, TheTargetOfASymbolicLinkIsWritten) {
  fs::create_directories(at("links/real"));
  fs::create_symlink("real/game.gz", at("links/link.gz"));
  for (int round = 0; round < 2; ++round) {  // the target exists in the second round
    ASSERT_EQ(run("play " + kHolds + " --record " + at("links/link.gz")).exit_code, 0);
    EXPECT_TRUE(fs::is_symlink(at("links/link.gz")));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(at("links/real/game.gz"))));
    if (round == 0) fs::permissions(at("links/real/game.gz"), fs::perms(0640));
  }
  EXPECT_EQ(fs::status(at("links/real/game.gz")).permissions(), fs::perms(0640)) << "a file keeps its mode";
}

TEST(Output, AFullDiskLeavesNoPartialFile) {
  const fs::path folder = scratch() / "full_disk";
  fs::create_directories(folder);
  std::ofstream(folder / "old.json") << "old";
  const std::string limit = "trap '' XFSZ; ulimit -f 1; cd $S/full_disk; ";
  expect_error(run_shell(limit + "$F verify --write-commands . " + kGame), "game04.commands.json");
  expect_error(run_shell(limit + "$F play --record old.json " + kHolds), "old.json");
  EXPECT_EQ(names_in(folder), std::set<std::string>{"old.json"});
  EXPECT_EQ(read_text(folder / "old.json"), "old");
}

TEST(Output, TwoProcessesWriteOneFileWithoutHarm) {
  fs::create_directories(at("race"));
  const std::string play = "$F play " + kHolds + " --record $S/race/game.gz";
  const Outcome outcome = run_shell("for i in 1 2 3 4 5; do " + play + " & done; wait");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(names_in(scratch() / "race"), std::set<std::string>{"game.gz"});
  EXPECT_EQ(run("verify " + at("race/game.gz")).exit_code, 0);
}

TEST(Output, ADashIsStdoutAndTheReportGoesToStderr) {
  const Outcome played = run_shell("$F play " + kHolds + " --record - >$S/dash.gz");
  EXPECT_EQ(played.exit_code, 0) << played.err;
  EXPECT_NE(played.err.find("draw: "), std::string::npos) << played.err;
  EXPECT_EQ(run("verify " + at("dash.gz")).exit_code, 0);
  expect_error(run("play " + kHolds + " --record - --json"), "--json");
  expect_error(run("arena builtin:hold builtin:hold --games 2 --plot - --json"), "--json");
}

TEST(Stdout, ResultsThatCannotBeWrittenAreAnError) {
  for (const std::string& arguments :
       {std::string("--help"), std::string("--version"), std::string("arena --help"), "verify " + kGame,
        "verify --json " + kGame, "stats " + kGame, std::string("doctor"), "play --json " + kHolds,
        std::string("arena builtin:hold builtin:hold --games 2")}) {
    expect_error(run_shell("$F " + arguments + " >/dev/full"), "stdout");
    expect_error(run_shell("$F " + arguments + " >&-"), "stdout");
  }
}

TEST(Stdout, ALaterFileDoesNotGetTheNumberOfAClosedOne) {
  const std::string arena = "$F arena builtin:hold builtin:hold --games 2 --resume $S/closed.jsonl";
  expect_error(run_shell(arena + " >&-"), "stdout");
  EXPECT_EQ(run_shell(arena).exit_code, 0) << "the log contains games only";
  const std::string log = read_text(at("closed.jsonl"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 2);
  EXPECT_EQ(run_shell(arena + " 2>&-").exit_code, 0);
}

// Output larger than stdio's buffer fails before flushing.
TEST(Stdout, AFileThatCannotBeWrittenToItSaysWhy) {
  std::vector<std::string> lines{"$F play --first builtin:random --second builtin:level --seed 1 --record -"};
#ifdef FORKMUNK_HAS_VIEWER
  lines.insert(lines.end(), {"$F view " + kGame + " -o -", "$F page -o -"});
#endif
  for (const std::string& line : lines) {
    expect_error(run_shell(line + " >/dev/full"), "No space left on device");
    expect_error(run_shell(line + " >&-"), "it is closed");
  }
}

TEST(Stdout, AReaderThatGoesAwayEndsTheProgramQuietly) {
  ASSERT_EQ(mkfifo(at("gone").c_str(), 0600), 0);
  const Outcome outcome =
      run_shell("(cat $S/gone >$S/when; $F verify " + kGame + "; echo $? >$S/status) | (exec <&-; echo gone >$S/gone)");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(read_text(at("status")), "141\n") << "128 + SIGPIPE, as of usual tools";
}

TEST(Stdin, AClosedOneIsAnError) { expect_error(run_shell("$F bot <&-"), "stdin"); }

TEST(Input, APipeIsReadOnce) {
  const Outcome verified = run_shell("cat " + kGame + " | $F verify --json -");
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
#ifdef FORKMUNK_HAS_VIEWER
  ASSERT_EQ(run("view " + kGame + " -o " + at("stdin.html")).exit_code, 0);
  ASSERT_EQ(mkfifo(at("in").c_str(), 0600), 0);
  for (const std::string& line :
       {std::string("cat {} | $F view - -o $S/p.html"), std::string("cat {} >$S/in & $F view $S/in -o $S/p.html"),
        std::string("cat {} | $F view /dev/stdin -o - >$S/p.html")}) {
    std::string command = line;
    const Outcome outcome = run_shell(command.replace(command.find("{}"), 2, kGame));
    EXPECT_EQ(outcome.exit_code, 0) << line << outcome.err;
    const auto bytes = [](const std::string& path) {
      const std::string page = read_text(path);
      const std::size_t begin = page.find("\"bytes\":\"");
      return page.substr(begin, page.find('"', begin + 9) - begin);
    };
    EXPECT_GT(bytes(at("p.html")).size(), 10000u);
    EXPECT_EQ(bytes(at("p.html")), bytes(at("stdin.html"))) << line;
  }
#endif
}

TEST(Resume, APipeOrDeviceIsRefusedAtOnce) {
  ASSERT_EQ(mkfifo(at("log_pipe").c_str(), 0600), 0);
  for (const std::string& path : {at("log_pipe"), std::string("/dev/zero"), std::string("/dev/null")}) {
    expect_error(run_shell("timeout 300 $F arena builtin:hold builtin:hold --games 2 --resume " + path), path);
  }
}

TEST(Memory, RunningOutIsReportedInOneLine) {
#ifdef FORKMUNK_SANITIZED
  GTEST_SKIP() << "sanitizers need more address space than there is";
#endif
  int failed = 0;
  for (int kib = 4000; kib < 60000; kib += 2000) {
    const std::string limit = "ulimit -v " + std::to_string(kib) + "; ";
    if (run_shell(limit + "$F --version").exit_code != 0) continue;  // the loader failed
    for (const std::string& arguments : {"verify " + kGame, "play --json " + kHolds,
                                         std::string("arena builtin:hold builtin:hold --games 2 --concurrency 4")}) {
      const Outcome outcome = run_shell(limit + "$F " + arguments);
      if (outcome.exit_code == 0) continue;
      ++failed;
      expect_error(outcome, "forkmunk: ");
    }
  }
  EXPECT_GT(failed, 0) << "nothing was tested";
}

}  // namespace
}  // namespace forkmunk::tests
