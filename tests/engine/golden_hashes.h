#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// The states of a scripted match per map and car at ticks 0, 60 and 600, for all compilers and build types.
/// A change here is a change of the physics: the commit says which.
namespace forkmunk::tests {

struct GoldenHash {
  std::string_view map;
  std::string_view car;
  std::array<std::uint64_t, 3> hashes;
};

inline constexpr std::array<GoldenHash, 18> kGoldenStrict{{
    {"PillMap", "Buggy", {0x778a48937c9feb54, 0xd8eb4ff4e11d47b8, 0xaa985fe70406e5f0}},
    {"PillMap", "Bus", {0x119dcf56005963a2, 0x5a36134418d20b44, 0xff3f5e189c34a322}},
    {"PillMap", "SquareWheelsBuggy", {0x13fa5012f6b70673, 0xfab9e1beb9da8925, 0xbf8db507147d288c}},
    {"PillHubbleMap", "Buggy", {0x1df64ef13dc10109, 0x74368e9738c896f5, 0x037fd23d78bacdff}},
    {"PillHubbleMap", "Bus", {0xc8dd30a2e2387f5a, 0x351c90762bbd55c3, 0xf740587e1b2e7568}},
    {"PillHubbleMap", "SquareWheelsBuggy", {0xea70341611811b84, 0x78b0aa4b67275c43, 0x0a43ca0ff517ff37}},
    {"PillHillMap", "Buggy", {0x94577f1908b71c06, 0x7d710410dafbc260, 0xdf0c3022046706a4}},
    {"PillHillMap", "Bus", {0xe0a63e52ea6c42d0, 0xcd72c9360b07810a, 0xb1ae524aa6aab35f}},
    {"PillHillMap", "SquareWheelsBuggy", {0x0584df3091974cd2, 0x59ae8b53f3dec173, 0x6887f444a048ffb8}},
    {"PillCarcassMap", "Buggy", {0x62d0b9747b0ad5a4, 0xb2c8c4f6628b6e39, 0x8ff0de214e57e72e}},
    {"PillCarcassMap", "Bus", {0x6f12475538aa5246, 0xa3bc3c4ee8b37cd6, 0xce1979df4189f004}},
    {"PillCarcassMap", "SquareWheelsBuggy", {0xf276599021596e28, 0x375664b77794213b, 0x80ed86621cd15722}},
    {"IslandMap", "Buggy", {0xb884700ce47d54c8, 0x61f22910c2c3cab5, 0x8f2847aecd398eae}},
    {"IslandMap", "Bus", {0xaa37df0710bd15e5, 0x0e07426abc966429, 0x35502965f3940c68}},
    {"IslandMap", "SquareWheelsBuggy", {0x0ab78979b1bbcd68, 0x853a894ee55f9032, 0x1bfe3622d4e12374}},
    {"IslandHoleMap", "Buggy", {0x6465f33af4380801, 0x65044f956417cdbd, 0xfd3c0f7c1b335c43}},
    {"IslandHoleMap", "Bus", {0x2a965fe3d0ae20a5, 0x5ed9d62619720d84, 0x8493791fbf830fb6}},
    {"IslandHoleMap", "SquareWheelsBuggy", {0xd7f879642d9e7126, 0x7836b3a984a1fc02, 0xe0adb68692429fb9}},
}};

/// gcc 12's.
inline constexpr std::array<GoldenHash, 18> kGoldenReferee{{
    {"PillMap", "Buggy", {0x778a48937c9feb54, 0x405c33f21f72c7fe, 0x00e03d52ff00740a}},
    {"PillMap", "Bus", {0x119dcf56005963a2, 0x80f077126f53fc6b, 0x0114ce1c23764a92}},
    {"PillMap", "SquareWheelsBuggy", {0x13fa5012f6b70673, 0x1f26496f0a5c3f6e, 0x8878d71b1f5f88bd}},
    {"PillHubbleMap", "Buggy", {0x1df64ef13dc10109, 0xde56cfc2919ab96a, 0x06d3ceff3c4c4a55}},
    {"PillHubbleMap", "Bus", {0xc8dd30a2e2387f5a, 0xa95b4bb34ed66eb7, 0xee53002d70dc0110}},
    {"PillHubbleMap", "SquareWheelsBuggy", {0xea70341611811b84, 0x14db18c75852af2c, 0x05a99f8911d0ab2b}},
    {"PillHillMap", "Buggy", {0x94577f1908b71c06, 0x1e650db9433a4a7a, 0xa2be7ef1a8fa6183}},
    {"PillHillMap", "Bus", {0xe0a63e52ea6c42d0, 0xeb9180f230566a52, 0x93984ac27b8609df}},
    {"PillHillMap", "SquareWheelsBuggy", {0x0584df3091974cd2, 0x2931c6aa0cc3fc6c, 0x5ad27c8dc8226aac}},
    {"PillCarcassMap", "Buggy", {0x62d0b9747b0ad5a4, 0xc5f879007cb2607c, 0x9497b07be96dc640}},
    {"PillCarcassMap", "Bus", {0x6f12475538aa5246, 0xb498c4457125d34a, 0xb2bb1e362be88a10}},
    {"PillCarcassMap", "SquareWheelsBuggy", {0xf276599021596e28, 0xad2669ecec147b2a, 0x4d5948c05bbe54ae}},
    {"IslandMap", "Buggy", {0xb884700ce47d54c8, 0x58465ece87625297, 0xe9575170490dfe1d}},
    {"IslandMap", "Bus", {0xaa37df0710bd15e5, 0x2f1a98784ee085b5, 0x6c2918c318c2de51}},
    {"IslandMap", "SquareWheelsBuggy", {0x0ab78979b1bbcd68, 0x4ec4271567c0a9cb, 0xd8d43ee5ceac1c78}},
    {"IslandHoleMap", "Buggy", {0x6465f33af4380801, 0x1f670da512934310, 0x5860ff3cdd127755}},
    {"IslandHoleMap", "Bus", {0x2a965fe3d0ae20a5, 0x3746d608e4b33483, 0x91598236a1b350bd}},
    {"IslandHoleMap", "SquareWheelsBuggy", {0xd7f879642d9e7126, 0x9cbf6d1558a3543f, 0x2fbcdd1db79096f2}},
}};

}  // namespace forkmunk::tests
