#pragma once

#include <forkmunk/engine/arithmetic.h>
#include <forkmunk/referee/recording.h>
#include <forkmunk/referee/replay.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace forkmunk::tools {

/// What `forkmunk verify` found out about one file.
struct FileReport {
  std::string file;
  std::string error;  ///< Why the file could not be read; then nothing else is set.
  std::size_t tick_count = 0;
  std::size_t match_count = 0;
  bool ended = true;  ///< Whether the file has its end_game.
  /// Nothing if the file has no commands: then there is no replay.
  std::optional<engine::Arithmetic> arithmetic;
  std::optional<referee::ReplayReport> replay;
  std::optional<referee::CloneReport> clones;  ///< With --clones.
  std::string first_mismatch_scene;            ///< "IslandMap, Buggy"
  double seconds = 0;

  /// Whether the replay, and the clone test if there was one, agree with the recording everywhere.
  [[nodiscard]] bool exact() const;
};

/// `{"match","tick","value","expected","found"}`, or null.
[[nodiscard]] nlohmann::ordered_json to_json(const std::optional<referee::Mismatch>& mismatch);

/// The JSON of design and --help.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<FileReport>& reports);

/// "tick 812 (12 of match 3, IslandMap, Buggy): cars.1.rear.x: recorded 1.5, replayed 1.25"
[[nodiscard]] std::string describe(const referee::Mismatch& mismatch, const std::string& scene);

/// A line or two about a file.
[[nodiscard]] std::string describe(const FileReport& report);

/// The last line: how many files and ticks, and what of them is exact.
[[nodiscard]] std::string summarise(const std::vector<FileReport>& reports);

}  // namespace forkmunk::tools
