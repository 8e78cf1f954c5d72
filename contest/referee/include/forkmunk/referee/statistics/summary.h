#pragma once

#include <optional>
#include <vector>

namespace forkmunk::referee::statistics {

/// Summary of a sample of durations, in their unit.
struct Summary {
  double mean = 0;
  double p99 = 0;  ///< 99th percentile (nearest rank, not interpolated).
  double max = 0;
};

/// \param values  finite, in any order; by value, because they are reordered.
/// \return nullopt without values.   Cost: linear.
[[nodiscard]] std::optional<Summary> summary_of(std::vector<double> values);

}  // namespace forkmunk::referee::statistics
