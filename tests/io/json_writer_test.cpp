// SPDX-License-Identifier: MIT
#include <forkmunk/io/json_writer.h>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace forkmunk::io {
namespace {

std::string text_of(double value) { return JsonWriter().value(value).take(); }

TEST(JsonWriter, FloatingPointNumbersAreNeverWrittenAsIntegers) {
  EXPECT_EQ(text_of(0), "0.0");
  EXPECT_EQ(text_of(-0.0), "-0.0");
  EXPECT_EQ(text_of(100'000), "100000.0");
  EXPECT_EQ(text_of(123456789012345), "123456789012345.0");
  EXPECT_EQ(text_of(1e15), "1e+15");
  EXPECT_EQ(text_of(1.5e300), "1.5e+300");
  EXPECT_EQ(text_of(0.1), "0.1");
  EXPECT_EQ(text_of(1e-4), "0.0001");
  EXPECT_EQ(text_of(9.5e-5), "9.5e-05");
  EXPECT_EQ(text_of(NAN), "null");
  EXPECT_EQ(JsonWriter().number(1).take(), "1");
  EXPECT_EQ(JsonWriter().number(-0.0).take(), "-0.0") << "-0 is an integer";
  EXPECT_EQ(JsonWriter().number(-INFINITY).take(), "null");
}

void write_some(JsonWriter& json) {
  json.object([&] {
    json.field("text", "a\"\\\n\x80")
        .field("\\", "\"")
        .field("some", std::vector{1, 2})
        .field("none", std::vector<int>{});
    json.key("empty").object([] {});
    json.field("missing", std::optional<int>{}).field("there", std::optional(true));
    json.key("mixed").list([&] { json.value(std::size_t{18446744073709551615u}).value(0.5).null(); });
  });
}

TEST(JsonWriter, WritesALine) {
  JsonWriter json;
  write_some(json);
  EXPECT_EQ(json.take(),
            "{\"text\":\"a\\\"\\\\\\u000a\xEF\xBF\xBD\",\"\\\\\":\"\\\"\",\"some\":[1,2],\"none\":[],\"empty\":{},"
            "\"missing\":null,"
            "\"there\":true,\"mixed\":[18446744073709551615,0.5,null]}");
}

TEST(JsonWriter, WritesIndentedLines) {
  JsonWriter json(JsonWriter::Layout::indented);
  write_some(json);
  EXPECT_EQ(json.take(), R"({
  "text": "a\"\\\u000a�",
  "\\": "\"",
  "some": [
    1,
    2
  ],
  "none": [],
  "empty": {},
  "missing": null,
  "there": true,
  "mixed": [
    18446744073709551615,
    0.5,
    null
  ]
})");
}

}  // namespace
}  // namespace forkmunk::io
