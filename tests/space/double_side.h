// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// A Space of doubles for a program that has Spaces of floats.
namespace double_side {

struct Fall {
  std::uint64_t hash;
  double height;
  std::vector<std::byte> bytes;
};
Fall fall();
/// Reads a portable state. \return the error's message, or "".
std::string read(std::span<const std::byte> bytes);

}  // namespace double_side
