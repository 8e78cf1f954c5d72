#pragma once

#include "reports/mismatch_json.h"

#include <forkmunk/io/json_writer.h>
#include <forkmunk/replay/verification.h>

#include <optional>
#include <string>
#include <vector>

/// Results of the library as the JSON that the program and the bindings give.
namespace forkmunk::reports {

/// The result of `forkmunk verify` for one file.
struct FileReport {
  std::string file;
  std::string error;   ///< Why the file could not be read; then there is no verification.
  double seconds = 0;  ///< Reading included.
  replay::Verification verification;
  std::vector<std::string> label_problems;  ///< Where `matches` or an external id contradicts a match's setup.

  [[nodiscard]] bool good() const { return error.empty() && verification.good() && label_problems.empty(); }
};

/// One of `files`.
void write(io::JsonWriter& json, const FileReport& report);

/// The JSON that `forkmunk verify --help` describes.
void write(io::JsonWriter& json, const std::vector<FileReport>& reports);

}  // namespace forkmunk::reports
