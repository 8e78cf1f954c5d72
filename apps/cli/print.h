// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/build_info.h>
#include <forkmunk/io/json_writer.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace forkmunk::cli {

using WriteJson = std::function<void(io::JsonWriter& json)>;

/// Returns the JSON that `write` writes, indented.
[[nodiscard]] std::string json_text(const WriteJson& write);
void print_json(const WriteJson& write);

/// Writes the description of the build that `doctor` and `bench` share.
void write_build(io::JsonWriter& json, const BuildInfo& build);

/// Prints "WHO: PROBLEM", one line of less than 400 bytes, on stderr.
void complain(std::string_view problem, std::string_view who = "forkmunk");

/// Silences stdout and complain(), in a process of a job whose rank 0 prints.
void be_quiet();

/// The progress line of long work on a terminal: label, share done, estimated seconds left. Nothing is printed if
/// stderr is not a terminal, nor in the first second. The destructor erases the line.
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Reports that `done` of `total` items are done; `detail` names the current item. The items that the first call
  /// reports do not count for the estimate of the seconds left. Cheap: draws at most ten times a second.
  void update(std::size_t done, std::size_t total, std::string_view detail = {});

 private:
  std::string label_;
  bool terminal_;
  bool drawn_ = false;
  std::optional<std::size_t> first_done_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_draw_;
};

}  // namespace forkmunk::cli
