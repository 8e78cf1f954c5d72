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
    {"stretched", 63884, 0xf774bd12c264bc46},
    {"coarse", 63867, 0xff23deef705ae046},
    {"genetic", 64447, 0x355f96742ebc02e5},
    {"grid", 50388, 0x19baa9f1d1975884},
    {"coevolve", 64488, 0x62f4f25a80c5e2e5},
    {"duct", 64895, 0x4c4d257d15ac5e86},
    {"smitsimax", 64909, 0x7ed7a50b7fb69f86},
    {"best", 63891, 0x18d2c1fa418972c5},
}};

}  // namespace forkmunk::tests
