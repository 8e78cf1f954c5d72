// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// Simulated ticks and hashes of all plans at the positions of positions.h. A commit that changes one names the change
/// of the search or the evaluator.
namespace forkmunk::tests {

struct SearchSignature {
  std::string_view planner;
  std::int64_t ticks = 0;
  std::uint64_t plans = 0;
  friend bool operator==(const SearchSignature&, const SearchSignature&) = default;
};

inline constexpr std::array<SearchSignature, 7> kSearchSignatures{{
    {"straight", 7694, 0xc7b2ee1bdd30d425},
    {"stretched", 64412, 0x448562304d566665},
    {"coarse", 64153, 0xef7b3400f1b9a207},
    {"genetic", 64475, 0x348aeb47d0b81624},
    {"grid", 49825, 0xc49e7ff54dd74e46},
    {"coevolve", 64461, 0x2d05199740ff03e4},
    {"best", 64534, 0x181299a797a43b26},
}};

}  // namespace forkmunk::tests
