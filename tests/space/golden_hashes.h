#pragma once

#include <cstdint>

namespace forkmunk::space {

/// Of golden_hash_test.cpp's scene after 0, 60 and 600 steps; tests/js reads them, too.
inline constexpr std::uint64_t kGoldenHashes[] = {0xf2fb27f81e91780fu, 0x203f13822d1df91du, 0xe9d35ebb09cf846au};

}  // namespace forkmunk::space
