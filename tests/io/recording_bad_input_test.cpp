#include "io/recording_text.h"

#include <forkmunk/io/gzip.h>
#include <forkmunk/io/recording_reader.h>

#include <algorithm>
#include <chrono>
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

/// The message that refuses `bytes`, or "accepted".
std::string refusal(const std::string& bytes) {
  try {
    (void)parse_recording(bytes, "game");
    return "accepted";
  } catch (const RecordingError& error) {
    return error.what();
  }
}

struct BadPlace {
  const char* from;
  const char* to;
  const char* message;  // after "game: "
};

TEST(RecordingBadInput, NamesTheField) {
  const std::vector<BadPlace> places{
      // Values of the wrong kind, or none at all.
      {"[422,296", "[NaN,296", "event 1 (tick): params.cars.1[4][0]: found NaN, expected a finite number"},
      {"[422,296", "[-Infinity ,296", "event 1 (tick): params.cars.1[4][0]: found -Infinity, expected a finite number"},
      {"[422,296", "[1e999,296", "event 1 (tick): params.cars.1[4][0]: found 1e999, expected a finite number"},
      {"[422,296", "[0x1F,296", "event 1 (tick): params.cars.1[4][0]: found 0x1F, expected a finite number"},
      {"[422,296", "[\"422\",296", "event 1 (tick): params.cars.1[4][0]: found \"422\", expected a finite number"},
      {"[422,296", "[null,296", "event 1 (tick): params.cars.1[4][0]: found null, expected a finite number"},
      {"[422,296", "[[],296", "event 1 (tick): params.cars.1[4][0]: found a list, expected a finite number"},
      {"[422,296", "[296", "event 1 (tick): params.cars.1[4]: found 2 entries, expected 3"},
      {"[422,296", "[0,422,296", "event 1 (tick): params.cars.1[4]: found 4 entries or more, expected 3"},
      {"[422,296,1e-3],true", "422", "event 1 (tick): params.cars.1[4]: found 422, expected a list"},
      {",[422,296,1e-3],true", "", "event 1 (tick): params.cars.1: found 4 entries, expected 5 to 6"},
      {"1e-3],true", "1e-3],true,0", "event 1 (tick): params.cars.1: found 7 entries or more, expected 5 to 6"},
      {"1e-3],true", "1e-3],1", "event 1 (tick): params.cars.1[5]: found 1, expected true or false"},
      {"-0.5,1,", "-0.5,2,", "event 1 (tick): params.cars.1[2]: found 2, expected 1 or -1"},
      {"\"2\":[[900", "\"3\":[[900", "event 1 (tick): params.cars.2: found nothing, expected a value"},
      {"\"tick_num\":0", "\"tick\":0", "event 1 (tick): params.tick_num: found nothing, expected a value"},
      {"\"tick_num\":0", "\"tick_num\":0,\"tick_num\":0",
       "event 1 (tick): params.tick_num: found the key twice, expected it once"},
      {"\"tick_num\":0", "\"tick_num\":0.5",
       "event 1 (tick): params.tick_num: found 0.5, expected an integer from 0 to 1000000"},
      {"\"tick_num\":0", "\"tick_num\":-1",
       "event 1 (tick): params.tick_num: found -1, expected an integer from 0 to 1000000"},
      {"\"tick_num\":0", "\"tick_num\":1e18",
       "event 1 (tick): params.tick_num: found 1e18, expected an integer from 0 to 1000000"},
      // Events.
      {"\"type\":\"tick\"", "\"type\":\"tock\"",
       "event 1 (tock): type: found \"tock\", expected \"new_match\", \"tick\" or \"end_game\""},
      {"\"type\":\"tick\",", "", "event 1: type: found nothing, expected a value"},
      {"\"type\":\"tick\"", "\"type\":7", "event 1: type: found 7, expected a text"},
      {"{\"1\":5,\"2\":0}}", "[]}", "event 3 (end_game): params: found a list, expected an object"},
      {"\"params\":{\"1\":5,\"2\":0}", "\"x\":0", "event 3 (end_game): params: found nothing, expected a value"},
      {"\"lives\":{\"1\":5", "\"lives\":{\"1\":-5",
       "event 0 (new_match): params.lives.1: found -5, expected an integer from 0 to 1000000"},
      // Cars and maps.
      {"1100,100.5]", "1100]", "event 0 (new_match): params.proto_map.segments[0][1]: found 1 entry, expected 2"},
      {"100.5],10]", "100.5]]", "event 0 (new_match): params.proto_map.segments[0]: found 2 entries, expected 3"},
      {"[85,42]", "[85,true]",
       "event 0 (new_match): params.proto_car.car_body_poly[3][1]: found true, expected a finite number"},
      {"\"drive\":2", "\"drive\":4",
       "event 0 (new_match): params.proto_car.drive: found 4, expected an integer from 1 to 3"},
      {"\"torque\":14000000,", "", "event 0 (new_match): params.proto_car.torque: found nothing, expected a value"},
      {"\"rear_wheel_radius\":12", "\"rear_wheel_radius\":{}",
       "event 0 (new_match): params.proto_car.rear_wheel_radius: found an object, expected a finite number"},
      {"\"squared_wheels\":true", "\"squared_wheels\":1",
       "event 0 (new_match): params.proto_car.squared_wheels: found 1, expected true or false"},
      // Around the events.
      {"\"1\":\"anna\"", "\"1\":null", "config.1: found null, expected a text or a number"},
      {"{\"1\":\"anna\",\"2\":11756}", "7", "config: found 7, expected an object"},
      {"config", "c", "config: found nothing, expected a value"},
      {"visio_info", "v", "visio_info: found nothing, expected a value"},
      {"matches", "config", "config: found the key twice, expected it once"},
      {"[\"left\"", "[\"up\"", "commands[0][0]: found \"up\", expected \"left\", \"stop\", \"right\" or null"},
      {"[\"left\"", "[0", "commands[0][0]: found 0, expected \"left\", \"stop\", \"right\" or null"},
      {"[\"left\",\"right\"]", "[\"left\"]", "commands[0]: found 1 entry, expected 2"},
      {"[\"left\"", "[null,\"left\"", "commands[0]: found 3 entries or more, expected 2"},
      {"[\"left\",\"right\"]", "\"left\"", "commands[0]: found \"left\", expected a list"},
  };
  for (const BadPlace& place : places) {
    EXPECT_EQ(refusal(with(small_recording_text(), place.from, place.to)), std::string("game: ") + place.message)
        << place.from << " -> " << place.to;
  }
}

