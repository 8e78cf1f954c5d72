// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>

#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace forkmunk::io {

/// Opens closed descriptors of stdin, stdout and stderr, so that no file opened later gets their numbers and their
/// output. Reading a closed stdin and writing a closed stdout still fail. A closed stderr drops its output. Call this
/// first in main().
void secure_standard_streams() noexcept;

/// Flushes stdout. \param error  the errno of an earlier failed print, if known, because stdio does not store it.
/// \throws Error if any output since the start of the program was lost.
void flush_stdout(int error = 0);

/// Call this after the last line of stdin. \throws Error if reading ended by an error.
void check_stdin();

/// Returns the path for messages, or "stdin" for "-".
[[nodiscard]] std::string input_name(const std::string& path);

/// Reads all bytes of a file or pipe; "-" is stdin. Opening a named pipe blocks until a process writes to it. \throws
/// Error with the path, also for more than `size_max` bytes, of which at most one chunk more is read.
[[nodiscard]] std::string read_file(const std::string& path, std::size_t size_max);

/// Returns whether the path is "-" or one of the system's names for stdout.
[[nodiscard]] bool is_stdout(const std::string& path);

struct Output {
  std::string_view option;
  const std::string& path;
};

/// Checks that no output is a directory, that its directory exists and is writable, that at most one goes to stdout,
/// and that none would replace an input. Call this before long work whose result would be lost. Nothing is opened.
/// \throws Error if a check fails. \param printed  the option that claims stdout, like "--json"; may be empty. \return
/// the stream for a report: stderr if one of the outputs is stdout, otherwise stdout.
std::FILE* check_outputs(std::initializer_list<Output> outputs, std::string_view printed,
                         std::initializer_list<std::string_view> inputs = {});

/// Writes a file atomically, with the mode of the file that it replaces. If the path is a symbolic link, its target is
/// replaced. Devices and pipes are written directly, and a pipe blocks until it has a reader. "-" is stdout. \throws
/// Error with the path; no partial file is left.   Thread: any.
void write_file(const std::string& path, std::string_view bytes);

/// An open file, or none.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) noexcept : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~FileDescriptor() { reset(); }

  [[nodiscard]] int get() const noexcept { return fd_; }  ///< -1 if closed, which poll() ignores.
  [[nodiscard]] bool open() const noexcept { return fd_ >= 0; }
  void reset(int fd = -1) noexcept;

 private:
  int fd_;
};

/// A regular file, open for reading and appending, that one process at a time can open like this.
class LockedFile {
 public:
  /// Opens or creates the file. \throws Error, also if another process has locked the file.
  explicit LockedFile(std::string path);

  /// \throws Error.
  [[nodiscard]] std::string read() const;
  void truncate(std::size_t size);
  /// Appends all bytes or, if this fails, none. \throws Error.
  void append(std::string_view bytes);

 private:
  std::string path_;
  FileDescriptor descriptor_;
};

}  // namespace forkmunk::io
