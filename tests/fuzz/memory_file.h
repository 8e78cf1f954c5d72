// SPDX-License-Identifier: MIT
#pragma once

#include "target.h"

#include <cerrno>

#include <sys/mman.h>
#include <unistd.h>

namespace forkmunk::tests {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view text) : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "no file in memory");
    while (!text.empty()) {
      const ssize_t size = write(descriptor_, text.data(), text.size());
      require(size > 0 || errno == EINTR, "no room for a file in memory");
      if (size > 0) text.remove_prefix(static_cast<std::size_t>(size));
    }
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace forkmunk::tests
