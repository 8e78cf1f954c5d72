#pragma once

#include <forkmunk/base/arithmetic.h>

#include <string>
#include <vector>

namespace forkmunk {

/// Build and machine: everything except the code that a measured or computed number depends on.
struct BuildInfo {
  std::string compiler;                 ///< e.g. "GNU 12.2.0"
  std::string build_type;               ///< e.g. "Release"
  std::string sanitizer;                ///< Empty: none.
  int check_level = 0;                  ///< FORKMUNK_CHECK_LEVEL
  std::vector<Arithmetic> arithmetics;  ///< Those that this build has.
  std::string processor;                ///< Of the running machine; "unknown" if it cannot be read.
  bool fma = false;                     ///< The processor has fused multiply-add; false if unknown.
  std::string c_library;                ///< At run time, e.g. "glibc 2.36".
  /// Implementation of the C library's sin(), which decides the bits of referee arithmetic: glibc's "with FMA" (the
  /// contest's referee), glibc's "without FMA", "musl's", or "other".
  std::string c_library_sin;
};

[[nodiscard]] BuildInfo build_info();

}  // namespace forkmunk
