// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>

#include <cstdint>
#include <span>
#include <string_view>

/// Run-time dispatch of SIMD instructions, for steps of the flat engine and of Chipmunk scenes, and for the value
/// network. All targets give the same bits; they differ in speed. This header serves tests and measurements and is not
/// installed.
namespace forkmunk {

/// The targets of a processor: each includes the targets before it. On aarch64 the baseline steps Chipmunk scenes
/// without lanes; on x86-64 its lanes are SSE2's. Steps of the flat engine use at most AVX2; on aarch64 they always use
/// NEON.
enum class SimdTarget : std::uint8_t { baseline, neon, avx2, avx512 };

/// Returns the name of `target` in the environment variable FORKMUNK_LANES.
[[nodiscard]] std::string_view to_string(SimdTarget target) noexcept;

/// Returns the targets that this processor supports, the baseline first.
[[nodiscard]] std::span<const SimdTarget> available_simd_targets() noexcept;

/// Returns the target in use: the widest available one, unless the environment variable FORKMUNK_LANES names another.
/// \throws Error if FORKMUNK_LANES names no available target, because measurements would be of the wrong width.
[[nodiscard]] SimdTarget simd_target();

/// Selects the target in use. \pre no world is being stepped.
/// \return false, with nothing changed, if `target` is not available.
/// \throws Error as simd_target().
bool set_simd_target(SimdTarget target);

}  // namespace forkmunk
