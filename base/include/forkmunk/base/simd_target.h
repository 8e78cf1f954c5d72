// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/base/error.h>

#include <cstdint>
#include <span>
#include <string_view>

/// Run-time dispatch of SIMD instructions, for steps of the flat engine and of Chipmunk scenes, and for the value
/// network. All targets give the same bits. For tests and measurements; not installed.
namespace forkmunk {

/// Each target includes those before it. The baseline steps Chipmunk scenes without lanes on aarch64, and with SSE2's
/// on x86-64. The flat engine uses at most AVX2, and on aarch64 always NEON.
enum class SimdTarget : std::uint8_t { baseline, neon, avx2, avx512 };

[[nodiscard]] std::string_view to_string(SimdTarget target) noexcept;

/// Returns the supported targets, the baseline first.
[[nodiscard]] std::span<const SimdTarget> available_simd_targets() noexcept;

/// Returns a supported target. \throws Error about `whose` name for any other.
[[nodiscard]] SimdTarget simd_target_named(std::string_view name, std::string_view whose);

/// Returns the target in use: the widest, unless the environment variable FORKMUNK_LANES names another. \throws Error
/// if FORKMUNK_LANES names no available target, because measurements would be of the wrong width.
[[nodiscard]] SimdTarget simd_target();

/// \pre no world is being stepped. \return false, with nothing changed, if `target` is not available.
/// \throws Error as simd_target().
bool set_simd_target(SimdTarget target);

}  // namespace forkmunk
