// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/io/gzip.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

/// The function of every fuzz target. Called by libFuzzer (preset asan) or by run_inputs.cpp's main().
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace forkmunk::tests {

/// Reports a finding: an invariant that the input violates.
inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz target: %s\n", what.c_str());
  std::abort();
}

/// The input of a target that reads text. Large regressions are kept as gzip.
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
