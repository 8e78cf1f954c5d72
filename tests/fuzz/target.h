#pragma once

#include <forkmunk/io/gzip.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

/// What every fuzz target is: this function. libFuzzer calls it (preset asan), or run_inputs.cpp's main() does.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace forkmunk::tests {

/// A finding: what must hold for every input does not.
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
