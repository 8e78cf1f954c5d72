#pragma once

#include <forkmunk/base/error.h>

#include <cstdint>
#include <span>
#include <string_view>

/// Run-time dispatch of SIMD instructions, for steps of the flat engine and of Chipmunk scenes, and for the value
/// network. All targets give the same bits; they differ in speed. Not installed: for tests and measurements.
namespace forkmunk {

/// Each target includes those before it. Steps of the flat engine use at most AVX2.
enum class SimdTarget : std::uint8_t { baseline, avx2, avx512 };

/// Its name in the environment variable FORKMUNK_LANES.
[[nodiscard]] std::string_view to_string(SimdTarget target) noexcept;

/// The targets that this processor supports, the baseline first.
[[nodiscard]] std::span<const SimdTarget> available_simd_targets() noexcept;

/// The one in use: the widest, unless the environment's FORKMUNK_LANES names another that is available.
/// \throws Error if FORKMUNK_LANES names none of them: a measurement would be of another width.
[[nodiscard]] SimdTarget simd_target();

/// \pre no world is being stepped. \return false, with nothing changed, if `target` is not available.
/// \throws Error as simd_target().
bool set_simd_target(SimdTarget target);

}  // namespace forkmunk
