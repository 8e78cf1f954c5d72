#pragma once

#include <forkmunk/referee/statistics/record.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace forkmunk::referee::statistics {

/// Counts of `size` equidistant results from 0 to 1, in ascending order.
template <std::size_t size>
using Counts = std::array<double, size>;

[[nodiscard]] inline Counts<3> counts_of(const Record& record) noexcept {
  return {static_cast<double>(record.losses), static_cast<double>(record.draws), static_cast<double>(record.wins)};
}

[[nodiscard]] inline Counts<5> counts_of(const PairRecord& record) noexcept {
  Counts<5> counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = static_cast<double>(record.counts[i]);
  return counts;
}

/// The value of result `i` of Counts, 0..1.
template <std::size_t size>
[[nodiscard]] constexpr double worth(std::size_t i) noexcept {
  return static_cast<double>(i) / static_cast<double>(size - 1);
}

template <std::size_t size>
[[nodiscard]] double total(const Counts<size>& counts) noexcept {
  double sum = 0;
  for (const double count : counts) sum += count;
  return sum;
}

}  // namespace forkmunk::referee::statistics
