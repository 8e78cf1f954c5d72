#pragma once

#include <optional>
#include <vector>

namespace forkmunk::referee::statistics {

/// What matters of many durations, in their own unit.
struct Summary {
  double mean = 0;
  double p99 = 0;  ///< The least value that at least 99 % of all do not exceed (nearest rank, never interpolated).
  double max = 0;
};

/// \param values  finite, in any order; taken by value because they are reordered: move what is no longer needed.
/// \return nothing without values.   Cost: linear.
[[nodiscard]] std::optional<Summary> summary_of(std::vector<double> values);

}  // namespace forkmunk::referee::statistics
