#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace forkmunk::io {

/// Whether an output's path means stdout: "-", or one of the system's names for it.
[[nodiscard]] bool is_stdout(const std::string& path);

/// Whether there is a regular file, perhaps behind a symbolic link, or nothing yet: something that can be replaced as a
/// whole and read again. Devices, pipes, sockets and stdout can only be written to.
[[nodiscard]] bool is_regular_or_absent(const std::string& path);

/// Throws Error unless a file may be written there: its folder exists and can be written, and the path is no folder
/// itself. For before long work, so that its result is not lost. Nothing is opened.
void check_output(const std::string& path);

/// What an option says is to be written, and where; an empty path: nothing.
struct Output {
  std::string_view option;
  const std::string& path;
};

/// check_output() for all, and that stdout gets one thing only. \param printed  the option that prints nothing but
/// itself on stdout, like "--json"; empty if none was given. \return whether one of the outputs is stdout: then what
/// there is to say besides has to go to stderr.
bool check_outputs(std::initializer_list<Output> outputs, std::string_view printed);

/// Writes a file that appears whole or not at all, under the mode of the one that it replaces; behind a symbolic link
/// what it points to. A device or pipe is written through, and waits for its reader; "-" is stdout.
/// \param what  it is: "a file". \throws Error naming the path; nothing half-written is left.   Thread: any.
void write_file(const std::string& path, std::string_view bytes, std::string_view what = "a file");

}  // namespace forkmunk::io
