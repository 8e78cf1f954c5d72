// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

/// The comparisons of machine_check with golden results. The parts throw only the library's exceptions.
namespace forkmunk::tests {

struct PartReport {
  std::string name;
  std::string unit;              ///< Of `count`, in the plural.
  long count = 0;                ///< Compared items.
  long different = 0;            ///< Different items.
  std::string first_difference;  ///< Item, result, expected result.

  /// Counts one comparison; calls `describe` for the text of the first difference.
  template <typename Describe>
  void compare(bool equal, Describe describe) {
    ++count;
    if (!equal && ++different == 1) first_difference = describe();
  }
};

/// "0x0123456789abcdef"
[[nodiscard]] std::string hex(std::uint64_t value);

/// Hashes of a million results of each function of strict_math.
[[nodiscard]] PartReport check_mathematics();
/// tests/engine/golden_hashes.h, by both engines in strict arithmetic.
[[nodiscard]] PartReport check_golden_hashes();
/// Generated cars and maps, and evaluators' scores, to the last bit: golden_cars.h, golden_maps.h,
/// golden_scores.h.
[[nodiscard]] PartReport check_numbers();
/// tests/planning/search_signatures.h.
[[nodiscard]] PartReport check_signatures();
/// A file of flat_recordings.h, replayed by both engines: every number by ==. \throws Error if it cannot be read.
[[nodiscard]] PartReport check_recordings(const std::filesystem::path& path);

/// Writes a snapshot of a match in play. \throws Error if the file cannot be written.
void write_snapshot(const std::filesystem::path& path);
/// Continues that match for some hundred ticks and returns the final hash. \throws Error unless the file has its
/// snapshot.
[[nodiscard]] std::uint64_t go_on_from(const std::filesystem::path& path);
/// The same without a file.
[[nodiscard]] std::uint64_t go_on();

}  // namespace forkmunk::tests
