// SPDX-License-Identifier: MIT
#include "answer_reader.h"

#include <forkmunk/formats/message.h>
#include <forkmunk/io/json_reader.h>  // includes simdjson with the same macro everywhere

#include <optional>

namespace forkmunk::referee {
namespace {

using simdjson::dom::element_type;

// A line within the limit (process_bot.h) cannot open more brackets.
constexpr std::size_t kDepthMax = 65536;

std::string_view to_string(element_type type) {
  switch (type) {
    case element_type::OBJECT: return "an object";
    case element_type::ARRAY: return "a list";
    case element_type::STRING: return "text";
    case element_type::BOOL: return "true or false";
    case element_type::NULL_VALUE: return "null";
    default: return "a number";
  }
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool continues = (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
    if (!continues && count-- == 0) break;
  }
  return text.substr(0, at);
}

Answer garbled() { return {Answer::Kind::garbled, engine::Command::stop, {}, {}}; }
Answer gone(std::string verdict) { return {Answer::Kind::gone, engine::Command::stop, {}, std::move(verdict)}; }

}  // namespace

Answer read_answer(std::string_view line) {
  if (line.starts_with("\xEF\xBB\xBF")) return garbled();  // simdjson skips a byte order mark, Python's json does not
  thread_local simdjson::dom::parser parser;
  if (parser.max_depth() < kDepthMax && parser.allocate(simdjson::SIMDJSON_PADDING, kDepthMax)) return garbled();
  simdjson::dom::element root;
  if (parser.parse(line.data(), line.size()).get(root)) return garbled();
  simdjson::dom::object object;
  if (root.get(object)) return gone("answered " + std::string(to_string(root.type())) + ", not an object");
  if (object.size() == 0) return gone("answered an empty object");
  std::optional<simdjson::dom::element> command, debug;
  for (const auto& [key, value] : object) {
    if (key == "command") command = value;
    if (key == "debug") debug = value;
  }
  Answer answer = garbled();
  if (debug) {
    if (debug->is_string()) {
      answer.debug = first_characters(debug->get_string().value_unsafe(), formats::kDebugCharactersMax);
    } else if (!debug->is_array()) {
      return gone("its debug is " + std::string(to_string(debug->type())) + ", not text");
    }
  }
  if (!command || !command->is_string()) return answer;
  if (const auto parsed = engine::parse_command(command->get_string().value_unsafe())) {
    answer.kind = Answer::Kind::command;
    answer.command = *parsed;
  }
  return answer;
}

}  // namespace forkmunk::referee
