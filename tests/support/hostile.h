// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

namespace forkmunk::tests {

/// Input that once broke the program, e.g. "recording/no_ticks.json".
inline std::filesystem::path hostile(std::string_view name) {
  return std::filesystem::path(FORKMUNK_TEST_DATA).parent_path() / "fuzz/regressions" / name;
}

}  // namespace forkmunk::tests
