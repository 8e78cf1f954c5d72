// SPDX-License-Identifier: MIT
#include "answer_reader.h"

#include <gtest/gtest.h>

namespace forkmunk::referee {
namespace {

using engine::Command;
using Kind = Answer::Kind;

std::string repeated(std::string_view piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

TEST(AnswerReader, TakesTheThreeCommands) {
  EXPECT_EQ(read_answer(R"({"command":"left"})").command, Command::left);
  EXPECT_EQ(read_answer(R"({"command":"right"})").command, Command::right);
  EXPECT_EQ(read_answer(R"({"command":"stop"})").command, Command::stop);
  for (const std::string line : {
           R"({"command":"left"})",
           " \t{ \"command\" :\r \"left\" } \r",
           R"({"command":"left","debug":""})",
           R"({"debug":"why not","command":"left"})",
           R"({"command":"right","command":"left"})",
           R"({"\u0063ommand":"le\u0066t"})",
           R"({"a":{"command":"right"},"command":"left","b":[{"command":"stop"}]})",
           R"({"command":"left","n":[1e308,-0.5E+3,0,-0,-9223372036854775808,18446744073709551615]})",
           R"({"command":"left","t":[true,false,null,"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00",[],{},[[]],{"":{}}]})",
       }) {
    const Answer answer = read_answer(line);
    EXPECT_EQ(answer.kind, Kind::command) << line;
    EXPECT_EQ(answer.command, Command::left) << line;
    EXPECT_TRUE(answer.verdict.empty()) << line;
  }
}

TEST(AnswerReader, AnObjectWithoutACommandIsGarbled) {
  for (const std::string line : {R"({"command":"up"})", R"({"command":"LEFT"})", R"({"command":"left "})",
                                 R"({"command":""})", R"({"debug":"x"})", R"({"command":null})", R"({"command":1})",
                                 R"({"command":["left"]})", R"({"command":"left","command":"up"})"}) {
    EXPECT_EQ(read_answer(line).kind, Kind::garbled) << line;
  }
  EXPECT_EQ(read_answer(R"({"command":"up","debug":"still heard"})").debug, "still heard");
}

TEST(AnswerReader, InvalidJsonIsGarbled) {
  for (const std::string line : {
           "",
           " ",
           "left",
           "{",
           "}",
           R"({"command":"left")",
           R"({"command":"left"}})",
           R"({"command":"left"} x)",
           R"({"command":"left",})",
           R"({"command":"left" "debug":""})",
           R"({"command" "left"})",
           R"({command:"left"})",
           R"({'command':'left'})",
           R"({"command":"left","n":01})",
           R"({"command":"left","n":1.})",
           R"({"n":.5})",
           R"({"command":"left","n":-})",
           R"({"command":"left","n":1e})",
           R"({"command":"left","n":+1})",
           R"({"command":"left","n":-NaN})",
           // Python's json module accepts these.
           R"({"command":"left","n":NaN})",
           R"({"command":"left","n":[Infinity,-Infinity]})",
           R"({"command":"left","n":1e999})",
           R"({"command":"left","n":123456789012345678901234567890})",
           R"({"command":"left","s":"\ud800"})",
           "NaN",
           R"({"command":"left","n":nul})",
           R"({"command":"left","n":True})",
           R"({"command":"left","n":[1,]})",
           R"({"command":"left","n":[1 2]})",
           R"({"command":"left","n":[1})",
           R"({"command":"left","n":{"a"}})",
           R"({"command":"left","n":{1:2}})",
           R"({"command":"left","n":{"a":1,}})",
           R"({"command":"left","s":"\x"})",
           R"({"command":"left","s":"\u12g4"})",
           R"({"command":"left","s":"\u12"})",
           R"({"command":"left","s":"open})",
           R"({"command":"left","s":"\)",
           R"({"debug":5)",
           "[1",
           "\"open",
           "nullx",
           "\xef\xbb\xbf{\"command\":\"left\"}",
           "{\"command\":\"left\",\"s\":\"\xff\"}",
           "{\"command\":\"left\",\"s\":\"\xed\xa0\x80\"}",  // a surrogate
           "{\"command\":\"left\",\"s\":\"\t\"}",
           "{\"command\":\"left\",\"s\":\"\t1}",
           "{\"command\":\"left\",\"s\":\"\\xnull}",
       }) {
    EXPECT_EQ(read_answer(line).kind, Kind::garbled) << line;
  }
  EXPECT_EQ(read_answer(std::string_view("{\"command\":\"left\"}\0", 19)).kind, Kind::garbled);
}

