#pragma once

#include "progress.h"
#include "verify_report.h"

#include <filesystem>
#include <optional>
#include <string>

namespace forkmunk::tools {

/// What `forkmunk verify` was asked to do with each file.
struct VerifyOptions {
  std::optional<engine::Arithmetic> arithmetic;  ///< Nothing: the one that fits the first ticks.
  std::string engine = "auto";                   ///< "auto", "chipmunk", "flat" or "both".
  std::optional<double> tolerance;               ///< Set: follow the recording within it instead of exactly.
  bool ignore_commands = false;                  ///< Infer them even if the file has them.
  bool clones = false;                           ///< Also the clone test.
  bool tracker = false;                          ///< Also the tracker test.
};

/// Reads and replays one file, and writes its commands to `commands_file` if that is not empty.
/// A file that cannot be read is reported, not thrown. \throws Error if the commands cannot be written.
[[nodiscard]] FileReport verify_file(const VerifyOptions& options, const std::string& file,
                                     const std::filesystem::path& commands_file, Progress& progress);

}  // namespace forkmunk::tools
