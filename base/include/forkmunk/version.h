// SPDX-License-Identifier: MIT
#pragma once

/// The version of the headers, for C and C++. CMake compares it with project(VERSION).
#define FORKMUNK_VERSION_MAJOR 0
#define FORKMUNK_VERSION_MINOR 1
#define FORKMUNK_VERSION_PATCH 0

#ifdef __cplusplus
namespace forkmunk {

/// Returns the version of the linked library, e.g. "0.1.0".
[[nodiscard]] const char* version() noexcept;

}  // namespace forkmunk
#endif
