#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// Run-time choice of the processor's SIMD instructions: for steps of the flat engine and for the value network. All
/// give the same bits; they differ in speed. Not installed: it is for tests and measurements.
namespace forkmunk {

/// Each one includes those before it. Steps use no more than AVX2.
enum class SimdTarget : std::uint8_t { baseline, avx2, avx512 };

/// As FORKMUNK_LANES names it.
[[nodiscard]] std::string_view to_string(SimdTarget target) noexcept;

/// Those that this processor has, the baseline first.
[[nodiscard]] std::span<const SimdTarget> available_simd_targets() noexcept;

/// The one in use: the widest, unless the environment's FORKMUNK_LANES names another that is available.
/// \throws Error if FORKMUNK_LANES names none of them: a measurement would be of another width.
[[nodiscard]] SimdTarget simd_target();

/// \pre nothing is stepped meanwhile. \return false, with nothing changed, if `target` is not available.
/// \throws Error as simd_target().
bool set_simd_target(SimdTarget target);

}  // namespace forkmunk
