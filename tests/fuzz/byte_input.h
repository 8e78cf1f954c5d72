// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

namespace forkmunk::tests {

/// Decisions from an input's bytes; 0 after the last byte.
class ByteInput {
 public:
  ByteInput(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  [[nodiscard]] bool empty() const noexcept { return rest_.empty(); }

  template <class Integer>
  Integer take() noexcept {
    Integer value = 0;
    const std::size_t size = std::min(sizeof value, rest_.size());
    if (size > 0) std::memcpy(&value, rest_.data(), size);
    rest_ = rest_.subspan(size);
    return value;
  }
  std::size_t index(std::size_t count) noexcept {
    const auto value = count > 256 ? take<std::uint16_t>() : take<std::uint8_t>();
    return count == 0 ? 0 : value % count;
  }
  double number(double old) noexcept {
    using Limits = std::numeric_limits<double>;
    static constexpr std::array kExtremes{0.0,
                                          -0.0,
                                          1.0,
                                          -1.0,
                                          1e-6,
                                          1e-3,
                                          1e-300,
                                          Limits::denorm_min(),
                                          1000.0,
                                          1e5,
                                          -1e5,
                                          1e9,
                                          -1e9,
                                          1e12,
                                          -1e12,
                                          1e154,
                                          1e300,
                                          Limits::max(),
                                          Limits::infinity(),
                                          -Limits::infinity(),
                                          Limits::quiet_NaN()};
    const std::uint8_t kind = take<std::uint8_t>();
    if (kind < kExtremes.size()) return kExtremes[kind];
    if (kind < 64) return old * (static_cast<double>(take<std::uint8_t>()) / 64);
    if (kind < 128) return old + static_cast<double>(take<std::int16_t>()) / 256;
    if (kind < 192) return take<std::int16_t>();
    double value = 0;
    const std::uint64_t bits = take<std::uint64_t>();
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace forkmunk::tests
