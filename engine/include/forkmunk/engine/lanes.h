#pragma once

#include <span>
#include <string_view>

/// With which of the processor's instructions flat worlds are stepped, and values of states learned from games
/// computed. All give the same bits; they differ in speed.
namespace forkmunk::engine {

/// Those that this processor has and the library was compiled for, the narrowest first: "baseline", what all processors
/// of its kind have; "avx2", by which the cars of two worlds are solved in one register; "avx512", the same, but for
/// values of states.
[[nodiscard]] std::span<const std::string_view> available_lanes() noexcept;
/// Those in use: at first the widest, or what the environment's FORKMUNK_LANES names if it is available.
[[nodiscard]] std::string_view lanes_in_use() noexcept;
/// For tests and measurements, while nothing is stepped. \return false if there are none of that name here.
bool use_lanes(std::string_view name) noexcept;

}  // namespace forkmunk::engine
