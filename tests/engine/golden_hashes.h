// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

/// States of a scripted match per map and car at ticks 0, 60 and 600. A commit that changes one describes the change of
/// the physics.
namespace forkmunk::tests {

struct GoldenHash {
  std::string_view map;
  std::string_view car;
  std::array<std::uint64_t, 3> hashes;
};

inline constexpr std::array<GoldenHash, 18> kGoldenStrict{{
    {"PillMap", "Buggy", {0x778a48937c9feb54, 0x1b26a262026e2346, 0x941f20acff529be9}},
    {"PillMap", "Bus", {0x119dcf56005963a2, 0x98b630c8f8e0559e, 0xed3c7e70bebb4d37}},
    {"PillMap", "SquareWheelsBuggy", {0x13fa5012f6b70673, 0xd3704897889f3513, 0x3741696c33de448f}},
    {"PillHubbleMap", "Buggy", {0x1df64ef13dc10109, 0x92e3ceef10a79602, 0x6847c2e25cc5fa67}},
    {"PillHubbleMap", "Bus", {0xc8dd30a2e2387f5a, 0xbb3289c540caa34c, 0xadd8762127e7eefe}},
    {"PillHubbleMap", "SquareWheelsBuggy", {0xea70341611811b84, 0xc4ffef4182b52d20, 0xdd79d00375b57e9e}},
    {"PillHillMap", "Buggy", {0x94577f1908b71c06, 0x3835b8cf90b89165, 0xa19d99b745d176fd}},
    {"PillHillMap", "Bus", {0xe0a63e52ea6c42d0, 0x0a86ba7119a32539, 0xfecec8360f5f1aa8}},
    {"PillHillMap", "SquareWheelsBuggy", {0x0584df3091974cd2, 0xadcdbbdda32fda45, 0x1c34549b30c16922}},
    {"PillCarcassMap", "Buggy", {0x62d0b9747b0ad5a4, 0xab78ecd13af3ba74, 0xd9c7f2bd6c00ded5}},
    {"PillCarcassMap", "Bus", {0x6f12475538aa5246, 0x3c22860d5d7597d7, 0x79e080701ba573c7}},
    {"PillCarcassMap", "SquareWheelsBuggy", {0xf276599021596e28, 0x7ad234c1fffc6f50, 0x16447a7e3abbf87b}},
    {"IslandMap", "Buggy", {0xb884700ce47d54c8, 0x065237fef586167d, 0xccabbfac4cbad6dc}},
    {"IslandMap", "Bus", {0xaa37df0710bd15e5, 0xd5f8e49d81b15559, 0x626026b6a4eb90e7}},
    {"IslandMap", "SquareWheelsBuggy", {0x0ab78979b1bbcd68, 0x0a19a8145b022e43, 0xa3c8becf5d3c0791}},
    {"IslandHoleMap", "Buggy", {0x6465f33af4380801, 0xec3a88ed6191f494, 0xb0ed3cea8bfb3339}},
    {"IslandHoleMap", "Bus", {0x2a965fe3d0ae20a5, 0x21acc7cbe84eef4c, 0xad145a2d4b12f78b}},
    {"IslandHoleMap", "SquareWheelsBuggy", {0xd7f879642d9e7126, 0x2680b06e288fe07b, 0x4e4b63d580fa982a}},
}};

/// gcc 12 made these.
inline constexpr std::array<GoldenHash, 18> kGoldenReferee{{
    {"PillMap", "Buggy", {0x778a48937c9feb54, 0x979d283e2c8cf156, 0xc30caad4740038c8}},
    {"PillMap", "Bus", {0x119dcf56005963a2, 0x68267c68e06cd96e, 0xfed2d1abcb782d9d}},
    {"PillMap", "SquareWheelsBuggy", {0x13fa5012f6b70673, 0x8a3fbcd4e9a3d4e4, 0xda5777fd577b7f51}},
    {"PillHubbleMap", "Buggy", {0x1df64ef13dc10109, 0x193a3f24188ffdc5, 0xc5adce38f5b8626a}},
    {"PillHubbleMap", "Bus", {0xc8dd30a2e2387f5a, 0x666904d977b56cbe, 0x87b1f2296e2c911b}},
    {"PillHubbleMap", "SquareWheelsBuggy", {0xea70341611811b84, 0x63007bc03becbab7, 0x8b2c287feb114252}},
    {"PillHillMap", "Buggy", {0x94577f1908b71c06, 0x7fceff6c8652c1fd, 0x362b6793d5e73ef5}},
    {"PillHillMap", "Bus", {0xe0a63e52ea6c42d0, 0xecb99c07d6b346db, 0xed8b2c3bdabb98c4}},
    {"PillHillMap", "SquareWheelsBuggy", {0x0584df3091974cd2, 0x394760bf1ac7f356, 0x5bde39068895cb94}},
    {"PillCarcassMap", "Buggy", {0x62d0b9747b0ad5a4, 0xa22222920695dd45, 0x8872e836f31e2c98}},
    {"PillCarcassMap", "Bus", {0x6f12475538aa5246, 0x66f40bb58145e499, 0xa66e8255f1f9a922}},
    {"PillCarcassMap", "SquareWheelsBuggy", {0xf276599021596e28, 0x4413cb4a8797b7e2, 0x913b3e619c3087fd}},
    {"IslandMap", "Buggy", {0xb884700ce47d54c8, 0x69b4ed522e5f1798, 0x8086b8f4495199fe}},
    {"IslandMap", "Bus", {0xaa37df0710bd15e5, 0x922be8a3618d968c, 0x6c2918c318c2de51}},
    {"IslandMap", "SquareWheelsBuggy", {0x0ab78979b1bbcd68, 0xda21a0115da73b13, 0x36afec4ccff7c357}},
    {"IslandHoleMap", "Buggy", {0x6465f33af4380801, 0x681b31ed50633ad4, 0x00041aedf871f2ce}},
    {"IslandHoleMap", "Bus", {0x2a965fe3d0ae20a5, 0xbe79dd86e7956270, 0xbcd1a1c63acefcfe}},
    {"IslandHoleMap", "SquareWheelsBuggy", {0xd7f879642d9e7126, 0xbe6e17308307cc67, 0x1a5955fb30194e45}},
}};

}  // namespace forkmunk::tests
