#pragma once

#include <forkmunk/engine/lockstep.h>
#include <forkmunk/formats/recording.h>
#include <forkmunk/replay/verification.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace forkmunk::tools {

/// What `forkmunk verify` found out about one file.
struct FileReport : replay::Verification {
  std::string file;
  std::string error;   ///< Why the file could not be read; then there is no verification.
  double seconds = 0;  ///< Reading included.
};

/// `{"match","tick","value","expected","found"}`, or null.
[[nodiscard]] nlohmann::ordered_json to_json(const std::optional<replay::Mismatch>& mismatch);

/// The JSON that --help describes.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<FileReport>& reports);

/// "tick 812 (tick 12 of match 3: IslandMap, Buggy): cars.1.rear.x: recorded 1.5, replayed 1.25"
[[nodiscard]] std::string describe(const replay::Mismatch& mismatch, const std::string& scene);

/// "they differ first after 12 ticks of match 3: chipmunk has ..., flat has ..."
[[nodiscard]] std::string describe(const engine::EngineDifference& difference);

/// A few lines about a file.
[[nodiscard]] std::string describe(const FileReport& report);

/// Writes the commands by tick_num, in the recordings' own form, and which ticks are ambiguous. \throws Error.
void write_commands(const std::filesystem::path& path, const formats::Recording& recording, const FileReport& report);

/// The last line: how many files and ticks, and what of them is exact.
[[nodiscard]] std::string summarise(const std::vector<FileReport>& reports);

}  // namespace forkmunk::tools
