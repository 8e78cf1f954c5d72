#pragma once

#include <cstddef>
#include <string>

namespace forkmunk::io {

/// All bytes of a file or pipe, read once from front to back; "-" is stdin. Of more than `size_max` bytes only that
/// there are more is found: then one chunk or less beyond `size_max` is returned.
///
/// A named pipe is waited for until somebody writes to it.
/// \param expected  "a recording", for messages. \throws Error naming the path.
[[nodiscard]] std::string read_file(const std::string& path, std::size_t size_max, const std::string& expected);

}  // namespace forkmunk::io
