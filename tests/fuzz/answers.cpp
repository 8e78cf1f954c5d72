// SPDX-License-Identifier: MIT
#include "answer_reader.h"
#include "text_input.h"

#include <forkmunk/formats/message.h>

#include <algorithm>

#include <nlohmann/json.hpp>

/// Every plain answer that nlohmann's parser accepts must be accepted, unless a number is too large for simdjson.
namespace forkmunk {
namespace {

using nlohmann::json;
using referee::Answer;

// simdjson refuses integers of more than 64 bits.
bool has_long_number(const std::string& line) {
  std::size_t digits = 0;
  return std::ranges::any_of(line, [&](char c) { return (digits = c >= '0' && c <= '9' ? digits + 1 : 0) >= 19; });
}

bool is_well_formed(const std::string& line) {
  if (line.find('\0') != std::string::npos) return false;  // ends nlohmann's input
  return !line.starts_with("\xEF\xBB\xBF") && json::accept(line);
}

bool is_plain_answer(const json& value) {
  if (!value.is_object() || !value.contains("command") || !value.at("command").is_string()) return false;
  if (value.contains("debug") && !value.at("debug").is_string()) return false;
  return engine::parse_command(value.at("command").get<std::string>()).has_value();
}

void run(const std::string& line) {
  const Answer answer = referee::read_answer(line);
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  tests::require(std::ranges::count_if(answer.debug, is_start) <= static_cast<long>(formats::kDebugCharactersMax),
                 "a debug text is too long");
  const json debug = answer.debug;
  (void)debug.dump();  // throws on invalid UTF-8
  if (!is_well_formed(line) || has_long_number(line)) return;
  const json value = json::parse(line);
  if (!is_plain_answer(value)) return;
  tests::require(answer.kind == Answer::Kind::command, "a plain answer is refused");
  tests::require(to_string(answer.command) == value.at("command").get<std::string>(), "it is another command");
}

}  // namespace
}  // namespace forkmunk

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  forkmunk::run(forkmunk::tests::text_of(data, size));
  return 0;
}
