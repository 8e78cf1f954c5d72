// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/io/files.h>

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <poll.h>
#include <sys/types.h>

namespace forkmunk::referee {

using io::FileDescriptor;

/// A small process that kills a bot's process group when this process ends, even by SIGKILL. It reads from a pipe whose
/// write end only this process has. The bot's shell first sends its group to the guard, so the bot never runs
/// unguarded. Children that this process forks without exec keep the pipe open and the guard waiting.
class ProcessGuard {
 public:
  /// \throws std::system_error.
  ProcessGuard();
  ProcessGuard(const ProcessGuard&) = delete;
  ProcessGuard& operator=(const ProcessGuard&) = delete;
  ~ProcessGuard() { dismiss(); }

  /// Returns the pipe that receives the bot's group, as a line.
  [[nodiscard]] const FileDescriptor& lifeline() const noexcept { return lifeline_; }
  /// Call this before waitpid() of the bot, after which the number of its group may be reused.
  void dismiss() noexcept;

 private:
  pid_t pid_ = -1;
  FileDescriptor lifeline_;
};

/// \return false at `until`.
bool wait_for(std::span<pollfd> polled, std::chrono::steady_clock::time_point until);

/// A program in its own process group, with pipes to its stdin, stdout and stderr. Functions do not wait for the
/// program unless documented. A ProcessGuard kills the group; grandchildren that leave the group survive.
///
/// Programs cannot open /dev/stdin on a socket, so these are pipes.   Thread: one at a time.
class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// The kept end of stderr.
  static constexpr std::size_t kErrorBytesMax = 4096;

  /// Runs `/bin/sh -c command_line`. \throws Error if a system call fails. A command that does not exist ends at once.
  explicit ChildProcess(const std::string& command_line);
  ~ChildProcess() { end(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Queues bytes for stdin, and writes as many as fit into the pipe.
  void send(std::string_view bytes);
  [[nodiscard]] std::size_t unsent_bytes() const noexcept { return unsent_.size() - sent_; }
  /// A write failed because no process has stdin open.
  [[nodiscard]] bool input_broken() const noexcept { return input_broken_; }

  static constexpr std::size_t kPipes = 3;
  using Pipes = std::span<pollfd, kPipes>;
  /// Sets the events to wait for: ready pipes, or only that no process has stdout open.
  void watch(Pipes pipes, bool only_hang_up = false) const noexcept;
  /// Transfers up to 64 KiB per pipe that is ready in `pipes`.
  void exchange(Pipes pipes);

  /// The caller erases the part that it has consumed.
  [[nodiscard]] std::string& output() noexcept { return output_text_; }
  /// Lines of stdout that were dropped as the program exited.
  [[nodiscard]] std::size_t dropped_lines() const noexcept { return dropped_lines_; }
  /// No process has stdout open, and all of it has been read.
  [[nodiscard]] bool output_ended() const noexcept { return !output_.open(); }
  /// No process has stdout open. Unread output may be left.
  [[nodiscard]] bool output_hung_up() const;
  [[nodiscard]] const std::string& error_text() const noexcept { return error_text_; }

  /// Reads stderr and drops stdout. \return whether the program has exited.
  bool exits(Clock::time_point until);
  /// Returns "exit code 3" or "signal 11". \pre kill() or end() was called; it may have sent the signal.
  [[nodiscard]] std::string exit_text() const;

  void kill();
  /// Closes stdin and waits half a second for the exit, then half a second more after a SIGTERM, then kills the group.
  void end();

 private:
  void exchange(Clock::time_point until);
  void drop_output();
  void flush();
  void read_output();
  void read_errors();

  ProcessGuard guard_;
  // Set to -1 by waitpid(), after which the number of the group may be reused.
  pid_t pid_ = -1;
  int status_ = 0;
  FileDescriptor input_;
  FileDescriptor output_;
  FileDescriptor errors_;
  std::string unsent_;
  std::size_t sent_ = 0;  // bytes of unsent_
  bool input_broken_ = false;
  std::string output_text_;
  std::size_t dropped_lines_ = 0;
  std::string error_text_;
};

}  // namespace forkmunk::referee
