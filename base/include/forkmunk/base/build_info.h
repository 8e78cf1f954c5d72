#pragma once

#include <forkmunk/base/arithmetic.h>

#include <string>
#include <vector>

namespace forkmunk {

/// What a measured number depends on beside the code.
struct BuildInfo {
  std::string compiler;                 ///< e.g. "GNU 12.2.0"
  std::string build_type;               ///< e.g. "Release"
  std::string sanitizer;                ///< Empty: none.
  int check_level = 0;                  ///< FORKMUNK_CHECK_LEVEL
  std::vector<Arithmetic> arithmetics;  ///< Those that this build has.
  std::string processor;                ///< Of the machine at work; "unknown" where it does not tell.
};

[[nodiscard]] BuildInfo build_info();

}  // namespace forkmunk
