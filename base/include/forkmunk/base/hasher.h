// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace forkmunk {

/// Hashes numbers, the same in every process and compiler. Mixing: the finaliser of SplitMix64 (Steele, Lea, Flood
/// 2014).
class Hasher {
 public:
  void add(std::uint64_t word) noexcept { state_ = mix(state_ ^ word) + 0x9e3779b97f4a7c15u; }
  template <std::integral T>
  void add(T number) noexcept {
    add(static_cast<std::uint64_t>(number));
  }
  void add(double number) noexcept { add(std::bit_cast<std::uint64_t>(number)); }
  template <typename... T>
  requires(sizeof...(T) > 1) void add(T... numbers) noexcept { (add(numbers), ...); }
  /// Adds bytes as little-endian words of 8, the last filled up with zeros.
  void add_bytes(std::span<const std::byte> bytes) noexcept {
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
      add(word);
    }
  }
  [[nodiscard]] std::uint64_t value() const noexcept { return mix(state_); }

 private:
  static std::uint64_t mix(std::uint64_t x) noexcept {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::uint64_t state_ = 0;
};

/// Returns a checksum against accidental damage. It has no key and does not protect against forgery.
[[nodiscard]] inline std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept {
  Hasher hasher;
  hasher.add_bytes(bytes);
  return hasher.value();
}

}  // namespace forkmunk
