#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// Signatures of each planner at the 18 positions of positions.h: ticks simulated, and a hash of all plans. The same
/// from every compiler. A change here is a change of a search or an evaluator: the commit names it.
namespace forkmunk::tests {

struct SearchSignature {
  std::string_view planner;
  std::int64_t ticks = 0;
  std::uint64_t plans = 0;
  friend bool operator==(const SearchSignature&, const SearchSignature&) = default;
};

inline constexpr std::array<SearchSignature, 7> kSearchSignatures{{
    {"straight", 7694, 0xc7b2ee1bdd30d425},
    {"stretched", 64436, 0xbb611417ae80a946},
    {"coarse", 63843, 0xd1384f0ecdcf5d85},
    {"genetic", 64471, 0xd524683b660032a5},
    {"grid", 49751, 0x26454d7fc00501a6},
    {"coevolve", 64459, 0xdd004d03334bf725},
    {"best", 64436, 0xbb611417ae80a946},
}};

}  // namespace forkmunk::tests
