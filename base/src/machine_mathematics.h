#pragma once

#include <string>

namespace forkmunk {

/// "glibc 2.36": the C library that the program runs with.
[[nodiscard]] std::string c_library();

/// Which of the known functions its sin() is, told by last bits: see BuildInfo::c_library_sin.
[[nodiscard]] std::string c_library_sin();

/// Whether the processor multiplies and adds in one rounding, as far as the program can tell.
[[nodiscard]] bool has_fused_multiply_add();

}  // namespace forkmunk
