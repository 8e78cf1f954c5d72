// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace forkmunk::space {

/// Hashes of golden_hash_test.cpp's scene after 0, 60 and 600 steps; tests/js reads this file.
inline constexpr std::uint64_t kGoldenHashesOfDoubles[] = {0xb43be487cba25869u, 0xc91d9a3ebaa16d09u,
                                                           0x5ebf720cc67f1dafu};
inline constexpr std::uint64_t kGoldenHashesOfFloats[] = {0x0acea027b4856469u, 0x1ca6602103860176u,
                                                          0xb48bd60cdd7ae1b5u};

}  // namespace forkmunk::space
