#pragma once

#include <forkmunk/io/json_writer.h>
#include <forkmunk/replay/replay.h>

#include <optional>

namespace forkmunk::reports {

/// Writes {"match","tick","match_tick","value","expected","found"}, or null. A header of its own, because the page's
/// WebAssembly module uses it too.
inline void write(io::JsonWriter& json, const std::optional<replay::Mismatch>& mismatch) {
  if (!mismatch) {
    json.null();
    return;
  }
  const auto number = [&](const char* key, std::optional<double> value) {
    json.key(key);
    value ? json.number(*value) : json.null();
  };
  json.object([&] {
    json.field("match", mismatch->match).field("tick", mismatch->tick).field("match_tick", mismatch->match_tick);
    json.field("value", mismatch->value);
    number("expected", mismatch->expected);
    number("found", mismatch->found);
  });
}

}  // namespace forkmunk::reports
