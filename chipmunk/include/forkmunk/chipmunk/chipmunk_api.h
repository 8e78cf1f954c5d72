// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/arithmetic.h>

#include <cstdint>

#include <chipmunk/chipmunk_structs.h>

/// Chipmunk is linked several times into one program: per arithmetic, and by the benchmarks once more as released.
/// Every build has its functions under a prefix of its own; a table of them stands for the build.
namespace forkmunk::chipmunk {

/// Names of contacts are made of shapes' ids: they have 32 bits on every machine. forkmunk::chipmunk brings the
/// definition.
static_assert(sizeof(cpHashValue) == sizeof(std::uint32_t),
              "Chipmunk's headers must be included with CP_HASH_VALUE_TYPE=uint32_t, as its builds are compiled");

/// One build of Chipmunk: its functions under their own names, `api.cpSpaceStep(space, dt)`.
struct ChipmunkApi {
#define X(function) decltype(&::function) function;
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
};

/// The arena build in `arithmetic`. \pre is_available(arithmetic).
[[nodiscard]] const ChipmunkApi& chipmunk_api(Arithmetic arithmetic) noexcept;

}  // namespace forkmunk::chipmunk
