// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/io/json_writer.h>
#include <forkmunk/replay/replay.h>
#include <forkmunk/replay/verification.h>

#include <optional>
#include <string>
#include <vector>

namespace forkmunk::reports {

/// Writes {"match","tick","match_tick","value","expected","found"}, or null. Inline, because the page's WebAssembly
/// module uses it too.
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

/// Writes [{"match","text"}].
inline void write(io::JsonWriter& json, const std::vector<replay::LabelProblem>& problems) {
  json.list(problems, [&](const replay::LabelProblem& problem) {
    json.object([&] { json.field("match", problem.match).field("text", problem.text); });
  });
}

/// Writes {"arithmetic","ticks","mismatching","inferred","first","labels"}, the verdict for the page.
inline void write(io::JsonWriter& json, const replay::Verification& found) {
  json.object([&] {
    json.field("arithmetic", to_string(arithmetic_of(found.physics))).field("ticks", found.tick_count);
    json.field("mismatching", found.mismatching_ticks());
    json.field("inferred", found.commands == replay::CommandSource::inferred);
    write(json.key("first"), found.first_mismatch());
    write(json.key("labels"), found.label_problems);
  });
}

/// The result of `forkmunk verify` for one file.
struct FileReport {
  std::string file;
  /// The reason why the file could not be read; `verification` is then empty.
  std::string error;
  double seconds = 0;  ///< The time, including reading.
  replay::Verification verification;
  std::vector<std::string> scenes;  ///< The names of the matches' maps and cars.

  [[nodiscard]] bool good() const { return error.empty() && verification.good(); }
};

/// Writes an entry of `files`.
void write(io::JsonWriter& json, const FileReport& report);

/// Writes the JSON of `forkmunk verify --json`.
void write(io::JsonWriter& json, const std::vector<FileReport>& reports);

}  // namespace forkmunk::reports
