// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace forkmunk::tests {

struct PartReport {
  std::string name;
  std::string unit;  ///< The plural of an item.
  long count = 0;
  long different = 0;
  std::string first_difference;  ///< Item, result, expected result.

  /// Counts a comparison; `describe` returns the first difference.
  template <typename Describe>
  void compare(bool equal, Describe describe) {
    ++count;
    if (!equal && ++different == 1) first_difference = describe();
  }
};

[[nodiscard]] std::string hex(std::uint64_t value);

/// Hashes a million results of each function.
[[nodiscard]] PartReport check_mathematics();
/// Compares golden_hashes.h with both engines.
[[nodiscard]] PartReport check_golden_hashes();
/// Compares golden_cars.h, golden_maps.h and golden_scores.h.
[[nodiscard]] PartReport check_numbers();
[[nodiscard]] PartReport check_signatures();
/// Replays a file of flat_recordings.h by both engines. \throws Error if the file cannot be read.
[[nodiscard]] PartReport check_recordings(const std::filesystem::path& path);

/// Writes a snapshot of a match in play. \throws Error if the file cannot be written.
void write_snapshot(const std::filesystem::path& path);
/// Continues the match and returns the final hash. \throws Error unless the file has its snapshot.
[[nodiscard]] std::uint64_t go_on_from(const std::filesystem::path& path);
/// Continues the match without a file.
[[nodiscard]] std::uint64_t go_on();

}  // namespace forkmunk::tests
