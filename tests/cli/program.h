// SPDX-License-Identifier: MIT
#pragma once

#include "support/recordings.h"

#include <forkmunk/io/recording_reader.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

namespace forkmunk::tests {

inline const std::string kStrictGame = "strict_build/game04.visio.gz";

inline const std::string kHolds = "--first builtin:hold --second builtin:hold --matches PillMap,Bus";

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline const std::filesystem::path& scratch() {
  struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("forkmunk_tests_" + std::to_string(getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
  };
  static const Folder folder;
  return folder.path;
}

inline Outcome run_in(const std::string& environment, const std::string& arguments) {
  const auto out = scratch() / "out";
  const auto err = scratch() / "err";
  const std::string line = environment + ' ' + FORKMUNK_PROGRAM + ' ' + arguments + " >" + out.string() + " 2>" +
                           err.string() + " </dev/null";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read_text(out), read_text(err)};
}

inline Outcome run(const std::string& arguments) { return run_in("", arguments); }

/// Runs a shell script, which may redirect its streams; $F is the program, $S the scratch folder.
inline Outcome run_shell(const std::string& line) {
  const auto script = scratch() / "script";
  std::ofstream(script) << "F=" << FORKMUNK_PROGRAM << "\nS=" << scratch().string() << "\n" << line << '\n';
  const auto out = scratch() / "shell_out";
  const auto err = scratch() / "shell_err";
  const int status =
      std::system(("sh " + script.string() + " >" + out.string() + " 2>" + err.string() + " </dev/null").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), read_text(out), read_text(err)};
}

/// Copies a device, or links to it where a copy is forbidden: root would replace the machine's own device.
inline std::filesystem::path device_like(const std::string& path) {
  const std::filesystem::path mine = scratch() / std::filesystem::path(path).filename();
  struct stat status {};
  const bool made = stat(path.c_str(), &status) == 0 && mknod(mine.c_str(), S_IFCHR | 0666, status.st_rdev) == 0;
  if (made && std::ofstream(mine).is_open()) return mine;
  std::filesystem::remove(mine);
  std::filesystem::create_symlink(path, mine);
  return mine;
}

inline nlohmann::ordered_json load_file(const std::filesystem::path& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  std::string text;
  char buffer[1 << 16];
  for (int read = 0; (read = gzread(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(read));
  gzclose(file);
  return nlohmann::ordered_json::parse(text);
}

inline nlohmann::ordered_json load(const std::string& name) { return load_file(recorded(name)); }

inline std::string store(const nlohmann::ordered_json& recording, const std::string& name = "damaged.json") {
  const auto path = scratch() / name;
  std::ofstream(path) << recording.dump();
  return path.string();
}

/// Returns the index of the `tick`th tick event in visio_info, and its match from 0.
inline std::pair<std::size_t, int> find_tick(const nlohmann::ordered_json& recording, int tick) {
  int match = -1;
  const auto& events = recording["visio_info"];
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i]["type"] == "new_match") ++match;
    if (events[i]["type"] == "tick" && tick-- == 0) return {i, match};
  }
  throw std::out_of_range("the recording has fewer ticks");
}

}  // namespace forkmunk::tests
