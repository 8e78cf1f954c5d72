// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

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

/// Returns whether `path`, with links followed, can be replaced atomically and read again.
[[nodiscard]] bool is_regular_or_absent(const std::string& path);

/// Checks that `path` is not a directory, and that its directory exists and is writable. Call this before long work
/// whose result would be lost. Nothing is opened. \throws Error if the check fails.
void check_output(const std::string& path);

struct Output {
  std::string_view option;
  const std::string& path;
};

/// Calls check_output() for all outputs, and checks that at most one goes to stdout, and that none would replace an
/// input. \param printed  the option that claims stdout, like "--json"; may be empty. \return whether one of the
/// outputs is stdout. The report then belongs on stderr.
bool check_outputs(std::initializer_list<Output> outputs, std::string_view printed,
                   std::initializer_list<std::string_view> inputs = {});

/// Writes a file atomically, with the mode of the file that it replaces. If the path is a symbolic link, its target is
/// replaced. Devices and pipes are written directly, and a pipe blocks until it has a reader. "-" is stdout. \throws
/// Error with the path; no partial file is left.   Thread: any.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace forkmunk::io
