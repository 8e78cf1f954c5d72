#pragma once

#include "file_descriptor.h"

#include <utility>

#include <sys/types.h>

namespace forkmunk::referee {

/// A small process that kills a bot's process group when this process ends, even by SIGKILL, which has no handler. It
/// reads from a pipe of which only this process has the write end; the read returns when the system closes it. The
/// bot's shell sends its group to the guard before anything else, so the bot never runs unguarded.
///
/// A program that forks without exec keeps the pipe open in its children; the guard then waits for them too.
class ProcessGuard {
 public:
  /// Guards nothing.
  ProcessGuard() noexcept = default;
  /// Starts a guard for one bot. \throws Refusal.
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

  /// The pipe that receives the bot's group, as a line.
  [[nodiscard]] const FileDescriptor& lifeline() const noexcept { return lifeline_; }
  /// Ends the guard. Call it before waitpid() of the bot: afterwards the number of its group may be reused.
  void dismiss() noexcept;

 private:
  pid_t pid_ = -1;
  FileDescriptor lifeline_;
};

}  // namespace forkmunk::referee
