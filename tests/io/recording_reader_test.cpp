// SPDX-License-Identifier: MIT
#include "io/recording_text.h"
#include "support/recordings.h"

#include <forkmunk/io/recording_extras.h>
#include <forkmunk/io/recording_reader.h>
#include <forkmunk/io/recording_writer.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::io {
namespace {

using engine::Command;
using testing::end_game_text;
using testing::gzipped;
using testing::new_match_text;
using testing::recording_text;
using testing::small_recording_text;
using testing::tick_text;
using testing::with;

const formats::RecordedCommands kNone{};

TEST(RecordingReader, ReadsEveryFieldOfATick) {
  const formats::Recording recording = parse_recording(small_recording_text(), "small");
  ASSERT_EQ(recording.matches.size(), 1U);
  ASSERT_EQ(recording.tick_count(), 2U);
  const formats::RecordedTick& tick = recording.matches[0].ticks[1];
  EXPECT_EQ(tick.tick_num, 1);
  EXPECT_EQ(tick.deadline_position, 10.5);
  EXPECT_EQ(tick.cars[0].body.position, (engine::Vec2{300.25, 301}));
  EXPECT_EQ(tick.cars[0].body.angle, -0.5);
  EXPECT_EQ(tick.cars[0].side, 1);
  EXPECT_EQ(tick.cars[0].rear_wheel, (formats::RecordedBody{{329, 295}, 0.125}));
  EXPECT_EQ(tick.cars[0].front_wheel, (formats::RecordedBody{{422, 296}, 1e-3}));
  EXPECT_EQ(tick.cars[0].alive, true);
  EXPECT_EQ(tick.cars[1].side, -1);
  EXPECT_EQ(tick.cars[1].alive, false);
}

TEST(RecordingReader, ReadsNumbersOfAnyLength) {
  for (const auto& [text, number] : std::initializer_list<std::pair<std::string, double>>{
           {"0.51272231738315631000", 0.51272231738315631},
           {"-0.00151272231738315631000 ", -0.00151272231738315631},
           {"0.51272231738315631000E+2", 51.272231738315631},
           {"0.10000000000000000555111512312578270211815834045410156", 0.1},
           {"12345678901234567890123.25", 12345678901234567890123.25},
           {"0.00000000000000000000000000000000", 0},
           {"0.000100000000000000000000000000012345678901234567890", 0.0001}}) {
    const formats::Recording recording = parse_recording(with(small_recording_text(), "300.25", text), text);
    EXPECT_EQ(recording.matches[0].ticks[0].cars[0].body.position.x, number) << text;
  }
  EXPECT_THROW((void)parse_recording(with(small_recording_text(), "300.25", "0.99999999999999999999e309"), "too large"),
               RecordingError);
}

TEST(RecordingReader, ReadsTheGameAroundTheTicks) {
  const formats::Recording recording = parse_recording(small_recording_text(), "small");
  EXPECT_EQ(recording.player_ids, (std::array<std::string, 2>{"anna", "11756"}));
  EXPECT_EQ(recording.matches[0].lives, (engine::Lives{5, 4}));
  EXPECT_TRUE(recording.ended());
  EXPECT_EQ(recording.final_lives, (engine::Lives{5, 0}));
}

TEST(RecordingReader, ReadsMapAndCar) {
  const engine::MatchSetup setup = parse_recording(small_recording_text(), "small").matches.at(0).setup;
  EXPECT_EQ(setup.map, (engine::MapSetup{5, {{{100, 100}, {1100, 100.5}, 10}}}));
  EXPECT_EQ(setup.car.external_id, 3);
  EXPECT_EQ(setup.car.body_poly, (std::vector<engine::Vec2>{{0, 6}, {0, 25}, {33, 42}, {85, 42}, {20, 0}}));
  EXPECT_EQ(setup.car.button_poly, (std::vector<engine::Vec2>{{40, 42}, {40, 43}, {78, 43}, {78, 42}}));
  EXPECT_EQ(setup.car.body_mass, 200);
  EXPECT_EQ(setup.car.body_friction, 0.9);
  EXPECT_EQ(setup.car.body_elasticity, 0.5);
  EXPECT_EQ(setup.car.max_speed, 70);
  EXPECT_EQ(setup.car.max_angular_speed, 2);
  EXPECT_EQ(setup.car.torque, 14e6);
  EXPECT_EQ(setup.car.drive, engine::Drive::rear);
  EXPECT_TRUE(setup.car.squared_wheels);
  const engine::WheelSetup wheel{50, 12, {29, -5}, 1, 0.8, {1, 2}, 6, {29, 20}, 25, 5e4, 3000};
  EXPECT_EQ(setup.car.rear_wheel, wheel);
  EXPECT_EQ(setup.car.front_wheel, wheel);
}

TEST(RecordingReader, HasDefaultsForOptionalKeysOfCars) {
  std::string text = small_recording_text();
  for (const char* field : {R"("squared_wheels":true,)", R"("max_angular_speed":2,)", R"("rear_wheel_joint":[1,2],)",
                            R"("rear_wheel_groove_offset":6,)"}) {
    text = with(text, field, "");
  }
  const engine::CarSetup car = parse_recording(text, "small").matches.at(0).setup.car;
  EXPECT_FALSE(car.squared_wheels);
  EXPECT_EQ(car.max_angular_speed, 0);
  EXPECT_EQ(car.rear_wheel.joint, engine::Vec2{});
  EXPECT_EQ(car.rear_wheel.groove_offset, 5);
  EXPECT_EQ(car.front_wheel.groove_offset, 6);
}

TEST(RecordingReader, ReadsTheSameFromGzip) {
  const std::string text = small_recording_text();
  const formats::Recording recording = parse_recording(text, "small");
  EXPECT_EQ(parse_recording(gzipped(text), "small"), recording);
  const std::string two_members = gzipped(text.substr(0, 100)) + gzipped(text.substr(100));
  EXPECT_EQ(parse_recording(two_members, "small"), recording);
  EXPECT_EQ(parse_recording(two_members + std::string(512, '\0'), "small"), recording);
}

TEST(RecordingReader, IgnoresAByteOrderMark) {
  const std::string text = small_recording_text(), marked = "\xEF\xBB\xBF" + text;
  const formats::Recording recording = parse_recording(text, "small");
  EXPECT_EQ(parse_recording(marked, "marked"), recording);
  EXPECT_EQ(parse_recording(gzipped(marked), "marked"), recording);
}

TEST(RecordingReader, ReadsOldTicksWithoutAlive) {
  const formats::Recording recording = parse_recording(with(small_recording_text(), ",true]", "]"), "old");
  EXPECT_EQ(recording.matches[0].ticks[0].cars[0].alive, std::nullopt);
  EXPECT_EQ(recording.matches[0].ticks[1].cars[0].alive, true);
}

TEST(RecordingReader, TakesKeysInAnyOrderAndIgnoresUnknownOnes) {
  const std::string text = R"( {"commands":[["left","stop"]],"visio_info":[)" + new_match_text() +
                           R"(,{"params":{"tick_num":0,"debug":[{"a":[]},"}"],"deadline_position":10.5,"cars":)"
                           R"({"2":[[900,300],0.5,-1,[871,295,0],[778,295,0],false],"3":null,)"
                           R"("1":[[300.25,300],-0.5,1,[329,295,0.125],[422,296,1e-3],true]}},"x":0,"type":"tick"}],)"
                           R"("config":{"2":11756,"1":"anna"},"visio":{"info":[[]]},"matches":["IslandMap,Buggy"]} )";
  const formats::Recording expected =
      parse_recording(recording_text({new_match_text(), tick_text(0)}, R"([["left","stop"]])"), "ordered");
  EXPECT_EQ(parse_recording(text, "shuffled"), expected);
}

