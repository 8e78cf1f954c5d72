// SPDX-License-Identifier: MIT
#include "io/recording_text.h"

#include <forkmunk/io/gzip.h>
#include <forkmunk/io/recording_reader.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::io {
namespace {

using testing::end_game_text;
using testing::gzipped;
using testing::new_match_text;
using testing::recording_text;
using testing::small_recording_text;
using testing::tick_text;
using testing::with;

std::string refusal(const std::string& bytes) {
  try {
    (void)parse_recording(bytes, "game");
    return "accepted";
  } catch (const RecordingError& error) {
    return error.what();
  }
}

TEST(RecordingBadInput, NamesAnotherEncoding) {
  std::string wide = "\xFF\xFE";
  for (const char letter : small_recording_text()) wide += {letter, '\0'};
  for (const std::string& text : {wide, gzipped(wide)}) EXPECT_NE(refusal(text).find("UTF-16"), std::string::npos);
  const std::string twice = gzipped(gzipped(small_recording_text()));
  EXPECT_NE(refusal(twice).find("contains gzip data"), std::string::npos);
}

struct BadField {
  const char* from;
  const char* to;
  const char* path;
};

TEST(RecordingBadInput, NamesTheField) {
  const std::vector<BadField> fields{
      {"[422,296", "[NaN,296", "event 1 (tick): params.cars.1[4][0]"},
      {"[422,296", "[-Infinity ,296", "event 1 (tick): params.cars.1[4][0]"},
      {"[422,296", "[1e999,296", "event 1 (tick): params.cars.1[4][0]"},
      {"[422,296", "[0x1F,296", "event 1 (tick): params.cars.1[4][0]"},
      {"[422,296", "[\"422\",296", "event 1 (tick): params.cars.1[4][0]"},
      {"[422,296", "[null,296", "event 1 (tick): params.cars.1[4][0]"},
      {"[422,296", "[[],296", "event 1 (tick): params.cars.1[4][0]"},
      {"[422,296", "[296", "event 1 (tick): params.cars.1[4]"},
      {"[422,296", "[0,422,296", "event 1 (tick): params.cars.1[4]"},
      {"[422,296,1e-3],true", "422", "event 1 (tick): params.cars.1[4]"},
      {",[422,296,1e-3],true", "", "event 1 (tick): params.cars.1"},
      {"1e-3],true", "1e-3],true,0", "event 1 (tick): params.cars.1"},
      {"1e-3],true", "1e-3],1", "event 1 (tick): params.cars.1[5]"},
      {"-0.5,1,", "-0.5,2,", "event 1 (tick): params.cars.1[2]"},
      {"\"2\":[[900", "\"3\":[[900", "event 1 (tick): params.cars.2"},
      {"\"tick_num\":0", "\"tick\":0", "event 1 (tick): params.tick_num"},
      {"\"tick_num\":0", "\"tick_num\":0,\"tick_num\":0", "event 1 (tick): params.tick_num"},
      {"\"tick_num\":0", "\"tick_num\":0.5", "event 1 (tick): params.tick_num"},
      {"\"tick_num\":0", "\"tick_num\":-1", "event 1 (tick): params.tick_num"},
      {"\"tick_num\":0", "\"tick_num\":1e18", "event 1 (tick): params.tick_num"},
      {"\"type\":\"tick\"", "\"type\":\"tock\"", "event 1 (tock): type"},
      {"\"type\":\"tick\",", "", "event 1: type"},
      {"\"type\":\"tick\"", "\"type\":7", "event 1: type"},
      {"{\"1\":5,\"2\":0}}", "[]}", "event 3 (end_game): params"},
      {"\"params\":{\"1\":5,\"2\":0}", "\"x\":0", "event 3 (end_game): params"},
      {"\"lives\":{\"1\":5", "\"lives\":{\"1\":-5", "event 0 (new_match): params.lives.1"},
      {"1100,100.5]", "1100]", "event 0 (new_match): params.proto_map.segments[0][1]"},
      {"100.5],10]", "100.5]]", "event 0 (new_match): params.proto_map.segments[0]"},
      {"[85,42]", "[85,true]", "event 0 (new_match): params.proto_car.car_body_poly[3][1]"},
      {"\"drive\":2", "\"drive\":4", "event 0 (new_match): params.proto_car.drive"},
      {"\"torque\":14000000,", "", "event 0 (new_match): params.proto_car.torque"},
      {"\"rear_wheel_radius\":12", "\"rear_wheel_radius\":{}",
       "event 0 (new_match): params.proto_car.rear_wheel_radius"},
      {"\"squared_wheels\":true", "\"squared_wheels\":1", "event 0 (new_match): params.proto_car.squared_wheels"},
      {"\"1\":\"anna\"", "\"1\":null", "config.1"},
      {"{\"1\":\"anna\",\"2\":11756}", "7", "config"},
      {"config", "c", "config"},
      {"visio_info", "v", "visio_info"},
      {"matches", "config", "config"},
      {"[\"left\"", "[\"up\"", "commands[0][0]"},
      {"[\"left\"", "[0", "commands[0][0]"},
      {"[\"left\",\"right\"]", "[\"left\"]", "commands[0]"},
      {"[\"left\"", "[null,\"left\"", "commands[0]"},
      {"[\"left\",\"right\"]", "\"left\"", "commands[0]"},
  };
  for (const BadField& field : fields) {
    const std::string message = refusal(with(small_recording_text(), field.from, field.to));
    EXPECT_TRUE(message.starts_with(std::string("game: ") + field.path + ": "))
        << field.from << " -> " << field.to << ": " << message;
  }
}

TEST(RecordingBadInput, NamesImpossiblePhysics) {
  const std::string massless = refusal(with(small_recording_text(), "\"car_body_mass\":200", "\"car_body_mass\":0"));
  EXPECT_TRUE(massless.starts_with("game: event 0 (new_match): params.proto_car.car_body_mass: ")) << massless;
  const std::string dented = refusal(with(small_recording_text(), "[33,42]", "[33,24]"));
  EXPECT_TRUE(dented.starts_with("game: event 0 (new_match): params.proto_car.car_body_poly")) << dented;
}

TEST(RecordingBadInput, RefusesEventsOutOfOrder) {
  const auto expect_refused = [](const std::vector<std::string>& events, const std::string& path) {
    const std::string message = refusal(recording_text(events, ""));
    EXPECT_TRUE(message.starts_with("game: " + path + ": ")) << message;
  };
  expect_refused({tick_text(0)}, "event 0 (tick): type");
  expect_refused({new_match_text(), end_game_text(), tick_text(0)}, "event 2 (tick): type");
  expect_refused({"7"}, "visio_info[0]");
  expect_refused({new_match_text(), "[]"}, "visio_info[1]");
}

TEST(RecordingBadInput, StopsReadingAtTheLargestCount) {
  std::string segments;
  for (int i = 0; i < 1'000'000; ++i) segments += "[[1,2],[3,4],5],";
  const std::string text = with(small_recording_text(), "[[[100,", "[" + segments + "[[100,");
  const std::string message = refusal(text);
  EXPECT_TRUE(message.starts_with("game: event 0 (new_match): params.proto_map.segments: found 513 ")) << message;
  std::string vertices;
  for (int i = 0; i < 40; ++i) vertices += "[0,6],";
  const std::string polygon = refusal(with(small_recording_text(), "[[0,6]", "[" + vertices + "[0,6]"));
  EXPECT_TRUE(polygon.starts_with("game: event 0 (new_match): params.proto_car.car_body_poly: found 33 ")) << polygon;
}

TEST(RecordingBadInput, NamesTheByteOfInvalidJson) {
  const auto expect_refused = [](const std::string& text, const std::string& path, std::size_t byte) {
    const std::string message = refusal(text);
    EXPECT_TRUE(message.starts_with(path + ": ")) << message;
    EXPECT_NE(message.find(" at byte " + std::to_string(byte) + " of the text"), std::string::npos) << message;
  };
  const std::string text = small_recording_text();
  expect_refused(text.substr(0, text.size() - 1), "game", text.size() - 1);
  expect_refused(text + " xyz", "game", text.size() + 1);
  expect_refused(text + "{}", "game", text.size());
  const std::string open = with(text, "\"anna\"", "\"anna");
  expect_refused(open, "game", open.size());
  const std::string no_utf8 = with(text, "anna", "\xc3\xa4\xff");
  expect_refused(no_utf8, "game", no_utf8.find('\xff'));
  const std::string no_comma = with(text, "\"tick_num\":0", "0\"tick_num\":0");
  expect_refused(no_comma, "game: event 1 (tick): params", no_comma.find("0\"tick_num\""));
  const std::string wrong_bracket = with(text, "[329,295,0.125]", "[329,295,0.125}");
  expect_refused(wrong_bracket, "game: event 1 (tick): params.cars.1[3][3]", wrong_bracket.find("},[422"));
}

TEST(RecordingBadInput, RefusesEveryBeginningOfAFile) {
  const std::string text = small_recording_text();
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_NE(refusal(text.substr(0, size)), "accepted") << size;
  const std::string bytes = gzipped(text);
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_NE(refusal(bytes.substr(0, size)), "accepted") << size;
}

TEST(RecordingBadInput, RefusesOtherFiles) {
  for (const std::string& bytes :
       {std::string(), std::string(" \n"), gzipped(""), std::string("[1]"), std::string("PK\x03\x04")}) {
    const std::string message = refusal(bytes);
    EXPECT_TRUE(message.starts_with("game: ")) << message;
    EXPECT_TRUE(std::ranges::all_of(message, [](char c) { return c >= ' ' && c <= '~'; })) << message;
  }
}

TEST(RecordingBadInput, RefusesBadGzip) {
  const std::string good = gzipped(small_recording_text());
  const std::string half = refusal(good.substr(0, good.size() / 2));
  EXPECT_TRUE(half.starts_with("game: byte " + std::to_string(good.size() / 2) + ": ")) << half;
  std::string bad_sum = good;
  bad_sum[good.size() - 8] = static_cast<char>(bad_sum[good.size() - 8] ^ 1);
  EXPECT_NE(refusal(bad_sum).find("incorrect data check"), std::string::npos) << "zlib's own reason";
  const std::string longer = refusal(good + "rubbish");
  EXPECT_TRUE(longer.starts_with("game: byte " + std::to_string(good.size()) + ": ")) << longer;
  EXPECT_TRUE(refusal("\x1f\x8b").starts_with("game: byte 2: ")) << refusal("\x1f\x8b");
}

TEST(RecordingBadInput, StopsInflatingAtTheLimit) {
  const std::string bomb = gzipped(std::string(10'000'000, ' '));
  ASSERT_LT(bomb.size(), 20'000U);
  EXPECT_EQ(gunzip(bomb, 10'000'000).size(), 10'000'000U);
  EXPECT_THROW((void)gunzip(bomb, 9'999'999), Error);
  EXPECT_THROW((void)gunzip(bomb, 100), Error);
}

TEST(RecordingBadInput, RefusesPathsWithoutAFile) {
  const auto refusal_of = [](const std::filesystem::path& path) {
    try {
      (void)read_recording(path);
      return std::string("accepted");
    } catch (const RecordingError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(refusal_of("no/such.visio.gz").find("no/such.visio.gz: "), std::string::npos);
  EXPECT_NE(refusal_of(".").find(" .: "), std::string::npos) << refusal_of(".");
}

/// xorshift64*, which is the same everywhere.
class Random {
 public:
  std::size_t below(std::size_t bound) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<std::size_t>((state_ * 0x2545F4914F6CDD1DULL) >> 33) % bound;
  }

 private:
  std::uint64_t state_ = 20200817;
};

std::string mutated(std::string bytes, Random& random) {
  const std::size_t at = random.below(bytes.size());
  const std::size_t length = 1 + random.below(std::min<std::size_t>(bytes.size() - at, 1 + random.below(60)));
  switch (random.below(5)) {
    case 0: bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << random.below(8))); break;
    case 1: bytes.erase(at, length); break;
    case 2: bytes.insert(random.below(bytes.size()), bytes.substr(at, length)); break;
    case 3: bytes[at] = "{}[]:,\"\\0-eEnt "[random.below(15)]; break;
    default: bytes.resize(at);
  }
  return bytes;
}

TEST(RecordingBadInput, SurvivesEveryMutation) {
  const std::string text = small_recording_text();
  Random random;
  int refused = 0;
  constexpr int kRounds = 20'000;
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = round % 8 == 0 ? gzipped(text) : text;
    for (std::size_t changes = 1 + random.below(3); changes > 0 && !bytes.empty(); --changes) {
      bytes = mutated(std::move(bytes), random);
    }
    const std::string message = refusal(bytes);
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    refused += message == "accepted" ? 0 : 1;
  }
  EXPECT_GT(refused, kRounds / 2);
  EXPECT_LT(refused, kRounds);
}

}  // namespace
}  // namespace forkmunk::io
