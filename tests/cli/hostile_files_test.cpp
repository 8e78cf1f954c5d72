// SPDX-License-Identifier: MIT
#include "cli/program.h"
#include "support/hostile.h"

namespace forkmunk::tests {
namespace {

using nlohmann::ordered_json;

std::string write(const std::string& name, const std::string& text) {
  const auto path = scratch() / name;
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

void expect_refused(const std::string& arguments, const std::string& file, const std::string& field) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.exit_code, 2) << arguments << '\n' << outcome.out;
  EXPECT_NE(outcome.err.find(file), std::string::npos) << outcome.err.substr(0, 1000);
  EXPECT_NE(outcome.err.find(field), std::string::npos) << outcome.err.substr(0, 1000);
  EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
  EXPECT_LT(outcome.err.size(), 600u) << outcome.err.substr(0, 1000);
}

TEST(Hostile, AResumeLogIsCheckedLineByLine) {
  const std::string arena = "arena builtin:chase builtin:level --games 2 --seed 5 --resume ";
  const std::string log = (scratch() / "good.jsonl").string();
  ASSERT_EQ(run(arena + log).exit_code, 0);
  const std::string text = read_text(log);
  const std::size_t second = text.find('\n') + 1;
  ASSERT_EQ(run(arena + log).exit_code, 0) << "its own log is accepted";
  const ordered_json good = ordered_json::parse(text.substr(second));
  struct Change {
    std::string pointer;
    ordered_json value;
    std::string field;
  };
  const std::vector<Change> changes{
      {"/times/0/buckets/0/0", 2147483647, "times[0].buckets[0][0]: "},
      {"/times/0/buckets/0/1", -1, "times[0].buckets[0][1]: "},
      {"/times/0/total_ms", -5, "times[0].total_ms: "},
      {"/winner", 7, "winner: "},
      {"/winner", (good["winner"].get<int>() + 1) % 3, "winner: "},
      {"/lives/0", good["lives"][0].get<int>() + 1, "lives: "},
      {"/lives/0", 1e300, "lives[0]: "},
      {"/lives", {1, 2, 3}, "lives: "},
      {"/ticks", 18446744073709551615u, "ticks: "},
      {"/ticks", 1, "ticks: "},
      {"/matches/0/name", "\x1b[31mPillMap,Buggy", "matches[0].name: "},
      {"/matches/0/name", "NoMap,Buggy", "NoMap"},
      {"/matches/0/causes/0", "\x1b]0;you\x07", "matches[0].causes[0]: "},
      {"/matches", ordered_json::array(), "matches: "},
      {"/verdicts/0", "\x1b[2J", "verdicts[0]: "},
      {"/first", std::string(40'000, 'x'), "first: "},
      {"/seed", std::string(40'000, 'x'), "seed: "},
  };
  for (const Change& change : changes) {
    ordered_json line = good;
    line[ordered_json::json_pointer(change.pointer)] = change.value;
    const std::string changed = write("changed.jsonl", text.substr(0, second) + line.dump() + '\n');
    expect_refused(arena + changed, "changed.jsonl: line 2: ", change.field);
  }
  const std::string bucket = read_text(hostile("resume_log/resume_bucket_max.jsonl"));
  expect_refused(arena + write("bucket.jsonl", bucket), "bucket.jsonl: line 1: ", "2147483647");
  std::string deep = "{\"game\":0,\"first\":";
  deep += std::string(200'000, '[') + std::string(200'000, ']') + "}\n";
  expect_refused(arena + write("deep.jsonl", deep), "deep.jsonl: line 1: ", "second: ");
  expect_refused(arena + write("rest.jsonl", text.substr(0, second - 1) + " {}\n"), "rest.jsonl: line 1: ", "{}");
}

}  // namespace
}  // namespace forkmunk::tests
