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

inline constexpr std::array<SearchSignature, 9> kSearchSignatures{{
    {"straight", 7694, 0xd6c6239eeccf3925},
    {"stretched", 64990, 0xf233a775283c8525},
    {"coarse", 64933, 0xe87f2a13e252e186},
    {"genetic", 64954, 0xbadbad46dc894985},
    {"grid", 50388, 0x19baa9f1d1975884},
    {"coevolve", 64962, 0xa499c8d2175bf205},
    {"duct", 64895, 0x4c4d257d15ac5e86},
    {"smitsimax", 64909, 0x7ed7a50b7fb69f86},
    {"best", 64993, 0x95a9e54c3d9405c4},
}};

}  // namespace forkmunk::tests
