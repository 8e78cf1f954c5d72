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
    {"stretched", 64390, 0x873cbb7d54a1b104},
    {"coarse", 64141, 0xb7685891e282ccc6},
    {"genetic", 64479, 0x9965fb0efd7ff0a5},
    {"grid", 50045, 0x9d973b111cafcba5},
    {"coevolve", 64467, 0xee13fa0d06c04f67},
    {"best", 64556, 0xc7d8b648b4ff9847},
}};

}  // namespace forkmunk::tests
