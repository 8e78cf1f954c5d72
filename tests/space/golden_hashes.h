#pragma once

#include <cstdint>

namespace forkmunk::space {

/// Of golden_hash_test.cpp's scene after 0, 60 and 600 steps; tests/js reads them, too.
inline constexpr std::uint64_t kGoldenHashes[] = {0xe280ba33e72dd363u, 0x9f644887d1eeaeedu, 0xd3f7fc3aaa587402u};

}  // namespace forkmunk::space
