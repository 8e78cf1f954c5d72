#pragma once

#include "file_descriptor.h"

#include <utility>

#include <sys/types.h>

namespace forkmunk::referee {

/// A small process that kills a bot's process group when we have died, of whatever: of SIGKILL too, which no handler
/// sees. It waits at a pipe that only we hold open; when the system closes that for us, it wakes. The bot tells it its
/// group before it does anything else, so there is no moment in which it runs unguarded.
///
/// A program that forks without exec keeps the pipe open in its children, and the guard waits for them too.
class ProcessGuard {
 public:
  /// Nothing is guarded.
  ProcessGuard() noexcept = default;
  /// Starts one, for one bot. \throws Refusal.
  static ProcessGuard start();
  ProcessGuard(ProcessGuard&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)), lifeline_(std::move(other.lifeline_)) {}
  ProcessGuard& operator=(ProcessGuard&& other) noexcept {
    dismiss();
    pid_ = std::exchange(other.pid_, -1);
    lifeline_ = std::move(other.lifeline_);
    return *this;
  }
  ~ProcessGuard() { dismiss(); }

  /// Where the bot's group is written to, as a line.
  [[nodiscard]] const FileDescriptor& lifeline() const noexcept { return lifeline_; }
  /// Ends it. To be called before the bot is waited for: after that its number may be another process's.
  void dismiss() noexcept;

 private:
  pid_t pid_ = -1;
  FileDescriptor lifeline_;
};

}  // namespace forkmunk::referee
