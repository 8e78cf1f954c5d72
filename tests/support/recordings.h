// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

namespace forkmunk::tests {

inline const std::array<std::filesystem::path, 2> kRecordingFolders{FORKMUNK_TEST_DATA "/recorded",
                                                                    FORKMUNK_CARRIED_DATA};

/// `name` is e.g. "strict_build/game09.visio.gz".
inline std::filesystem::path recorded(std::string_view name) {
  for (const std::filesystem::path& folder : kRecordingFolders) {
    if (std::filesystem::exists(folder / name)) return folder / name;
  }
  throw std::filesystem::filesystem_error("no such recording", std::filesystem::path(name),
                                          std::make_error_code(std::errc::no_such_file_or_directory));
}

inline std::vector<std::filesystem::path> all_recorded() {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& folder : kRecordingFolders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().string().ends_with(".visio.gz")) files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace forkmunk::tests
