// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <forkmunk/io/gzip.h>
#include <forkmunk/io/recording_reader.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace forkmunk::tests {
namespace {

using nlohmann::ordered_json;

std::string in_scratch(const std::string& name) { return (scratch() / name).string(); }

#ifdef FORKMUNK_HAS_VIEWER

std::size_t count_of(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(piece, at)) != std::string::npos; at += piece.size()) ++count;
  return count;
}

ordered_json embedded(const std::filesystem::path& page) {
  const std::string text = read_text(page);
  const std::string begin = R"(<script type="application/json" id="embedded">)";
  const std::size_t from = text.find(begin) + begin.size();
  return ordered_json::parse(text.substr(from, text.find("</script>", from) - from));
}

std::string decoded(const std::string& base64) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : base64.substr(0, base64.find('='))) {
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
  }
  return bytes;
}

TEST(View, PutsTheFilesBytesAndTheCausesIntoThePage) {
  const std::string page = in_scratch("game.html");
  const Outcome outcome = run("view --json " + recorded(kStrictGame).string() + " -o " + page);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const ordered_json report = ordered_json::parse(outcome.out);
  EXPECT_EQ(report["page"], page);
  EXPECT_EQ(report["bytes"], std::filesystem::file_size(page));
  EXPECT_EQ(report["matches"], 5);
  EXPECT_EQ(report["ticks"], 1112);
  const ordered_json data = embedded(page);
  EXPECT_EQ(data["name"], "game04.visio.gz");
  // Two members, and zeros after them, are one member in the page.
  const std::string text = io::gunzip(read_text(recorded(kStrictGame)), io::kRecordingSizeMax),
                    odd = in_scratch("odd.gz");
  std::ofstream(odd, std::ios::binary) << io::gzip(text.substr(0, 99)) << io::gzip(text.substr(99))
                                       << std::string(9, 0);
  const std::string odd_page = in_scratch("odd.html");
  ASSERT_EQ(run("view " + odd + " -o " + odd_page).exit_code, 0);
  EXPECT_EQ(decoded(data["bytes"]), io::gzip(text));
  EXPECT_EQ(decoded(embedded(odd_page)["bytes"]), io::gzip(text));
  EXPECT_FALSE(data["extras"].contains("commands")) << "the recording has commands";

  const ordered_json stats = ordered_json::parse(run("stats --json " + recorded(kStrictGame).string()).out);
  std::size_t tallied = 0;
  for (const ordered_json& row : stats["by_map_car"]) {
    for (const ordered_json& count : row["causes"]) tallied += count.get<std::size_t>();
  }
  std::size_t shown = 0;
  for (const ordered_json& pair : data["extras"]["causes"]) {
    for (const ordered_json& cause : pair) shown += cause.is_null() ? 0 : 1;
  }
  EXPECT_EQ(shown, tallied);
  EXPECT_EQ(shown, 5u);
}

TEST(View, FindsTheCommandsThatALogHides) {
  ordered_json recording = load(kStrictGame);
  const ordered_json commands = recording["commands"];
  recording.erase("commands");
  const std::string page = in_scratch("hidden.html");
  ASSERT_EQ(run("view " + store(recording, "hidden.json") + " -o " + page).exit_code, 0);
  const ordered_json found = embedded(page)["extras"]["commands"];
  std::size_t wrong = 0;
  for (std::size_t tick = 0; tick < commands.size(); ++tick) {
    for (std::size_t player = 0; player < 2; ++player) {
      const ordered_json& taken = commands[tick][player];
      const char letter = taken.is_null() ? '-' : static_cast<char>(std::toupper(taken.get<std::string>()[0]));
      wrong += found[player].get<std::string>()[tick] == letter ? 0 : 1;
    }
  }
  EXPECT_EQ(found[0].get<std::string>().size(), commands.size());
  EXPECT_LE(wrong, commands.size() / 100) << "several commands may fit a tick";
}

TEST(View, NamesItsPageAfterTheRecordingAndMakesAnEmptyOne) {
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(scratch());
  const Outcome named = run("view " + recorded(kStrictGame).string());
  const Outcome empty = run("view");
  std::filesystem::current_path(here);
  EXPECT_NE(named.out.find("game04.html: 5 matches, 1112 ticks"), std::string::npos) << named.out << named.err;
  EXPECT_TRUE(embedded(scratch() / "game04.html").contains("bytes"));
  EXPECT_NE(empty.out.find("viewer.html: the empty page"), std::string::npos) << empty.out;
  EXPECT_FALSE(embedded(scratch() / "viewer.html").contains("bytes"));
}

