// SPDX-License-Identifier: MIT
#pragma once

#include "target.h"

#include <forkmunk/io/gzip.h>

#include <exception>
#include <string_view>

namespace forkmunk::tests {

/// Large regressions are kept as gzip.
inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kTextBytesMax = std::size_t{4} << 20;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!io::is_gzip(bytes)) return std::string(bytes);
  try {
    return io::gunzip(bytes, kTextBytesMax);
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace forkmunk::tests
