#pragma once

#include <string>
#include <string_view>

namespace forkmunk::io {

/// Throws Error unless a file may be written there: its folder exists, and the path is no folder itself. For before
/// long work, so that its result is not lost.
void check_output(const std::string& path);

/// Writes a file that appears whole or not at all. \param what  it is: "a file". \throws Error naming the path.
void write_file(const std::string& path, std::string_view bytes, std::string_view what = "a file");

}  // namespace forkmunk::io
