// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace forkmunk {

/// A seeded generator, the same on every platform: xoshiro256** 1.0 (Blackman and Vigna 2018), with a state of
/// SplitMix64.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) noexcept {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15u;
      std::uint64_t x = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9u;
      x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
      word = x ^ (x >> 31);
    }
  }

  /// Returns one of many streams of a seed.
  [[nodiscard]] static constexpr Random stream(std::uint64_t seed, std::uint64_t index) noexcept {
    return Random(seed * 0x9e3779b97f4a7c15u + index);
  }

  constexpr std::uint64_t next() noexcept {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Returns a number below `bound`, 1 to 2^32. The bias is below bound / 2^32.
  constexpr std::uint32_t below(std::uint64_t bound) noexcept {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

  /// Returns one of 2^53 equidistant numbers in [low, high).
  constexpr double between(double low, double high) noexcept {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }

  /// \pre `array` is not empty.
  template <class T, std::size_t N>
  constexpr const T& pick(const std::array<T, N>& array) noexcept {
    return array[below(N)];
  }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) noexcept { return (x << k) | (x >> (64 - k)); }
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace forkmunk