TEST(RecordingReader, ReadsAFileThatEndsInMidMatch) {
  const formats::Recording recording = parse_recording(recording_text({new_match_text(), tick_text(0)}, ""), "cut");
  EXPECT_FALSE(recording.ended());
  EXPECT_EQ(recording.final_lives, std::nullopt);
  EXPECT_EQ(recording.tick_count(), 1U);
}

TEST(RecordingReader, GivesCommandsByPositionIfThereIsOneForEachTick) {
  const formats::Recording recording =
      parse_recording(recording_text({new_match_text(), tick_text(0), tick_text(0), new_match_text(), tick_text(7)},
                                     R"([["left","right"],null,[null,"stop"]])"),
                      "by position");
  EXPECT_TRUE(recording.has_commands);
  EXPECT_EQ(recording.matches[0].ticks[0].commands, (formats::RecordedCommands{Command::left, Command::right}));
  EXPECT_EQ(recording.matches[0].ticks[1].commands, kNone);
  EXPECT_EQ(recording.matches[1].ticks[0].commands, (formats::RecordedCommands{std::nullopt, Command::stop}));
}

TEST(RecordingReader, GivesCommandsByTickNumIfTicksAreMissing) {
  const formats::Recording recording =
      parse_recording(recording_text({new_match_text(), tick_text(0), tick_text(2), tick_text(9)},
                                     R"([["left","left"],["right","right"],["stop","stop"],["left","right"]])"),
                      "by tick_num");
  EXPECT_EQ(recording.matches[0].ticks[0].commands, (formats::RecordedCommands{Command::left, Command::left}));
  EXPECT_EQ(recording.matches[0].ticks[1].commands, (formats::RecordedCommands{Command::stop, Command::stop}));
  EXPECT_EQ(recording.matches[0].ticks[2].commands, kNone);
}