TEST(RecordingBadInput, NamesWhatPhysicsCannotBear) {
  const std::string massless = refusal(with(small_recording_text(), "\"car_body_mass\":200", "\"car_body_mass\":0"));
  EXPECT_TRUE(massless.starts_with("game: event 0 (new_match): params.proto_car.car_body_mass: found 0")) << massless;
  const std::string dented = refusal(with(small_recording_text(), "[33,42]", "[33,24]"));
  EXPECT_TRUE(dented.starts_with("game: event 0 (new_match): params.proto_car.car_body_poly")) << dented;
}

TEST(RecordingBadInput, RefusesEventsOutOfOrder) {
  EXPECT_EQ(refusal(recording_text({tick_text(0)}, "")),
            "game: event 0 (tick): type: found a tick, expected a new_match before any tick");
  EXPECT_EQ(refusal(recording_text({new_match_text(), end_game_text(), tick_text(0)}, "")),
            "game: event 2 (tick): type: found an event after end_game, expected none");
  EXPECT_EQ(refusal(recording_text({"7"}, "")), "game: visio_info[0]: found 7, expected an object");
  EXPECT_EQ(refusal(recording_text({new_match_text(), "[]"}, "")),
            "game: visio_info[1]: found a list, expected an object");
}

TEST(RecordingBadInput, StopsReadingAtTheLargestCount) {
  std::string segments;
  for (int i = 0; i < 1'000'000; ++i) segments += "[[1,2],[3,4],5],";
  const std::string text = with(small_recording_text(), "[[[100,", "[" + segments + "[[100,");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(text),
            "game: event 0 (new_match): params.proto_map.segments: found 513 entries or more, expected 0 to 512");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  std::string vertices;
  for (int i = 0; i < 40; ++i) vertices += "[0,6],";
  EXPECT_EQ(refusal(with(small_recording_text(), "[[0,6]", "[" + vertices + "[0,6]")),
            "game: event 0 (new_match): params.proto_car.car_body_poly: found 33 entries or more, expected 0 to 32");
}

