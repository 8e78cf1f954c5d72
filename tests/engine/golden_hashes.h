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
    {"PillMap", "Buggy", {0xdd39b067ca85ca7a, 0x22936b7512daab96, 0x87107bbb881c4eed}},
    {"PillMap", "Bus", {0xbe79af894f3212ec, 0x88fc5af24ca59aff, 0xa732c534e491fd65}},
    {"PillMap", "SquareWheelsBuggy", {0x21b0afe7474bed59, 0xc4e94cf1dfa3a5d2, 0x633528fc2e076d58}},
    {"PillHubbleMap", "Buggy", {0xd9a9e941098ee67a, 0x5e3e98d8f61e46c1, 0x1a40f25e6ddb4e07}},
    {"PillHubbleMap", "Bus", {0xcf04d17a163b3768, 0xe7b4b4566c249296, 0x9accf0e571bbea0b}},
    {"PillHubbleMap", "SquareWheelsBuggy", {0xbe818c4dadfdf05b, 0xeb526f13672ae90a, 0x59cfba961520e8c4}},
    {"PillHillMap", "Buggy", {0x04afe4d54c9da647, 0xf6046091fe6c0981, 0xe256b5ae91437916}},
    {"PillHillMap", "Bus", {0xd585d8aa7d7651a7, 0x5d13868bc485bdb6, 0x27d0a1d06de42023}},
    {"PillHillMap", "SquareWheelsBuggy", {0x407674afaa24f1a1, 0x0456e6bc7c87efed, 0x1ef937a12056b8af}},
    {"PillCarcassMap", "Buggy", {0xa56bbb1fe7fbea4e, 0xd3d7e4b88d90bbff, 0x54322065872db815}},
    {"PillCarcassMap", "Bus", {0xefb83f27a27db0bb, 0x89f84240af63dcfc, 0x465cfbb0c175dfad}},
    {"PillCarcassMap", "SquareWheelsBuggy", {0x9f85d7a70e790daa, 0x36437b36ec7a2400, 0x78dee723f79cc904}},
    {"IslandMap", "Buggy", {0x80c5ed6f342adc8e, 0x529bf4eccbb68e18, 0x776755cdc9e53dde}},
    {"IslandMap", "Bus", {0x617ed86e372510d9, 0xf9436539c5dcc183, 0x86c3d8d0ef124c5e}},
    {"IslandMap", "SquareWheelsBuggy", {0x418beeb20f3b14af, 0xff91c4a4ebad0deb, 0x221c42b22adbcb90}},
    {"IslandHoleMap", "Buggy", {0x4cadda7643701174, 0x1e54b206c1d0cca7, 0x355dfffbbafbfe3c}},
    {"IslandHoleMap", "Bus", {0x5ab39b4fd78184c6, 0x68df65892d65fe17, 0x52bf34c9d30652d4}},
    {"IslandHoleMap", "SquareWheelsBuggy", {0xff9dcdf2e93793e0, 0x1fdfd13cc7e00564, 0x7198c5a24e1c799a}},
}};

/// gcc 12's.
inline constexpr std::array<GoldenHash, 18> kGoldenReferee{{
    {"PillMap", "Buggy", {0x370bfd2b572383ac, 0x48199d7c2dfe3de2, 0x58c8075e73689bea}},
    {"PillMap", "Bus", {0x93353b6b8fea3e71, 0x6d08820cab52bf14, 0x01ef51909bb566cb}},
    {"PillMap", "SquareWheelsBuggy", {0x90d060427f516ebe, 0x78c0e5256d9ef0d2, 0xbaa6d8decdfae783}},
    {"PillHubbleMap", "Buggy", {0x72eac8ddd38d798d, 0x9720487e1dd628a7, 0xf4b8e77e7b9234fc}},
    {"PillHubbleMap", "Bus", {0xe4e75d23a8c94cef, 0x72975c5b0f5a5f45, 0xa58ca0ae655f45c4}},
    {"PillHubbleMap", "SquareWheelsBuggy", {0xa67f8dca5588a0bb, 0x86bf9f7d59fb626c, 0x2da2e3f990c5843e}},
    {"PillHillMap", "Buggy", {0x83788e5a95ace791, 0x09ac6d7ea05e03d8, 0x4fca771416627e36}},
    {"PillHillMap", "Bus", {0x48580ee48c02b10c, 0x18ed53c4f76635ab, 0xe63c601447e4a6d0}},
    {"PillHillMap", "SquareWheelsBuggy", {0x4fd1ef650a34eb7e, 0x3a11cf5ff9f5a619, 0x7068f7239723fff6}},
    {"PillCarcassMap", "Buggy", {0x4022e7538db90c4b, 0xf4107bd3e34b8bc6, 0x8c74b77c96ed20da}},
    {"PillCarcassMap", "Bus", {0x58a4dae5c460a85e, 0x80011fb473443dff, 0xab12bb2809700d9f}},
    {"PillCarcassMap", "SquareWheelsBuggy", {0x11efb53f98f83d3f, 0xc66a0db235ff62af, 0x6ebfcfea50e92800}},
    {"IslandMap", "Buggy", {0x71eff5412591505a, 0xb0e66d478b5d099d, 0x6b99a155ef739866}},
    {"IslandMap", "Bus", {0x64f8cebdf064eb16, 0xceafee4e3259a7c2, 0x7d1a462efa6bd0df}},
    {"IslandMap", "SquareWheelsBuggy", {0x5909dbae86b93548, 0x7f05e6b006304965, 0x0b7770463688c774}},
    {"IslandHoleMap", "Buggy", {0x3ef2ea510377539d, 0x34c576a2e62dbc93, 0x177d4ee6ece9285b}},
    {"IslandHoleMap", "Bus", {0xce59a25f42f66035, 0x662066f76b9f2ad7, 0x04da34565db15edf}},
    {"IslandHoleMap", "SquareWheelsBuggy", {0xf8bf214b459282fc, 0xffcf2dc6aa5387c2, 0x4acc313a6a1cd452}},
}};

}  // namespace forkmunk::tests
