#pragma once

#include "apps/cli/reports/mismatch_json.h"

#include <forkmunk/io/json_writer.h>
#include <forkmunk/replay/verification.h>

#include <optional>
#include <string>
#include <vector>

/// Results of the library as the JSON of the program and of the bindings.
namespace forkmunk::reports {

/// The result of `forkmunk verify` for one file.
struct FileReport {
  std::string file;
  std::string error;   ///< Why the file could not be read; `verification` is then empty.
  double seconds = 0;  ///< Including reading.
  replay::Verification verification;
  std::vector<std::string> label_problems;  ///< Where `matches` or an external id contradicts a match's setup.

  [[nodiscard]] bool good() const { return error.empty() && verification.good() && label_problems.empty(); }
};

/// Writes an entry of `files`.
void write(io::JsonWriter& json, const FileReport& report);

/// Writes the JSON of `forkmunk verify --json`.
void write(io::JsonWriter& json, const std::vector<FileReport>& reports);

}  // namespace forkmunk::reports
