#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace forkmunk::tools {

/// One line on the terminal about long work: what, how far, how long still. Silent where stderr is no terminal and for
/// the first second; it wipes itself away at the end.
class Progress {
 public:
  explicit Progress(std::string label);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Work done so far, of `total`; `detail` says what is under way. Cheap: draws at most ten times a second.
  void update(std::size_t done, std::size_t total, std::string_view detail = {});

 private:
  std::string label_;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_draw_;
};

}  // namespace forkmunk::tools
