// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/arithmetic.h>
#include <forkmunk/chipmunk/precision.h>

#include <cstdint>

#include <chipmunk/chipmunk_structs.h>

/// Chipmunk is linked once per arithmetic, and by the benchmarks once more as released, with prefixed names. A table of
/// functions represents a build.
namespace forkmunk::FORKMUNK_CHIPMUNK {

/// Shapes' ids, which identify contacts, have 32 bits on every machine.
static_assert(sizeof(cpHashValue) == sizeof(std::uint32_t),
              "Chipmunk's headers must be included with CP_HASH_VALUE_TYPE=uint32_t, as its builds are compiled");

/// One build of Chipmunk: `api.cpSpaceStep(space, dt)`.
struct ChipmunkApi {
#define X(function) decltype(&::function) function;
#include <forkmunk/chipmunk/chipmunk_functions.def>
#undef X
};

/// \pre is_available(arithmetic).
[[nodiscard]] const ChipmunkApi& chipmunk_api(Arithmetic arithmetic) noexcept;

}  // namespace forkmunk::FORKMUNK_CHIPMUNK
