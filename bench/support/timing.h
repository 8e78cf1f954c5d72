#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace forkmunk::bench {

/// Compiler barrier: all memory, including that behind `pointer`, counts as read and written here.
inline void keep(const void* pointer) noexcept { asm volatile("" : : "r"(pointer) : "memory"); }

/// Wall time of `work` in microseconds.
template <typename Work>
[[nodiscard]] double time_us(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

/// The median; of an even number of values the upper one of the two in the middle. \pre not empty.
[[nodiscard]] inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace forkmunk::bench
