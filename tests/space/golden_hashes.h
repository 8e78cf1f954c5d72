#pragma once

#include <cstdint>

namespace forkmunk::space {

/// Of golden_hash_test.cpp's scene after 0, 60 and 600 steps; tests/js reads them, too.
inline constexpr std::uint64_t kGoldenHashes[] = {0xb43be487cba25869u, 0x09a799408c2f3946u, 0x4609e97359801ad5u};

}  // namespace forkmunk::space
