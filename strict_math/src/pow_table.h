#pragma once

#include <array>
#include <cstddef>

namespace forkmunk::strict_math {

inline constexpr std::size_t kLogTableSize = 128;

/// Row i is about a c within the i-th of 128 intervals of [0x1.69555p-1, 0x1.69555p0).
struct LogTableRow {
  double inverse;   ///< 1/c, with so few bits that z/c - 1 is exact
  double log;       ///< ln(c), of so few bits that adding a multiple of ln(2) is exact
  double log_tail;  ///< ln(c) - log
};

/// The numbers are those of ARM's optimized routines, which musl has taken over.
extern const std::array<LogTableRow, kLogTableSize> kLogTable;

}  // namespace forkmunk::strict_math
