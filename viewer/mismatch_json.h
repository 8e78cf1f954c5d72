#pragma once

#include <forkmunk/io/json_writer.h>
#include <forkmunk/replay/replay.h>

#include <optional>

namespace forkmunk::viewer {

/// {"match","tick","value","expected","found"} as the page reads it, the tick counted from the match's start; or null.
inline io::JsonWriter& write_mismatch(io::JsonWriter& json, const std::optional<replay::Mismatch>& mismatch) {
  if (!mismatch) return json.text("null");
  const auto number = [&](std::optional<double> value) { value ? json.number(*value) : json.text("null"); };
  json.text(R"({"match":)").number(static_cast<double>(mismatch->match));
  json.field("tick", static_cast<double>(mismatch->match_tick)).text(R"(,"value":)").quoted(mismatch->value);
  number((json.text(R"(,"expected":)"), mismatch->expected));
  number((json.text(R"(,"found":)"), mismatch->found));
  return json.text("}");
}

}  // namespace forkmunk::viewer