TEST(RecordingReader, ReadsBackCommandsWithoutTicks) {
  for (const auto& events :
       {std::vector{new_match_text(), tick_text(1), tick_text(3), end_game_text()}, std::vector{end_game_text()}}) {
    const std::string commands = R"([["left","left"],["right",null],["stop","stop"],["left","right"]])";
    const formats::Recording recording = parse_recording(recording_text(events, commands), "lost");
    EXPECT_EQ(recording.commands_by_tick_num.size(), 4U);
    EXPECT_EQ(parse_recording(to_json_text(recording), "written"), recording);
  }
}

TEST(RecordingReader, ReportsThatThereAreNoCommands) {
  const std::vector<std::string> events{new_match_text(), tick_text(0)};
  EXPECT_FALSE(parse_recording(recording_text(events, ""), "omitted").has_commands);
  EXPECT_FALSE(parse_recording(recording_text(events, "null"), "null").has_commands);
  EXPECT_FALSE(parse_recording(recording_text(events, "[]"), "empty").has_commands);
  EXPECT_TRUE(parse_recording(recording_text(events, "[[null,null]]"), "rest").has_commands);
}

TEST(RecordingReader, ReadsRealGamesCompletely) {
  for (const std::filesystem::path& file : tests::all_recorded()) {
    SCOPED_TRACE(file.filename().string());
    const formats::Recording recording = read_recording(file);
    std::int64_t next_tick_num = 0;
    for (const formats::RecordedMatch& match : recording.matches) {
      for (const formats::RecordedTick& tick : match.ticks) {
        ASSERT_EQ(tick.tick_num, next_tick_num++);
        ASSERT_EQ(tick.cars[0].side, 1);
        ASSERT_EQ(tick.cars[1].side, -1);
      }
    }
    EXPECT_TRUE(recording.ended());
  }
}

struct Counts {
  const char* file;
  std::size_t matches;
  std::size_t ticks;
  std::size_t commands;
  engine::Lives final_lives;
};