TEST(RecordingBadInput, NamesTheByteOfBrokenJson) {
  const std::string text = small_recording_text();
  const auto byte_of = [](const std::string& in, const char* place) {
    return " at byte " + std::to_string(in.find(place)) + " of the text, expected ";
  };
  const std::string end = " at byte " + std::to_string(text.size() - 1) + " of the text, expected ";
  EXPECT_EQ(refusal(text.substr(0, text.size() - 1)),
            "game: found the end inside an object or a list" + end + "a closing bracket");
  EXPECT_EQ(refusal(text + " xyz"), "game: found \"xyz\" at byte " + std::to_string(text.size() + 1) +
                                        " of the text, expected nothing after the JSON object");
  EXPECT_EQ(refusal(text + "{}"), "game: found \"{}\" at byte " + std::to_string(text.size()) +
                                      " of the text, expected nothing after the JSON object");
  const std::string open = with(text, "\"anna\"", "\"anna");
  EXPECT_EQ(refusal(open), "game: found the end inside a string at byte " + std::to_string(open.size()) +
                               " of the text, expected a closing quote");
  const std::string no_utf8 = with(text, "anna", "\xc3\xa4\xff");
  EXPECT_EQ(refusal(no_utf8), "game: found broken UTF-8" + byte_of(no_utf8, "\xff") + "JSON");
  const std::string no_comma = with(text, "\"tick_num\":0", "0\"tick_num\":0");
  EXPECT_EQ(refusal(no_comma), "game: event 1 (tick): params: found broken JSON" + byte_of(no_comma, "0\"tick_num\"") +
                                   "a comma, a key, a value or a closing bracket");
  const std::string wrong_bracket = with(text, "[329,295,0.125]", "[329,295,0.125}");
  EXPECT_EQ(refusal(wrong_bracket), "game: event 1 (tick): params.cars.1[3][3]: found broken JSON" +
                                        byte_of(wrong_bracket, "},[422") +
                                        "a comma, a key, a value or a closing bracket");
}

TEST(RecordingBadInput, RefusesEveryBeginningOfAFile) {
  const std::string text = small_recording_text();
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_NE(refusal(text.substr(0, size)), "accepted") << size;
  const std::string bytes = gzipped(text);
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_NE(refusal(bytes.substr(0, size)), "accepted") << size;
}

TEST(RecordingBadInput, RefusesOtherFiles) {
  EXPECT_EQ(refusal(""), "game: found an empty file, expected a recording");
  EXPECT_EQ(refusal(" \n"), "game: found no text, expected gzip data or a JSON object");
  EXPECT_EQ(refusal(gzipped("")), "game: found no text, expected gzip data or a JSON object");
  EXPECT_EQ(refusal("[1]"), "game: found \"[1]\", expected gzip data or a JSON object");
  EXPECT_EQ(refusal("PK\x03\x04"), "game: found \"PK??\", expected gzip data or a JSON object");
}

TEST(RecordingBadInput, RefusesBadGzip) {
  const std::string good = gzipped(small_recording_text());
  EXPECT_EQ(refusal(good.substr(0, good.size() / 2)),
            "game: byte " + std::to_string(good.size() / 2) +
                ": found the end of the file inside the gzip data, expected the rest of a truncated file");
  std::string bad_sum = good;
  bad_sum[good.size() - 8] = static_cast<char>(bad_sum[good.size() - 8] ^ 1);
  EXPECT_NE(refusal(bad_sum).find("found corrupt gzip data, expected intact ones (incorrect data check)"),
            std::string::npos);
  EXPECT_EQ(refusal(good + "rubbish"), "game: byte " + std::to_string(good.size()) +
                                           ": found other bytes after the gzip data, expected the end of the file");
  EXPECT_NE(refusal("\x1f\x8b").find("found the end of the file inside the gzip data"), std::string::npos);
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
  EXPECT_EQ(refusal_of("no/such.visio.gz"), "no/such.visio.gz: found no such file, expected a recording");
  EXPECT_EQ(refusal_of("."), ".: found a directory, expected a recording");
}

/// xorshift64*: the same mutations everywhere.
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

/// `bytes` with one place flipped, cut out, doubled, or overwritten by JSON's own characters.
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
