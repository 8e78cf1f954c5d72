#pragma once

#include <string>

namespace forkmunk {

/// "glibc 2.36": the C library that the program runs with.
[[nodiscard]] std::string c_library();

/// Identifies its sin() by the last bits of known results: see BuildInfo::c_library_sin.
[[nodiscard]] std::string c_library_sin();

/// Whether the processor has fused multiply-add; false if that cannot be detected.
[[nodiscard]] bool has_fused_multiply_add();

}  // namespace forkmunk
