#pragma once

#include <forkmunk/io/json_writer.h>
#include <forkmunk/replay/replay.h>

#include <optional>

namespace forkmunk::viewer {

/// {"match","tick","value","expected","found"} as the page reads it, the tick counted from the match's start; or null.
inline void write_mismatch(io::JsonWriter& json, const std::optional<replay::Mismatch>& mismatch) {
  if (!mismatch) {
    json.null();
    return;
  }
  const auto number = [&](std::optional<double> value) { value ? json.number(*value) : json.null(); };
  json.object([&] {
    json.field("match", mismatch->match).field("tick", mismatch->match_tick).field("value", mismatch->value);
    number((json.key("expected"), mismatch->expected));
    number((json.key("found"), mismatch->found));
  });
}

}  // namespace forkmunk::viewer