TEST(View, ANameCannotEndTheScriptThatItIsIn) {
  const std::string evil = in_scratch("<script>x.visio.gz");
  std::filesystem::copy_file(recorded(kStrictGame), evil);
  const std::string page = in_scratch("evil.html");
  ASSERT_EQ(run("view '" + evil + "' -o " + page).exit_code, 0);
  EXPECT_EQ(embedded(page)["name"], "<script>x.visio.gz");
  ASSERT_EQ(run("view " + recorded(kStrictGame).string() + " -o " + in_scratch("good.html")).exit_code, 0);
  EXPECT_EQ(count_of(read_text(page), "<script>"), count_of(read_text(in_scratch("good.html")), "<script>"));
}

TEST(View, RefusesWhatItCannotShowOrWrite) {
  const std::string good = recorded(kStrictGame).string();
  const std::string whole = read_text(good);
  std::ofstream(in_scratch("cut.gz"), std::ios::binary) << whole.substr(0, whole.size() / 2);
  std::ofstream(in_scratch("foreign.gz")) << "hello";
  ordered_json silent = load(kStrictGame);
  silent["visio_info"] = ordered_json::array({silent["visio_info"][0]});
  std::filesystem::copy_file(good, in_scratch("self.gz"));
  ordered_json far = load(kStrictGame), traced = far;
  const auto [event, match] = find_tick(far, 40);
  far["visio_info"][event]["params"]["cars"]["2"][3][0] = 1e300;
  traced["trace"] = ordered_json::array({ordered_json::array({"t L", 7})});
  const std::vector<std::pair<std::string, std::string>> cases{
      {in_scratch("nowhere.gz"), "nowhere.gz"},
      {in_scratch("cut.gz"), "cut.gz"},
      {in_scratch("foreign.gz"), "foreign.gz"},
      {store(silent, "silent.json"), "silent.json"},
      {store(far, "far.json"), "tick_num 40: found 1e+300"},
      {store(traced, "traced.json"), "trace[0][1]"},
      {good + " -o " + scratch().string(), scratch().string()},
      {good + " -o " + in_scratch("no/such/page.html"), "no/such"},
      {in_scratch("self.gz") + " -o " + in_scratch("self.gz"), "self.gz"},
  };
  for (const auto& [arguments, name] : cases) {
    const Outcome outcome =
        run("view " + arguments + (arguments.find(" -o ") == std::string::npos ? " -o " + in_scratch("x.html") : ""));
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.err.find(name), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_EQ(read_text(in_scratch("self.gz")), whole);
  EXPECT_FALSE(std::filesystem::exists(in_scratch("x.html")));
}

TEST(Play, WritesAPageOfTheGame) {
  const std::string page = in_scratch("played.html");
  const Outcome outcome =
      run("play --first builtin:hold --second builtin:chase --matches IslandMap,Bus --view " + page);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("page: " + page), std::string::npos) << outcome.out;
  const ordered_json data = embedded(page);
  EXPECT_TRUE(data.contains("bytes"));
  const ordered_json report =
      ordered_json::parse(run("play --first builtin:hold --second builtin:chase --matches IslandMap,Bus --json").out);
  for (const ordered_json& loser : report["matches"][0]["losers"]) {
    EXPECT_EQ(data["extras"]["causes"][0][loser.get<std::size_t>() - 1], report["matches"][0]["causes"][0]);
  }
}

TEST(Plot, PutsTheReportOfAnArenaIntoAPage) {
  const std::string arena_page = in_scratch("arena.html");
  const Outcome arena =
      run("arena builtin:chase 'sh -c \"exit 1\" # <&>' --games 2 --seed 7 --rating --json --plot " + arena_page);
  ASSERT_EQ(arena.exit_code, 0) << arena.err;
  const ordered_json charts = embedded(arena_page);
  EXPECT_EQ(charts["subtitle"], "forkmunk 0.1.0: 2 games, 2 requested per pairing, seed 7");
  EXPECT_EQ(charts["report"], ordered_json::parse(arena.out));
  const std::string text = read_text(arena_page);
  EXPECT_TRUE(text.starts_with("<!doctype html>")) << text.substr(0, 80);
  EXPECT_EQ(text.find("<&>"), std::string::npos) << "a bot's name is text";

  const Outcome shown =
      run_shell("$F arena builtin:hold builtin:level --games 2 --plot - >" + in_scratch("stdout.html"));
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(embedded(in_scratch("stdout.html"))["report"]["games"], 2);
}

#else

TEST(View, ReportsThatThisBuildHasNoPage) {
  for (const std::string& arguments : {std::string("view"), "view " + recorded(kStrictGame).string(),
                                       std::string("play --first builtin:hold --second builtin:hold --view x.html")}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.err.find("-DFORKMUNK_BUILD_VIEWER=ON"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("Emscripten"), std::string::npos) << outcome.err;
  }
}

