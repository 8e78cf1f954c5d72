// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// A Space of doubles, for a program whose other sources have Spaces of floats.
namespace double_side {

struct Fall {
  std::uint64_t hash;
  double height;
  std::vector<std::byte> bytes;
};
/// Lets a ball fall for 60 steps.
Fall fall();
/// Reads a portable state. \return the message of the error; empty if there was no error.
std::string read(std::span<const std::byte> bytes);

}  // namespace double_side
