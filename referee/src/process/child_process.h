#pragma once

#include "process_guard.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <poll.h>
#include <sys/types.h>

namespace forkmunk::referee {

/// Waits until one of the descriptors is ready. \return false at `until`.
bool wait_for(std::span<pollfd> polled, std::chrono::steady_clock::time_point until);

/// A program in a process group of its own, and pipes to its stdin, stdout and stderr. Nothing here waits for the
/// program unless it says so, whatever the program does. The group ends with us, however we end: a guard sees to that.
/// A grandchild that leaves the group outlives it.
///
/// Only pipes will do: programs that open /dev/stdin cannot do so with a socket.   Thread: one at a time.
class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Bytes of stderr that are kept, the last ones.
  static constexpr std::size_t kErrorBytesMax = 4096;

  /// Runs `/bin/sh -c command_line`. \throws Error if the system refuses; a command that does not exist shows as a
  /// program that ends at once.
  explicit ChildProcess(const std::string& command_line);
  ~ChildProcess() { end(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Queues bytes for its stdin and writes what fits into the pipe.
  void send(std::string_view bytes);
  [[nodiscard]] std::size_t unsent_bytes() const noexcept { return unsent_.size() - sent_; }
  /// Whether a write failed: nobody has its stdin open any more.
  [[nodiscard]] bool input_broken() const noexcept { return input_broken_; }

  /// Its pipes, for wait_for().
  static constexpr std::size_t kPipes = 3;
  using Pipes = std::span<pollfd, kPipes>;
  /// What there is to wait for: something to read or write; or only that nobody has its stdout open any more.
  void watch(Pipes pipes, bool only_hang_up = false) const noexcept;
  /// Moves up to 64 KiB each way, where `pipes` were found ready.
  void exchange(Pipes pipes);

  /// What it wrote to stdout; the caller takes from it what he has used.
  [[nodiscard]] std::string& output() noexcept { return output_text_; }
  /// Whether output() is the last of it: nobody has its stdout open any more, and everything has been read.
  [[nodiscard]] bool output_ended() const noexcept { return !output_.open(); }
  /// Whether nobody has its stdout open any more, perhaps with something left to read.
  [[nodiscard]] bool output_hung_up() const;
  /// The last that it wrote to stderr, as far as it has been read.
  [[nodiscard]] const std::string& error_text() const noexcept { return error_text_; }

  /// Waits for it to exit; reads stderr, and drops what comes from stdout. \return whether it did.
  bool exits(Clock::time_point until);
  /// "exit code 3" or "signal 11". \pre it has been killed or ended, which may be what killed it.
  [[nodiscard]] std::string exit_text() const;

  /// Kills its group at once.
  void kill();
  /// Closes its stdin and gives it half a second to exit, half a second more after a SIGTERM, then kills its group.
  void end();

 private:
  void exchange(Clock::time_point until);
  void flush();
  void read_output();
  void read_errors();

  ProcessGuard guard_;
  pid_t pid_ = -1;  // -1 once it has been waited for; its group cannot be another's before
  int status_ = 0;
  FileDescriptor input_;
  FileDescriptor output_;
  FileDescriptor errors_;
  std::string unsent_;
  std::size_t sent_ = 0;  // bytes at the front of unsent_ that are written
  bool input_broken_ = false;
  std::string output_text_;
  std::string error_text_;
};

}  // namespace forkmunk::referee
