#pragma once

#include <forkmunk/base/arithmetic.h>

#include <string>
#include <vector>

namespace forkmunk {

/// What a number, measured or computed, depends on beside the code.
struct BuildInfo {
  std::string compiler;                 ///< e.g. "GNU 12.2.0"
  std::string build_type;               ///< e.g. "Release"
  std::string sanitizer;                ///< Empty: none.
  int check_level = 0;                  ///< FORKMUNK_CHECK_LEVEL
  std::vector<Arithmetic> arithmetics;  ///< Those that this build has.
  std::string processor;                ///< Of the machine at work; "unknown" where it does not tell.
  bool fma = false;       ///< The processor multiplies and adds in one rounding; false if it is not known.
  std::string c_library;  ///< At work, e.g. "glibc 2.36".
  /// Whose bits the C library's sin() has, on which referee arithmetic stands: glibc's "with FMA" (the contest's
  /// referee), glibc's "without FMA", "musl's", or "other".
  std::string c_library_sin;
};

[[nodiscard]] BuildInfo build_info();

}  // namespace forkmunk
