#pragma once

#include <forkmunk/engine/arithmetic.h>
#include <forkmunk/referee/lockstep.h>
#include <forkmunk/referee/recording.h>
#include <forkmunk/referee/replay.h>
#include <forkmunk/referee/tolerance.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace forkmunk::tools {

/// By which commands a file was replayed.
enum class CommandSource : std::uint8_t { none, recorded, inferred };

/// What `forkmunk verify` found out about one file.
struct FileReport {
  std::string file;
  std::string error;  ///< Why the file could not be read; then nothing else is set.
  std::size_t tick_count = 0;
  std::size_t match_count = 0;
  bool ended = true;  ///< Whether the file has its end_game.
  std::optional<engine::Arithmetic> arithmetic;
  std::string engine;  ///< "chipmunk", "flat" or "both".
  CommandSource commands = CommandSource::none;
  std::optional<referee::ReplayReport> replay;  ///< Bit by bit; nothing with a tolerance.
  std::string first_mismatch_scene;             ///< "IslandMap, Buggy"
  std::optional<std::size_t> wrong_commands;    ///< Inferred ones that are not the file's, if it has them.
  std::size_t ambiguous_ticks = 0;
  std::optional<double> tolerance;
  std::optional<referee::TolerantReplay> followed;  ///< With a tolerance.
  std::vector<std::string> scenes;                  ///< By match, with a tolerance.
  std::optional<referee::CloneReport> clones;       ///< With --clones.
  std::optional<referee::TrackerReport> tracker;    ///< With --tracker.
  std::optional<referee::LockstepReport> lockstep;  ///< With --engine both.
  double seconds = 0;

  /// Whether everything that was asked agrees with the recording.
  [[nodiscard]] bool good() const;
  /// Ticks that differ: in any value, or, with a tolerance, in who is alive or in the deadline.
  [[nodiscard]] std::size_t mismatching_ticks() const;
};

/// `{"match","tick","value","expected","found"}`, or null.
[[nodiscard]] nlohmann::ordered_json to_json(const std::optional<referee::Mismatch>& mismatch);

/// The JSON that --help describes.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<FileReport>& reports);

/// "tick 812 (tick 12 of match 3: IslandMap, Buggy): cars.1.rear.x: recorded 1.5, replayed 1.25"
[[nodiscard]] std::string describe(const referee::Mismatch& mismatch, const std::string& scene);

/// "they differ first after 12 ticks of match 3: chipmunk has ..., flat has ..."
[[nodiscard]] std::string describe(const referee::EngineDifference& difference);

/// A few lines about a file.
[[nodiscard]] std::string describe(const FileReport& report);

/// The last line: how many files and ticks, and what of them is exact.
[[nodiscard]] std::string summarise(const std::vector<FileReport>& reports);

}  // namespace forkmunk::tools
