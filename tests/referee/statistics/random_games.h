// SPDX-License-Identifier: MIT
#pragma once

#include <forkmunk/referee/statistics.h>

#include <cstdint>

namespace forkmunk::referee::statistics {

/// splitmix64 (S. Vigna, public domain).
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  [[nodiscard]] double uniform() noexcept {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

  /// A bot scores `score` on average and draws with `draw_rate` <= 2 * min(score, 1 - score).
  [[nodiscard]] Result game(double score, double draw_rate) noexcept {
    const double u = uniform();
    if (u < draw_rate) return Result::draw;
    return u < score + draw_rate / 2 ? Result::win : Result::loss;
  }

 private:
  std::uint64_t state_;
};

}  // namespace forkmunk::referee::statistics
