#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace forkmunk::tools {

/// Progress line of long work on a terminal: label, share done, estimated seconds left. Nothing is printed if stderr is
/// not a terminal, nor in the first second; the destructor erases the line.
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Reports work done of `total`; `detail` names the current item. What the first call reports was done before and
  /// does not count for the seconds left. Cheap: draws at most ten times a second.
  void update(std::size_t done, std::size_t total, std::string_view detail = {});

 private:
  std::string label_;
  bool terminal_;
  bool drawn_ = false;
  std::optional<std::size_t> first_done_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_draw_;
};

}  // namespace forkmunk::tools
