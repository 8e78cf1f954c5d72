#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// What each planner searches at the 18 positions of positions.h, and what it finds: ticks simulated, and a hash of all
/// plans. The same from every compiler. A change here is a change of a search or an evaluator: the commit says which.
namespace forkmunk::tests {

struct SearchSignature {
  std::string_view planner;
  std::int64_t ticks = 0;
  std::uint64_t plans = 0;
  friend bool operator==(const SearchSignature&, const SearchSignature&) = default;
};

inline constexpr std::array<SearchSignature, 6> kSearchSignatures{{
    {"straight", 0, 0},
    {"stretched", 0, 0},
    {"coarse", 0, 0},
    {"genetic", 0, 0},
    {"grid", 0, 0},
    {"coevolve", 0, 0},
}};

}  // namespace forkmunk::tests
