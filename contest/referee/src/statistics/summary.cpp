#include <forkmunk/referee/statistics/summary.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace forkmunk::referee::statistics {

std::optional<Summary> summary_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const std::size_t count = values.size();
  // Summed before the reordering, which differs between standard libraries.
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const std::size_t rank = count - count / 100;  // the ceiling of 0.99 * count
  const auto p99 = values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(values.begin(), p99, values.end());
  return Summary{.mean = sum / static_cast<double>(count), .p99 = *p99, .max = *std::max_element(p99, values.end())};
}

}  // namespace forkmunk::referee::statistics