TEST(Plot, ReportsWhatToInstallWithoutAPage) {
  const Outcome outcome = run("arena builtin:hold builtin:chase --games 2 --plot " + in_scratch("arena.html"));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("FORKMUNK_BUILD_VIEWER"), std::string::npos) << outcome.err;
}

#endif

TEST(Play, ATraceHasSearchTracesAndChangesNothing) {
  const auto record = [](const std::string& name, const std::string& options) {
    const std::string path = in_scratch(name);
    const Outcome outcome = run("play --first builtin:straight:ticks=150 --second builtin:chase --matches " +
                                std::string("PillMap,Buggy IslandMap,Bus --record ") + path + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return path;
  };
  const std::string traced = record("traced_game.visio.gz", " --trace");
  const ordered_json with = load_file(traced);
  ordered_json without = load_file(record("plain_game.visio.gz", ""));
  EXPECT_FALSE(without.contains("thoughts"));
  for (const std::string key : {"visio_info", "commands", "matches"}) EXPECT_EQ(with[key], without[key]) << key;

  const ordered_json& traces = with["thoughts"];
  ASSERT_EQ(traces["ticks"].size(), with["commands"].size());
  EXPECT_EQ(traces["terms"][0][0], "helpless_mine");
  EXPECT_EQ(traces["terms"][1].size(), 0u) << "a scripted bot has none";
  std::size_t shown = 0;
  for (std::size_t tick = 0; tick < traces["ticks"].size(); ++tick) {
    const ordered_json& trace = traces["ticks"][tick][0];
    EXPECT_TRUE(traces["ticks"][tick][1].is_null());
    EXPECT_EQ(trace.is_null(), with["commands"][tick][0].is_null()) << "a search trace for each answer";
    if (trace.is_null()) continue;
    ++shown;
    EXPECT_EQ(trace[3].size(), traces["terms"][0].size());
    EXPECT_GE(trace[4].size(), 2u);
  }
  EXPECT_GT(shown, 50u);
  const Outcome verified = run("verify --json " + traced);
  EXPECT_EQ(verified.exit_code, 0) << verified.out;
}

// Both players follow plan and prediction, so the path's next point is the position five ticks later.
TEST(Play, ATracedPathIsWhereThePlanLeads) {
  const std::string path = in_scratch("path_game.visio.gz");
  ASSERT_EQ(
      run("play --first builtin:straight:ticks=150,opponent=still --second builtin:hold --matches IslandMap,Buggy "
          "--trace --record " +
          path)
          .exit_code,
      0);
  const ordered_json game = load_file(path);
  const auto& poly = game["visio_info"][0]["params"]["proto_car"]["car_body_poly"];
  double mean_x = 0;
  double mean_y = 0;
  for (const auto& vertex : poly) {
    mean_x += vertex[0].get<double>() / static_cast<double>(poly.size());
    mean_y += vertex[1].get<double>() / static_cast<double>(poly.size());
  }
  std::size_t compared = 0;
  for (std::size_t tick = 0; tick + 5 < game["commands"].size(); ++tick) {
    const ordered_json& trace = game["thoughts"]["ticks"][tick][0];
    if (trace.is_null() || trace[4].size() < 4) continue;
    bool kept = true;
    for (std::size_t i = 1; i < 5; ++i) kept = kept && game["commands"][tick + i] == game["commands"][tick];
    if (!kept || game["commands"][tick + 5][0].is_null()) continue;
    const auto& car = game["visio_info"][1 + tick + 5]["params"]["cars"]["1"];
    const double angle = car[1];
    EXPECT_NEAR(trace[4][2], car[0][0].get<double>() + mean_x * std::cos(angle) - mean_y * std::sin(angle), 0.51)
        << tick;
    EXPECT_NEAR(trace[4][3], car[0][1].get<double>() + mean_x * std::sin(angle) + mean_y * std::cos(angle), 0.51)
        << tick;
    ++compared;
  }
  EXPECT_GT(compared, 20u);
}

TEST(Plot, RefusesAnUnwritablePathBeforeAnythingIsPlayed) {
  const std::vector<std::pair<std::string, std::string>> cases{{in_scratch("picture.svg"), "picture.svg"},
                                                               {in_scratch("no/such/x.html"), "no/such"}};
  for (const auto& [path, name] : cases) {
    for (const std::string command : {"arena builtin:bot builtin:bot --games 10000 --plot "}) {
      const Outcome outcome = run(command + path);
      EXPECT_EQ(outcome.exit_code, 2) << command;
      EXPECT_NE(outcome.err.find(name), std::string::npos) << outcome.err;
    }
  }
}

}  // namespace
}  // namespace forkmunk::tests
