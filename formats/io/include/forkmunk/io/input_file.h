#pragma once

#include <forkmunk/base/error.h>

#include <cstddef>
#include <string>

namespace forkmunk::io {

/// Reads all bytes of a file or pipe, sequentially; "-" is stdin. If there are more than `size_max` bytes, it stops
/// after at most one chunk beyond `size_max`: the caller checks the size.
///
/// Opening a named pipe blocks until a process writes to it. \throws Error with the path.
[[nodiscard]] std::string read_file(const std::string& path, std::size_t size_max);

}  // namespace forkmunk::io
