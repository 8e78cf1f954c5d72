#pragma once

#include "apps/cli/reports/verification_json.h"

#include <forkmunk/engine/testing/lockstep.h>
#include <forkmunk/formats/recording.h>

#include <filesystem>
#include <string>
#include <vector>

namespace forkmunk::tools {

/// "tick 812 (tick 12 of match 3: IslandMap, Buggy): cars.1.rear.x: recorded 1.5, replayed 1.25"
[[nodiscard]] std::string describe(const replay::Mismatch& mismatch, const std::string& scene);

/// "first difference after 12 ticks of match 3: chipmunk has ..., flat has ..."
[[nodiscard]] std::string describe(const engine::EngineDifference& difference);

/// The report of a file, a few lines.
[[nodiscard]] std::string describe(const reports::FileReport& report);

/// Writes the commands by tick_num, in the form of recordings, and the ambiguous ticks. \throws Error if it cannot.
void write_commands(const std::filesystem::path& path, const formats::Recording& recording,
                    const reports::FileReport& report);

/// The last line of the output: numbers of files and ticks, and how many of them are exact.
[[nodiscard]] std::string summarise(const std::vector<reports::FileReport>& reports);

}  // namespace forkmunk::tools
