// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>
#include <vector>

namespace forkmunk::bench {

/// A compiler barrier: all memory counts as read and written here.
inline void keep(const void* pointer) noexcept { asm volatile("" : : "r"(pointer) : "memory"); }

template <typename Work>
[[nodiscard]] double time_us(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

/// Returns the CPU time of this thread, which does not depend on other programs on the core. Reading the clock is a
/// system call, so `work` should take at least 100 us.
template <typename Work>
[[nodiscard]] double cpu_time_us(Work&& work) {
  const auto now_us = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
  };
  const double start_us = now_us();
  work();
  return now_us() - start_us;
}

/// Returns the upper of the two middle values of an even number. \pre not empty.
[[nodiscard]] inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Returns the median of the ratios of pairs. \pre both have as many values.
[[nodiscard]] inline double median_ratio(const std::vector<double>& of, const std::vector<double>& to) {
  std::vector<double> ratios(of.size());
  std::transform(of.begin(), of.end(), to.begin(), ratios.begin(), [](double a, double b) { return a / b; });
  return median(std::move(ratios));
}

}  // namespace forkmunk::bench
