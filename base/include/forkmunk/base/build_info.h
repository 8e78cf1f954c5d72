// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/arithmetic.h>

#include <string>
#include <vector>

namespace forkmunk {

/// All that a measured or computed number depends on, besides the code.
struct BuildInfo {
  std::string compiler;    ///< e.g. "GNU 12.2.0"
  std::string build_type;  ///< e.g. "Release"
  std::string sanitizer;   ///< Empty: none.
  int check_level = 0;
  std::vector<Arithmetic> arithmetics;
  std::string processor;  ///< "unknown" if its name cannot be read.
  bool fma = false;       ///< False if unknown.
  std::string c_library;  ///< e.g. "glibc 2.36"
  /// The C library's sin(), which decides the bits of referee arithmetic: "with FMA" (glibc, as on the contest's
  /// referee), "without FMA" (glibc), "musl's" or "other".
  std::string c_library_sin;
};

[[nodiscard]] BuildInfo build_info();

}  // namespace forkmunk
