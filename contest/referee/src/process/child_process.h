// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <poll.h>
#include <spawn.h>
#include <sys/types.h>

namespace forkmunk::referee {

/// Owns a file descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) noexcept : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~FileDescriptor() { reset(); }

  [[nodiscard]] int get() const noexcept { return fd_; }  ///< -1: closed; poll() ignores it.
  [[nodiscard]] bool open() const noexcept { return fd_ >= 0; }
  void reset(int fd = -1) noexcept;

 private:
  int fd_;
};

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

/// A failed system call.
struct Refusal {
  const char* call;
  int error;
};

/// \throws Refusal unless `error` is 0.
void check_call(int error, const char* call);

/// Both ends are close-on-exec, and above the numbers that are used for a program's stdin, stdout and stderr.
struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};
[[nodiscard]] Pipe make_pipe();

/// Arguments of posix_spawn: /bin/sh in a process group of its own, with default signal handling, whatever this process
/// blocks or ignores. All functions throw Refusal.
class SpawnPlan {
 public:
  SpawnPlan();
  ~SpawnPlan();
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void copy(const FileDescriptor& from, int to);
  void open_null(int fd);
  /// Runs `/bin/sh -c ARGUMENTS...`; it inherits no descriptor above `last_descriptor`.
  [[nodiscard]] pid_t run(std::initializer_list<std::string> arguments, int last_descriptor);

 private:
  void close_from(int first);

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

/// Waits until a descriptor is ready. \return false at `until`.
bool wait_for(std::span<pollfd> polled, std::chrono::steady_clock::time_point until);

/// A program in a process group of its own, with pipes to its stdin, stdout and stderr. Functions do not wait for the
/// program unless documented. A guard process kills the group when this process ends in any way; grandchildren that
/// leave the group survive.
///
/// Pipes, not sockets: programs cannot open /dev/stdin on a socket.   Thread: one at a time.
class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// The last bytes of stderr that are kept.
  static constexpr std::size_t kErrorBytesMax = 4096;

  /// Runs `/bin/sh -c command_line`. \throws Error if a system call fails. A command that does not exist is a program
  /// that ends at once.
  explicit ChildProcess(const std::string& command_line);
  ~ChildProcess() { end(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Queues bytes for its stdin and writes as many as fit into the pipe.
  void send(std::string_view bytes);
  [[nodiscard]] std::size_t unsent_bytes() const noexcept { return unsent_.size() - sent_; }
  /// Whether a write failed because no process has its stdin open.
  [[nodiscard]] bool input_broken() const noexcept { return input_broken_; }

  /// Its pipes, for wait_for().
  static constexpr std::size_t kPipes = 3;
  using Pipes = std::span<pollfd, kPipes>;
  /// Sets the events to wait for: readable or writable pipes; or only that no process has its stdout open.
  void watch(Pipes pipes, bool only_hang_up = false) const noexcept;
  /// Transfers up to 64 KiB per pipe that is ready in `pipes`.
  void exchange(Pipes pipes);

  /// Its stdout so far; the caller erases the part that it has consumed.
  [[nodiscard]] std::string& output() noexcept { return output_text_; }
  /// Lines of its stdout that were dropped unread, as it exited.
  [[nodiscard]] std::size_t dropped_lines() const noexcept { return dropped_lines_; }
  /// Whether no process has its stdout open and all of it has been read.
  [[nodiscard]] bool output_ended() const noexcept { return !output_.open(); }
  /// Whether no process has its stdout open; unread output may be left.
  [[nodiscard]] bool output_hung_up() const;
  /// The end of its stderr, as far as it has been read.
  [[nodiscard]] const std::string& error_text() const noexcept { return error_text_; }

  /// Waits for it to exit; reads stderr and drops stdout. \return whether it exited.
  bool exits(Clock::time_point until);
  /// "exit code 3" or "signal 11". \pre kill() or end() was called; the signal may be theirs.
  [[nodiscard]] std::string exit_text() const;

  /// Kills its group at once.
  void kill();
  /// Closes its stdin and gives it half a second to exit, half a second more after a SIGTERM, then kills its group.
  void end();

 private:
  void exchange(Clock::time_point until);
  void drop_output();
  void flush();
  void read_output();
  void read_errors();

  ProcessGuard guard_;
  pid_t pid_ = -1;  // -1 after waitpid(); before that the number of its group is not reused
  int status_ = 0;
  FileDescriptor input_;
  FileDescriptor output_;
  FileDescriptor errors_;
  std::string unsent_;
  std::size_t sent_ = 0;  // written bytes at the front of unsent_
  bool input_broken_ = false;
  std::string output_text_;
  std::size_t dropped_lines_ = 0;
  std::string error_text_;
};

}  // namespace forkmunk::referee