TEST(RecordingReader, CountsTheContentOfRealGames) {
  for (const Counts& counts : {Counts{"referee_build/game07.visio.gz", 5, 1463, 2 * 1013, {0, 5}},
                               Counts{"referee_build/game22.visio.gz", 7, 2594, 2 * 1964, {3, 0}},
                               Counts{"strict_build/game04.visio.gz", 5, 1112, 2 * 662, {5, 0}},
                               Counts{"strict_build/game06.visio.gz", 5, 814, 0, {5, 0}}}) {
    SCOPED_TRACE(counts.file);
    const formats::Recording recording = read_recording(tests::recorded(counts.file));
    std::size_t commands = 0;
    for (const formats::RecordedMatch& match : recording.matches) {
      for (const formats::RecordedTick& tick : match.ticks) {
        commands +=
            static_cast<std::size_t>(std::ranges::count_if(tick.commands, [](auto c) { return c.has_value(); }));
      }
    }
    EXPECT_EQ(recording.matches.size(), counts.matches);
    EXPECT_EQ(recording.tick_count(), counts.ticks);
    EXPECT_EQ(commands, counts.commands);
    EXPECT_EQ(recording.has_commands, counts.commands > 0);
    EXPECT_EQ(recording.final_lives, counts.final_lives);
  }
}

TEST(RecordingReader, ReadsTheExtrasThatTheWriterWrites) {
  RecordingExtras extras;
  extras.trace = {{"t L \"x\"", ""}, {"", "\u00e4"}};
  auto trace = std::make_shared<formats::SearchTrace>();
  trace->score = -1.25;
  trace->ticks = 1200;
  trace->plan = "R5 L12";
  trace->terms = {{"room", 3.5}, {"sight", -2}};
  trace->path = {{300, 400}, {310, 405}};
  extras.search_traces = {{nullptr, trace}, {nullptr, nullptr}};
  const formats::Recording recording = parse_recording(small_recording_text(), "small");
  const std::string text = to_json_text(recording, extras);
  const RecordingExtras read = parse_extras_text(text, "small");
  EXPECT_EQ(read.trace, extras.trace);
  ASSERT_EQ(read.search_traces.size(), 2u);
  EXPECT_EQ(read.search_traces[0][0], nullptr);
  EXPECT_EQ(read.search_traces[1][1], nullptr);
  ASSERT_NE(read.search_traces[0][1], nullptr);
  EXPECT_EQ(to_json_text(recording, read), text);
  EXPECT_TRUE(parse_extras_text(small_recording_text(), "small").trace.empty());
}

// Evaluators may have any weights.
TEST(RecordingReader, ReadsWhatIsWrittenOfLargeScores) {
  auto trace = std::make_shared<formats::SearchTrace>();
  trace->score = 1e12;
  trace->ticks = 1'000'000'000;
  trace->terms = {{"room", -1e12}};
  RecordingExtras extras;
  extras.search_traces = {{trace, nullptr}};
  const std::string text = to_json_text(parse_recording(small_recording_text(), "small"), extras);
  const RecordingExtras read = parse_extras_text(text, "small");
  ASSERT_NE(read.search_traces.at(0)[0], nullptr);
  EXPECT_EQ(read.search_traces[0][0]->score, kDrawnMax);
  EXPECT_EQ(read.search_traces[0][0]->terms.at(0).value, -kDrawnMax);
}

TEST(RecordingReader, RefusesBrokenExtras) {
  const auto problem = [](const std::string& from, const std::string& to) -> std::string {
    const std::string text =
        R"({"thoughts":{"terms":[["a"],[]],"ticks":[[[1,2,"L2",[3],[4,5],[]],null]]},"trace":[["x",null]]})";
    try {
      (void)parse_extras_text(with(text, from, to), "game");
    } catch (const RecordingError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(problem("[4,5]", "[4,5]"), "");
  EXPECT_TRUE(problem("[4,5]", "[4,1e300]").starts_with("game: thoughts.ticks[0][0][4][1]: "));
  EXPECT_NE(problem("\"x\",null", "7").find("trace[0]"), std::string::npos);
  EXPECT_NE(problem("[3],", "").find("thoughts.ticks[0][0]"), std::string::npos);
  EXPECT_NE(problem("\"ticks\"", "\"tocks\"").find("thoughts.ticks: "), std::string::npos);
  EXPECT_NE(problem("]]}", "]]").find("game: "), std::string::npos);
}

}  // namespace
}  // namespace forkmunk::io
