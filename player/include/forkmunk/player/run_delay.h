#pragma once

#include <chrono>

namespace forkmunk::player {

/// How long this process was ready to run and did not, as Linux counts it: on a busy machine a line waits before it is
/// read, and the referee's clock runs. Always 0 where the system does not say.
class RunDelay {
 public:
  RunDelay();
  ~RunDelay();
  RunDelay(const RunDelay&) = delete;
  RunDelay& operator=(const RunDelay&) = delete;

  /// Since the process began.
  [[nodiscard]] std::chrono::nanoseconds total() const;

 private:
  int descriptor_;  // negative: the system does not say
};

}  // namespace forkmunk::player
