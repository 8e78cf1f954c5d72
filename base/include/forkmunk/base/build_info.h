// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/arithmetic.h>

#include <string>
#include <vector>

namespace forkmunk {

/// A description of the build and of the machine: all that a measured or computed number depends on, besides the code.
struct BuildInfo {
  std::string compiler;    ///< e.g. "GNU 12.2.0"
  std::string build_type;  ///< e.g. "Release"
  std::string sanitizer;   ///< Empty if there is no sanitizer.
  int check_level = 0;
  std::vector<Arithmetic> arithmetics;
  std::string processor;  ///< The running processor; "unknown" if its name cannot be read.
  bool fma = false;       ///< The processor has fused multiply-add; false if unknown.
  std::string c_library;  ///< The library of the running program, e.g. "glibc 2.36".
  /// The implementation of sin() in the C library, which decides the bits of referee arithmetic: "with FMA" (glibc, as
  /// on the contest's referee), "without FMA" (glibc), "musl's" or "other".
  std::string c_library_sin;
};

/// Returns the description of this build and of the running machine.
[[nodiscard]] BuildInfo build_info();

}  // namespace forkmunk
