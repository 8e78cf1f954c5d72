// SPDX-License-Identifier: MIT
#include "cli/program.h"

namespace forkmunk::tests {
namespace {

using nlohmann::ordered_json;

std::ptrdiff_t second_match_of(const ordered_json& events) {
  std::size_t event = 1;
  while (events[event]["type"] != "new_match") ++event;
  return static_cast<std::ptrdiff_t>(event);
}

TEST(Verify, AMatchCutShortIsFound) {
  ordered_json recording = load(kStrictGame);
  auto& events = recording["visio_info"];
  const std::ptrdiff_t at = second_match_of(events);
  events.erase(events.begin() + at - 5, events.begin() + at);  // ticks of rest
  const ordered_json file = ordered_json::parse(run("verify --json " + store(recording)).out)["files"][0];
  EXPECT_EQ(file["mismatching_ticks"], 5);
  EXPECT_EQ(file["first_mismatch"]["match"], 0);
  EXPECT_EQ(file["first_mismatch"]["value"], "tick_num");
  EXPECT_TRUE(file["first_mismatch"]["expected"].is_null());
}

TEST(Verify, AMatchWithoutItsEndDoesNotMoveTheNext) {
  ordered_json recording = load(kStrictGame);
  const std::ptrdiff_t at = second_match_of(recording["visio_info"]);
  constexpr std::ptrdiff_t kLost = 120;  // more than the rest
  for (const bool has_commands : {true, false}) {
    ordered_json cut = recording;
    cut["visio_info"].erase(cut["visio_info"].begin() + at - kLost, cut["visio_info"].begin() + at);
    if (!has_commands) cut.erase("commands");
    const std::string file = store(cut);
    const ordered_json exact = ordered_json::parse(run("verify --json " + file).out)["files"][0];
    EXPECT_GE(exact["mismatching_ticks"], kLost);
    EXPECT_LE(exact["mismatching_ticks"], kLost + 20) << "and once a match: the lives";
    EXPECT_EQ(exact["first_mismatch"]["value"], "tick_num");
    const ordered_json near = ordered_json::parse(run("verify --json --tolerance auto " + file).out)["files"][0];
    EXPECT_EQ(near["resyncs"], 0);
  }
}

TEST(Verify, ATickAfterTheEndOfAMatchDoesNotMoveTheNext) {
  ordered_json recording = load(kStrictGame);
  auto& events = recording["visio_info"];
  const std::ptrdiff_t at = second_match_of(events);
  ordered_json extra = events[static_cast<std::size_t>(at) - 1];
  extra["params"]["tick_num"] = extra["params"]["tick_num"].get<std::int64_t>() + 1;  // as in the next match
  events.insert(events.begin() + at, extra);
  recording["commands"].insert(recording["commands"].begin() + at - 1, ordered_json::array({nullptr, nullptr}));
  const ordered_json file = ordered_json::parse(run("verify --json " + store(recording)).out)["files"][0];
  EXPECT_EQ(file["mismatching_ticks"], 1);
  EXPECT_EQ(file["first_mismatch"]["value"], "tick_num");
}

}  // namespace
}  // namespace forkmunk::tests
