#pragma once

#include <cstdint>

namespace forkmunk::space {

/// Of golden_hash_test.cpp's scene after 0, 60 and 600 steps; tests/js reads them, too.
inline constexpr std::uint64_t kGoldenHashes[] = {0xf2fb27f81e91780fu, 0x203f13822d1df91du, 0x83aba2d5f2c8eaa2u};

}  // namespace forkmunk::space
