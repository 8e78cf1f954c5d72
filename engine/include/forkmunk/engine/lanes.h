#pragma once

#include <span>
#include <string_view>

/// With which of the processor's instructions worlds that are stepped together (step_together(), WorldBatch) are solved
/// side by side. All give the same bits; they differ in speed.
namespace forkmunk::engine {

/// Those that this processor has, the narrowest first: "baseline", one world after the other; "avx2", two at a time;
/// "avx512", four.
[[nodiscard]] std::span<const std::string_view> available_lanes() noexcept;
/// Those in use: at first the widest, or what the environment's FORKMUNK_LANES names if it is available.
[[nodiscard]] std::string_view lanes_in_use() noexcept;
/// For tests and measurements, while nothing is stepped. \return false if there are none of that name here.
bool use_lanes(std::string_view name) noexcept;

}  // namespace forkmunk::engine
