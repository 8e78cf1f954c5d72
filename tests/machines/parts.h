#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

/// What machine_check holds against what is on record. Each part throws nothing but what the library throws.
namespace forkmunk::tests {

struct PartReport {
  std::string name;
  std::string unit;              ///< What was counted, in the plural.
  long count = 0;                ///< Compared.
  long different = 0;            ///< Of those.
  std::string first_difference;  ///< What it is, what was found, what was expected.

  /// Compares one thing; `describe` says the difference, if there is one and it is the first.
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
/// Cars and maps that are drawn, and evaluators' scores, to the last bit: golden_cars.h, golden_maps.h,
/// golden_scores.h.
[[nodiscard]] PartReport check_numbers();
/// tests/search/search_signatures.h.
[[nodiscard]] PartReport check_signatures();
/// A file of flat_recordings.h, replayed by both engines: every number by ==. \throws Error if it cannot be read.
[[nodiscard]] PartReport check_recordings(const std::filesystem::path& path);

/// Writes a snapshot of a match in play. \throws Error if the file cannot be written.
void write_snapshot(const std::filesystem::path& path);
/// Goes on from there for some hundred ticks, and returns the hash of the end. \throws Error if it is no such snapshot.
[[nodiscard]] std::uint64_t go_on_from(const std::filesystem::path& path);
/// The same without a file.
[[nodiscard]] std::uint64_t go_on();

}  // namespace forkmunk::tests
