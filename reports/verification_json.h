#pragma once

#include <forkmunk/replay/verification.h>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

/// What the library found out, as the JSON that the program and the bindings give.
namespace forkmunk::reports {

/// What `forkmunk verify` found out about one file.
struct FileReport : replay::Verification {
  std::string file;
  std::string error;   ///< Why the file could not be read; then there is no verification.
  double seconds = 0;  ///< Reading included.
};

/// `{"match","tick","value","expected","found"}`, or null.
[[nodiscard]] nlohmann::ordered_json to_json(const std::optional<replay::Mismatch>& mismatch);

/// One of `files`.
[[nodiscard]] nlohmann::ordered_json to_json(const FileReport& report);

/// The JSON that `forkmunk verify --help` describes.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<FileReport>& reports);

}  // namespace forkmunk::reports
