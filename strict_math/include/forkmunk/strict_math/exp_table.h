#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace forkmunk::strict_math {

inline constexpr std::size_t kExpTableSize = 128;

/// Row i tells 2^(i/128) = scale (1 + tail), to about 106 bits.
struct ExpTableRow {
  double tail;
  std::uint64_t scale_bits;  ///< of `scale`, less i << 45: adding (128 n + i) << 45 gives the bits of 2^n scale
};

/// For inlined.h and pow(). The numbers are those of ARM's optimized routines, which musl has taken over.
extern const std::array<ExpTableRow, kExpTableSize> kExpTable;

}  // namespace forkmunk::strict_math