TEST(AnswerReader, AnswersThatTheRunnerFailsOnAreGone) {
  const std::pair<std::string, std::string> cases[] = {
      {"{}", "answered an empty object"},
      {" { } ", "answered an empty object"},
      {"[]", "answered a list, not an object"},
      {R"([{"command":"left"}])", "answered a list, not an object"},
      {"\"left\"", "answered text, not an object"},
      {"5", "answered a number, not an object"},
      {"null", "answered null, not an object"},
      {"true", "answered true or false, not an object"},
      {R"({"command":"left","debug":5})", "its debug is a number, not text"},
      {R"({"command":"up","debug":-1e3})", "its debug is a number, not text"},
      {R"({"debug":{}})", "its debug is an object, not text"},
      {R"({"command":"left","debug":null})", "its debug is null, not text"},
      {R"({"command":"left","debug":false})", "its debug is true or false, not text"},
      {R"({"debug":"x","debug":5,"command":"left"})", "its debug is a number, not text"},
  };
  for (const auto& [line, verdict] : cases) {
    const Answer answer = read_answer(line);
    EXPECT_EQ(answer.kind, Kind::gone) << line;
    EXPECT_EQ(answer.verdict, verdict) << line;
  }
}

TEST(AnswerReader, DebugIsCutByCharacters) {
  const auto debug = [](const std::string& json) {
    return read_answer(R"({"command":"left","debug":)" + json + "}").debug;
  };
  EXPECT_EQ(debug(R"("a\"\\\/\b\f\n\r\tz")"), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(debug(R"("\u0041\u00e9\u20ac\ud83d\ude00")"), "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(debug(R"("\u0000")"), std::string(1, '\0'));
  EXPECT_EQ(debug(R"(["a list can be sliced"])"), "");
  EXPECT_EQ(debug('"' + repeated("x", 200) + '"'), repeated("x", 200));
  for (const std::string character : {"x", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
    EXPECT_EQ(debug('"' + repeated(character, 500) + '"'), repeated(character, 200));
  }
  EXPECT_EQ(debug('"' + repeated(R"(\u00e9)", 500) + '"'), repeated("\xc3\xa9", 200));
  EXPECT_EQ(debug('"' + repeated(R"(\ud83d\ude00)", 201) + '"'), repeated("\xf0\x9f\x98\x80", 200));
}

TEST(AnswerReader, TakesAnyDepth) {
  const std::size_t depth = 30'000;
  const std::string lists = repeated("[", depth) + repeated("]", depth);
  const std::string objects = repeated(R"({"a":)", depth) + "1" + repeated("}", depth);
  EXPECT_EQ(read_answer(R"({"a":)" + lists + R"(,"command":"stop"})").kind, Kind::command);
  EXPECT_EQ(read_answer(R"({"a":)" + objects + R"(,"command":"stop"})").kind, Kind::command);
  EXPECT_EQ(read_answer(lists).kind, Kind::gone);
  EXPECT_EQ(read_answer(lists.substr(1)).kind, Kind::garbled);
  EXPECT_EQ(read_answer(repeated("[", depth)).kind, Kind::garbled);
}

// Truncated lines have no command; reads stay inside.
TEST(AnswerReader, SurvivesDamage) {
  const std::string line =
      R"({"command":"left","debug":"é\u20ac\ud83d\ude00\n","x":[1.5e-3,-7,null,{"y":[true,"\\"]}]})";
  ASSERT_EQ(read_answer(line).kind, Kind::command);
  for (std::size_t size = 0; size < line.size(); ++size) {
    const std::string cut = line.substr(0, size);
    EXPECT_EQ(read_answer(cut).kind, Kind::garbled) << cut;
  }
  for (std::size_t at = 0; at < line.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string damaged = line;
      damaged[at] = static_cast<char>(byte);
      const Answer answer = read_answer(damaged);
      EXPECT_EQ(answer.verdict.empty(), answer.kind != Kind::gone) << damaged;
    }
  }
}

}  // namespace
}  // namespace forkmunk::referee
