// SPDX-License-Identifier: MIT
#include "cli/program.h"

namespace forkmunk::tests {
namespace {

using nlohmann::ordered_json;

struct BadFile {
  std::string name;
  std::string path;
  std::string named;
};

std::string store_bytes(const std::string& name, const std::string& bytes) {
  const auto path = scratch() / name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path.string();
}

std::string store_changed(const std::string& name, const std::string& pointer, const ordered_json& value) {
  ordered_json recording = load("strict_build/game04.visio.gz");
  recording[ordered_json::json_pointer(pointer)] = value;
  return store(recording, name);
}

TEST(BadInput, IsOneLineAndOtherFilesAreReported) {
  const std::string good = recorded("strict_build/game04.visio.gz").string();
  const std::string whole = read_text(good);
  const std::string car = "/visio_info/0/params/proto_car/";
  const std::vector<BadFile> files{
      {"missing", (scratch() / "nowhere.gz").string(), "nowhere.gz"},
      {"directory", scratch().string(), scratch().string()},
      {"empty", store_bytes("empty.gz", ""), "empty.gz"},
      {"truncated gzip", store_bytes("cut.gz", whole.substr(0, whole.size() / 2)), "cut.gz"},
      {"broken JSON", store_bytes("broken.json", R"({"config":{"1":1,"2":2},"visio_info":[{]})"), "broken.json"},
      {"zero mass", store_changed("mass.json", car + "car_body_mass", 0), "car_body_mass"},
      {"huge number", store_changed("huge.json", car + "torque", 1e300), "torque"},
      {"wrong type", store_changed("type.json", car + "max_speed", "fast"), "max_speed"},
      {"non-convex polygon",
       store_changed("dent.json", car + "car_body_poly", {{0, 0}, {100, 0}, {50, 10}, {100, 50}, {0, 50}}),
       "car_body_poly"},
  };
  for (const BadFile& file : files) {
    const Outcome outcome = run("verify --json " + file.path + ' ' + good);
    EXPECT_EQ(outcome.exit_code, 2) << file.name;
    EXPECT_NE(outcome.err.find(file.named), std::string::npos) << file.name << ": " << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    const ordered_json report = ordered_json::parse(outcome.out);
    ASSERT_EQ(report["files"].size(), 2u);
    EXPECT_FALSE(report["files"][0]["error"].get<std::string>().empty());
    EXPECT_EQ(report["files"][1]["mismatching_ticks"], 0);
  }
}

TEST(BadInput, AMillionSegmentsAreRefused) {
  std::string text = R"({"config":{"1":1,"2":2},"visio_info":[{"type":"new_match","params":{"lives":{"1":5,"2":5},)"
                     R"("proto_map":{"external_id":1,"segments":[)";
  for (int i = 0; i < 1'000'000; ++i) text += i == 0 ? "[[0,0],[9,9],10]" : ",[[0,0],[9,9],10]";
  const Outcome outcome = run("verify " + store_bytes("million.json", text + "]}}}]}"));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("segments"), std::string::npos) << outcome.err;
}

TEST(BadInput, AGameThatEndsInMidMatchIsReplayedAndReported) {
  ordered_json recording = load("strict_build/game04.visio.gz");
  auto& events = recording["visio_info"];
  const auto [event, match] = find_tick(recording, 600);
  events.erase(events.begin() + static_cast<std::ptrdiff_t>(event), events.end());
  recording["commands"].erase(recording["commands"].begin() + 600, recording["commands"].end());
  const std::string path = store(recording, "midmatch.json");
  const ordered_json file = ordered_json::parse(run("verify --json " + path).out)["files"][0];
  EXPECT_EQ(file["ended"], false);
  EXPECT_EQ(file["ticks"], 600);
  EXPECT_EQ(file["mismatching_ticks"], 0);
  const Outcome text = run("verify " + path);
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("no end_game"), std::string::npos) << text.out;
}

}  // namespace
}  // namespace forkmunk::tests
